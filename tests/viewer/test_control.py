import pytest

from gerotor.viewer.control import Control, is_local


def test_one_operator_at_a_time() -> None:
    control = Control()
    assert control.take(1, local=True) == ""
    assert control.take(1, local=True) == ""
    assert "someone else" in control.take(2, local=True)
    assert not control.drop(2)
    assert control.drop(1)
    assert control.take(2, local=True) == ""


@pytest.mark.parametrize("given", ["", "wrong", "secret ", "s\u00e9cret", "x" * 10_000])
def test_from_elsewhere_only_with_the_token(given: str) -> None:
    control = Control("secret")
    assert "token" in control.take(1, local=False, token=given)
    assert control.holder is None
    assert control.take(1, local=False, token="secret") == ""


def test_a_token_is_made_up() -> None:
    assert len(Control().token) >= 12 and Control().token != Control().token


@pytest.mark.parametrize(("address", "local"), [
    ("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("192.168.1.4", False), ("::ffff:8.8.8.8", False),
    ("fe80::1%eth0", False), ("", False), ("localhost.evil.example", False), (None, False),
])
def test_loopback(address: object, local: bool) -> None:
    assert is_local(address) is local
