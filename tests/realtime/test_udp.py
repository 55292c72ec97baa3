import contextlib
import json
import os
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.errors import InputError
from gerotor.realtime.json_bridge import JsonBridge
from gerotor.realtime.paced_run import PacedRun
from gerotor.realtime.udp_link import UdpLink, UdpPeer
from gerotor.realtime.udp_packet import Packet, layout_number
from gerotor.simulation.simulation import Simulation
from tests.realtime.plant import lag

STATES = ["x", "y", "u"]


@pytest.fixture(scope="module")
def plant() -> Simulation:
    return lag(method="rk4")


def wait(condition: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture
def linked(plant: Simulation) -> Iterator[tuple[PacedRun, UdpLink, UdpPeer]]:
    run = PacedRun(plant, plant.world(1e-3), rate=1000, record=STATES, inputs=["u"])
    link = UdpLink(run, states=STATES)
    peer = UdpPeer(("127.0.0.1", link.port), run.inputs, STATES)
    with run:
        yield run, link, peer
    link.close()
    peer.close()


def test_header_by_hand() -> None:
    """The bytes written out: what another language has to produce."""
    packet = Packet("command", 7, 0x1122334455667788, 1.5, (0.25, -2.0))
    expected = b"GERO" + bytes([1, 0, 1, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11])
    expected += bytes.fromhex("000000000000f83f") + bytes.fromhex("000000000000d03f") + bytes.fromhex("00000000000000c0")
    assert packet.to_bytes() == expected
    assert Packet.from_bytes(expected) == packet


def test_a_controller_outside_closes_the_loop(linked: Any) -> None:
    """Proportional control of x over UDP: x settles where u = 3 (0.8 - x) = x."""
    _, link, peer = linked
    peer.send({"u": 0.0})
    last = None
    end = time.monotonic() + 20
    while time.monotonic() < end:
        state = peer.receive()
        if state is None:
            peer.send({"u": 0.0})
            continue
        last = state[1]
        peer.send({"u": 3 * (0.8 - last["x"])})
        if abs(last["x"] - 0.6) < 1e-3 and state[0] > 0.3:
            break
    assert last is not None and last["x"] == pytest.approx(0.6, abs=2e-3)
    assert last["y"] == pytest.approx(2 * last["x"])
    assert link.counts["refused"] == 0 and link.counts["received"] > 10


def test_hostile_packets_never_reach_the_loop(linked: Any) -> None:
    run, link, peer = linked
    good = Packet("command", 5, layout_number(["u"]), 0.0, (1.0,)).to_bytes()
    bad = [
        b"", b"x", os.urandom(40), good[:-1], good + b"\0", b"GERX" + good[4:], good[:4] + b"\2\0" + good[6:],
        good[:12] + struct.pack("<I", 2**31) + good[16:], good[:16] + bytes(8) + good[24:], os.urandom(60000),
        good[:32] + struct.pack("<d", float("nan")), good[:32] + struct.pack("<d", float("inf")),
        Packet("state", 5, layout_number(["u"]), 0.0, (1.0,)).to_bytes(),
    ]
    for data in bad:
        peer.socket.sendto(data, peer.address)
    wait(lambda: link.counts["refused"] >= len(bad))
    assert run.world.w[0] == 0.0 and run.running
    peer.socket.sendto(good, peer.address)
    wait(lambda: run.world.w[0] == 1.0)
    peer.socket.sendto(Packet("command", 4, layout_number(["u"]), 0.0, (2.0,)).to_bytes(), peer.address)
    wait(lambda: link.counts["refused"] > len(bad))
    stranger = UdpPeer(peer.address, ["u"], STATES)
    stranger.send({"u": 2.0})
    wait(lambda: link.counts["refused"] > len(bad) + 1)
    assert run.world.w[0] == 1.0
    stranger.close()
    peer.socket.sendto(Packet("command", 6, layout_number(["u"]), 0.0, (9.0,)).to_bytes(), peer.address)
    wait(lambda: run.world.w[0] == 2.0)


def test_the_peer_dies_hold_then_safe_stop(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3), rate=1000, record=STATES, inputs=["u"])
    link = UdpLink(run, states=STATES)
    run.watch_inputs(hold_after=0.2, safe_after=0.2)
    peer = UdpPeer(("127.0.0.1", link.port), run.inputs, STATES)
    with run:
        peer.send({"u": 1.5})
        wait(lambda: run.world.w[0] == 1.5)
        peer.close()
        wait(lambda: run.input_state == "hold")
        assert run.world.w[0] == 1.5
        wait(lambda: run.input_state == "safe stop" and run.world.w[0] == 0.0)
        run.release()
        other = UdpPeer(("127.0.0.1", link.port), run.inputs, STATES)
        wait(lambda: run.input_state != "safe stop")
        time.sleep(0.25)
        other.send({"u": 1.0})
        wait(lambda: run.world.w[0] == 1.0)
        other.close()
    link.close()


def test_only_the_fixed_peer_is_heard(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3), rate=1000, record=STATES, inputs=["u"])
    chosen = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    chosen.bind(("127.0.0.1", 0))
    link = UdpLink(run, states=["x"], peer=chosen.getsockname())
    stranger = UdpPeer(("127.0.0.1", link.port), ["u"], ["x"])
    with run:
        stranger.send({"u": 1.0})
        wait(lambda: link.counts["refused"] == 1)
        chosen.sendto(Packet("command", 1, layout_number(["u"]), 0.0, (0.5,)).to_bytes(), ("127.0.0.1", link.port))
        wait(lambda: run.world.w[0] == 0.5)
    link.close()
    stranger.close()
    chosen.close()


def test_json(plant: Simulation) -> None:
    with PacedRun(plant, plant.world(1e-3), rate=1000, record=STATES, inputs=["u"]) as run:
        bridge = JsonBridge(run, STATES)
        peer = UdpPeer(("127.0.0.1", bridge.port), ["u"], STATES, binary=False)
        text = json.dumps({"gerotor": 1, "kind": "command", "values": {"u": "x"}}).encode()
        for bad in (b"{", b"[]", b"{}", text, b"[" * 100_000):
            peer.socket.sendto(bad[:60000], peer.address)
        peer.send({"u": 1.0})
        state = peer.receive(5)
        wait(lambda: run.world.w[0] == 1.0)
        assert state is not None and set(state[1]) == set(STATES)
        assert bridge.refused == 5 and bridge.received == 1
        bridge.close()
        peer.close()


@given(st.binary(max_size=200))
def test_any_bytes_are_a_packet_or_an_input_error(data: bytes) -> None:
    for read in (Packet.from_bytes, lambda d: Packet.from_json(d, ["u"])):
        with contextlib.suppress(InputError):
            read(data)


def test_refusals(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3), record=["x"], inputs=["u"])
    with pytest.raises(InputError, match="unknown recorded signal"):
        UdpLink(run, states=["pressure"])
    with pytest.raises(InputError, match="every"):
        UdpLink(run, every=0)
