"""Every citation key in code and machine files stands in docs/references.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_citation_keys_resolve():
    known = set(re.findall(r"^\| (\w+) \|", (ROOT / "docs/references.md").read_text(), re.M))
    used = set()
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".py", ".yaml", ".md"):
            used |= set(re.findall(r"\[([a-z]+(?:19|20)\d\d)[\],;:]", path.read_text()))
    assert "kim2021" in used
    assert used <= known, f"missing in docs/references.md: {sorted(used - known)}"
