"""Quantities with units: worked by hand, refused where the dimension is wrong, the same with and without the stored factors."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gerotor import units
from gerotor.errors import InputError


@pytest.mark.parametrize(("text", "unit", "value"), [
    ("140 bar", "Pa", 1.4e7), ("55 L/min", "m^3/s", 55e-3 / 60), ("80 cm^3/rev", "m^3/rad", 80e-6 / (2 * math.pi)),
    ("80 Hz", "rad/s", 160 * math.pi), ("80 Hz", "1/s", 80.0), ("-90 deg", "rad", -math.pi / 2), (0, "Pa", 0.0), (0.8, "1", 0.8),
])
def test_by_hand(text, unit, value):
    assert units.quantity(text, unit) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("text", ["5 m", "bar", "", "1 bar bar", "nan Pa", "inf Pa", "9**9**9 Pa", 5, True, "1e999 Pa"])
def test_refused_in_one_line(text):
    with pytest.raises(InputError) as caught:
        units.quantity(text, "Pa", "supply.pressure")
    assert str(caught.value).startswith("supply.pressure = ")
    assert "\n" not in str(caught.value)


def test_a_known_factor_gives_what_pint_gives(monkeypatch, tmp_path):
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path))
    units._factors.cache_clear()
    for text, unit in (("140 bar", "Pa"), ("-1.5e-3 L/min", "m^3/s"), ("80 Hz", "rad/s"), ("20 degC", "K")):
        first, second = units.quantity(text, unit), units.quantity(text, unit)
        assert first == second == pytest.approx(units._convert(text, unit), rel=1e-14)
    assert "degC|K" not in units._factors()
    units._factors.cache_clear()


def test_a_damaged_store_of_factors_is_ignored(monkeypatch, tmp_path):
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path))
    for junk in ("", "[1, 2]", '{"bar|Pa": "x"}', "{"):
        (tmp_path / "units.json").write_text(junk)
        units._factors.cache_clear()
        assert units.quantity("1 bar", "Pa") == 1e5
    units._factors.cache_clear()


def test_no_cache_on_disk_but_our_own(tmp_path: Path) -> None:
    """Ours is renamed into place; another one, written in place, may be read torn by a second process."""
    code = "from gerotor.units import quantity; print(quantity('3 bar', 'Pa'))"
    here = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "GEROTOR_CACHE": str(tmp_path / "gerotor")}
    done = subprocess.run([sys.executable, "-c", code], env=here, capture_output=True, text=True, check=True)
    assert done.stdout == "300000.0\n"
    assert [str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()] == ["gerotor/units.json"]
