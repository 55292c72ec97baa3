"""A joystick on this machine (Linux, /dev/input/js*): its axes are the levers, in order.

The device sends events of 8 bytes: time in ms (uint32), value (int16), type (uint8: 2 an axis, or'ed with 128 for the
state at the start), number (uint8). Source: the Linux joystick interface. A joystick that is pulled out has let go of all.
"""

from __future__ import annotations

import os
import select
import struct
import threading

from gerotor.errors import DeviceError
from gerotor.viewer.gamepad import DEAD_ZONE

EVENT = struct.Struct("<IhBB")
AXIS, FULL = 2, 32767.0


class Joystick:
    """Reads in a thread of its own; `read` gives (lever number, percent) of the axes that are deflected."""

    def __init__(self, path: str) -> None:
        try:
            self._device = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            raise DeviceError(f"{path}: the joystick cannot be opened ({error.strerror}); see ls /dev/input/js*") from None
        self._axes: dict[int, float] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._end.is_set():
            if not select.select([self._device], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self._device, EVENT.size * 64)
            except OSError:
                break
            for _, value, kind, number in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
                if kind & 127 == AXIS:
                    self._axes[number] = max(-1.0, value / FULL)
            if not data:
                self._end.wait(0.1)
        self._axes = {}

    def read(self) -> list[tuple[int, float]]:
        return [(k, 100 * a) for k, a in sorted(self._axes.items()) if abs(a) > DEAD_ZONE]

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        os.close(self._device)
