"""A joystick's events, written by hand into a pipe."""

import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gerotor.errors import DeviceError
from gerotor.viewer.joystick import Joystick


def wait(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_axes_become_percent_and_buttons_nothing(tmp_path: Path) -> None:
    path = tmp_path / "js0"
    os.mkfifo(path)
    stick = Joystick(str(path))
    with path.open("wb", buffering=0) as device:
        device.write(struct.pack("<IhBB", 1, 32767, 2 | 128, 0))
        device.write(struct.pack("<IhBB", 2, -32768, 2, 3) + struct.pack("<IhBB", 2, 1, 1, 1))
        wait(lambda: stick.read() == [(0, 100.0), (3, -100.0)])
        device.write(struct.pack("<IhBB", 3, 900, 2, 0))
        wait(lambda: stick.read() == [(3, -100.0)])
    stick.close()
    assert stick.read() == []


def test_no_joystick_is_said() -> None:
    with pytest.raises(DeviceError, match=r"/dev/input/js99: the joystick cannot be opened \(No such file"):
        Joystick("/dev/input/js99")
