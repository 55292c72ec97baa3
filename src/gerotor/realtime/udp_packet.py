"""The packet of the UDP link, version 1; docs/udp.md describes it for other languages.

    offset  0  4 bytes  "GERO"
    offset  4  uint16   version, 1
    offset  6  uint16   kind: 1 command, 2 state
    offset  8  uint32   sequence, counts up by sender, wraps
    offset 12  uint32   count of values
    offset 16  uint64   layout: number of the list of names
    offset 24  float64  simulated time in s (command: free)
    offset 32  float64  values, in the order of the list; little-endian throughout

The JSON form has the same content: {"gerotor": 1, "kind": "command", "sequence": 7, "layout": "hex",
"time": 0.0, "values": {"name": number, ...}}.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from gerotor.errors import InputError

MAGIC, VERSION, HEADER = b"GERO", 1, struct.Struct("<4sHHIIQd")
KINDS = {1: "command", 2: "state"}
LONGEST = 8192  # bytes of a JSON packet


def layout_number(names: Sequence[str]) -> int:
    """First 8 bytes of the SHA-256 of the names joined by newlines, little-endian."""
    return int.from_bytes(hashlib.sha256("\n".join(names).encode()).digest()[:8], "little")


@dataclass(frozen=True)
class Packet:
    """One packet, whichever form it came in."""

    kind: str
    sequence: int
    layout: int
    time: float
    values: tuple[float, ...]

    def to_bytes(self) -> bytes:
        number = next(k for k, v in KINDS.items() if v == self.kind)
        head = HEADER.pack(MAGIC, VERSION, number, self.sequence & 0xFFFFFFFF, len(self.values), self.layout, self.time)
        return head + struct.pack(f"<{len(self.values)}d", *self.values)

    @staticmethod
    def from_bytes(data: bytes) -> Packet:
        """Every field checked; an InputError where anything is wrong."""
        if len(data) < HEADER.size:
            raise InputError(f"packet of {len(data)} bytes: the header alone has {HEADER.size}")
        magic, version, kind, sequence, count, layout, time = HEADER.unpack_from(data)
        if magic != MAGIC or version != VERSION or kind not in KINDS:
            raise InputError(f"packet with magic {magic!r}, version {version}, kind {kind}: expected {MAGIC!r}, 1, 1 or 2")
        if len(data) != HEADER.size + 8 * count:
            raise InputError(f"packet of {len(data)} bytes: {count} values make {HEADER.size + 8 * count}")
        values = struct.unpack_from(f"<{count}d", data, HEADER.size)
        if not all(map(math.isfinite, values)):
            raise InputError("packet with a value that is not finite")
        return Packet(KINDS[kind], sequence, layout, time, values)

    def to_json(self, names: Sequence[str]) -> bytes:
        values = dict(zip(names, self.values, strict=True))
        content = {"gerotor": VERSION, "kind": self.kind, "sequence": self.sequence, "layout": f"{self.layout:016x}",
                   "time": self.time, "values": values}
        return json.dumps(content).encode()

    @staticmethod
    def from_json(data: bytes, names: Sequence[str]) -> Packet:
        """The same checks; `names` are the list that the values must match exactly."""
        try:
            if len(data) > LONGEST:
                raise ValueError("too long")
            content = json.loads(data)
            if not isinstance(content, dict) or content["gerotor"] != VERSION or content["kind"] not in KINDS.values():
                raise ValueError("not version 1")
            given = content["values"]
            if not isinstance(given, dict) or set(given) != set(names):
                raise ValueError("names differ")
            if not all(type(given[n]) in (int, float) and math.isfinite(given[n]) for n in names):
                raise ValueError("values must be finite numbers")
            layout, time = int(str(content["layout"]), 16), float(content.get("time", 0.0))
            return Packet(content["kind"], int(content["sequence"]), layout, time, tuple(float(given[n]) for n in names))
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            raise InputError(f"JSON packet refused: {str(error)[:80]}") from None
