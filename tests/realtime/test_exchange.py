"""Two sides over UDP: equal to one process, and every way a peer can misbehave."""

import random
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gerotor.errors import DeviceError, GerotorError
from tests.realtime.pair import COMMANDS, HEADER, READINGS, bound, follower, free_ports, leader, packet, single

PERIOD = 5e-3


def together(duration, period, **more):
    ports = free_ports()
    sides = [leader(ports, duration, period, **more), follower(ports, duration, period, **more)]
    found = [None, None]
    threads = [threading.Thread(target=lambda k=k: found.__setitem__(k, sides[k].run())) for k in (0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(30)
    return found


def test_two_sides_compute_what_one_process_computes():
    for _ in range(5):  # on a busy machine a packet may be late; then the run is another one
        lead, follow = together(0.4, 10e-3)
        if lead.traffic.held == follow.traffic.held == 0:
            break
    assert lead.traffic.held == 0
    alone = single(0.4, 10e-3)
    np.testing.assert_array_equal(lead.recording["F"], alone["F"][:40])
    np.testing.assert_array_equal(follow.recording["body.x"][:40], alone["body.x"][1:41])
    assert (lead.state, follow.state) in {("ended", "ended"), ("ended", "peer stopped")}
    assert lead.ticks == 40
    assert lead.ledger.ticks == 40


def test_silent_leader_ends_in_a_safe_stop_with_the_recording_kept():
    ports = free_ports()
    side = follower(ports, 10.0, PERIOD, limit=8, settle=0.1, freeze={"F": "body.x"})
    with bound(ports[0], ports[1]) as peer:
        box = []
        thread = threading.Thread(target=lambda: box.append(side.run()))
        thread.start()
        for k in range(10):
            peer.recv(2000)
            peer.send(packet([5.0], COMMANDS, k))
        thread.join(20)
    outcome = box[0]
    assert outcome.state == "peer lost"
    assert outcome.traffic.longest_silence == 9
    assert outcome.traffic.held >= 9
    assert len(outcome.recording) >= 10 + 8 + 20
    assert abs(side.world.w[0]) < 1  # frozen: the command is the position, no longer 5


def test_silent_follower_stops_the_leader():
    ports = free_ports()
    side = leader(ports, 10.0, PERIOD, limit=6)
    box = []
    with bound(ports[1], ports[0]) as peer:
        thread = threading.Thread(target=lambda: box.append(side.run()))
        thread.start()
        peer.send(packet([0.01, 0.0], READINGS, 0))
        for k in range(10):
            peer.recv(2000)
            peer.send(packet([0.01, 0.0], READINGS, k + 1))
        thread.join(20)
        kinds = []
        peer.settimeout(0.2)
        while True:
            try:
                kinds.append(HEADER.unpack(peer.recv(2000)[:HEADER.size])[2])
            except TimeoutError:
                break
    assert box[0].state == "peer lost"
    assert kinds.count(4) == 3  # it said goodbye
    assert len(box[0].recording) == box[0].ticks >= 10


def test_nobody_there():
    ports = free_ports()
    assert leader(ports, 1.0, PERIOD, patience=0.05).run().state == "no peer"
    assert follower(ports, 1.0, PERIOD, patience=0.05).run().state == "no peer"


def answered_twice_and_late():
    """A leader whose peer answers every tick, one of them twice and an old one again, both with a content that shows if used."""
    ports = free_ports()
    side = leader(ports, 20 * PERIOD, PERIOD, limit=1000)
    box = []
    with bound(ports[1], ports[0]) as peer:
        thread = threading.Thread(target=lambda: box.append(side.run()))
        thread.start()
        peer.send(packet([0.01, 0.0], READINGS, 0))
        with suppress(ConnectionRefusedError):  # the leader does not wait: on a busy machine it may be through before its peer
            for k in range(19):
                peer.recv(2000)
                peer.send(packet([0.01, 0.0], READINGS, k + 1))
                if k == 9:
                    peer.send(packet([99.0, 0.0], READINGS, k + 1))
                if k == 12:
                    peer.send(packet([99.0, 0.0], READINGS, 3))
        thread.join(20)
        return box[0] if k == 18 else None


def test_duplicates_and_latecomers_are_counted_and_dropped():
    for _ in range(10):  # on a busy machine the duplicate may itself be late
        outcome = answered_twice_and_late()
        if outcome is None:
            continue
        assert np.abs(outcome.recording["F"]).max() < 500
        assert outcome.traffic.duplicated + outcome.traffic.late >= 2
        if outcome.traffic.duplicated == 1:
            break
    assert outcome.traffic.duplicated == 1
    assert outcome.traffic.late >= 1


mutation = st.tuples(st.integers(0, 47), st.integers(0, 255))
damaged_packet = st.one_of(st.binary(max_size=64), st.lists(mutation, min_size=1, max_size=4))


@settings(max_examples=12, deadline=None)
@given(st.lists(damaged_packet, min_size=1, max_size=25), st.booleans())
def test_fuzzed_packets_never_crash_either_side(junk, leads):
    ports = free_ports()
    names = READINGS if leads else COMMANDS
    make = leader if leads else follower
    side = make(ports, 12 * PERIOD, PERIOD, limit=5, settle=0.01, patience=0.3)
    box = []
    with bound(ports[1 if leads else 0], ports[0 if leads else 1]) as peer:
        thread = threading.Thread(target=lambda: box.append(side.run()))
        thread.start()
        good = packet([0.01] * len(names), names, 0)
        peer.send(good)
        for item in junk:
            damaged = bytearray(good)
            if isinstance(item, bytes):
                damaged = item
            else:
                for position, value in item:
                    damaged[position % len(damaged)] = value
            try:
                peer.send(bytes(damaged))
            except OSError:
                break  # the other side has gone
        thread.join(20)
    assert box[0].state in ("ended", "peer stopped", "peer lost", "no peer", "out of range")
    assert np.isfinite(box[0].recording.values).all()


@pytest.mark.parametrize("damage", ["magic", "version", "kind", "count", "layout", "nan", "short", "long", "far"])
def test_each_kind_of_damage_is_refused(damage):
    ports = free_ports()
    side = leader(ports, 3 * PERIOD, PERIOD, patience=2.0, limit=1000)
    good = packet([0.01, 0.0], READINGS, 0)
    fields = list(HEADER.unpack(good[:HEADER.size]))
    body = good[HEADER.size:]
    index = {"magic": 0, "version": 1, "kind": 2, "far": 3, "count": 4, "layout": 5}
    if damage in index:
        fields[index[damage]] = b"GORE" if damage == "magic" else 4_000_000 if damage == "far" else 7
    body = {"nan": np.array([np.nan, 0.0]).tobytes(), "short": body[:-1], "long": body + b"x"}.get(damage, body)
    box = []
    with bound(ports[1], ports[0]) as peer:
        thread = threading.Thread(target=lambda: box.append(side.run()))
        thread.start()
        peer.send(HEADER.pack(*fields) + body)
        time.sleep(0.02)
        peer.send(good)
        thread.join(20)
    assert box[0].state == "ended"
    assert box[0].traffic.malformed == 1


def through_a_bad_relay():
    """Both sides, with a relay between them that drops a tenth, doubles a tenth and damages a tenth of all packets."""
    ports, inner = free_ports(), free_ports()
    sides = [leader((ports[0], inner[0]), 0.5, 2e-3), follower((inner[1], ports[1]), 0.5, 2e-3)]
    found, stop = [None, None], threading.Event()
    chance = random.Random(1)

    def relay(here, there):
        while not stop.is_set():
            try:
                data = here.recv(2000)
                fate = chance.random()
                if fate < 0.1:
                    continue
                if fate < 0.2:
                    there.send(data)
                there.send(data[:-3] if fate > 0.9 else data)
            except (TimeoutError, OSError):
                continue

    with bound(inner[0], ports[0]) as a, bound(inner[1], ports[1]) as b:
        a.settimeout(0.05)
        b.settimeout(0.05)
        threads = [threading.Thread(target=relay, args=pair) for pair in ((a, b), (b, a))]
        threads += [threading.Thread(target=lambda k=k: found.__setitem__(k, sides[k].run())) for k in (0, 1)]
        for t in threads:
            t.start()
        for t in threads[2:]:
            t.join(30)
        stop.set()
        for t in threads[:2]:
            t.join(5)
    return found


def test_losses_on_the_way_do_not_upset_a_stable_loop():
    for _ in range(5):  # on a busy machine far more packets are late than the relay drops; then the loop is another one
        lead, follow = through_a_bad_relay()
        if max(lead.traffic.held, follow.traffic.held) < 0.4 * lead.ticks:
            break
    assert lead.ticks > 150
    for side in (lead, follow):
        assert side.traffic.malformed > 5
        assert side.traffic.duplicated > 5
        assert side.traffic.held > 5
    assert np.abs(follow.recording["body.x"][:follow.ticks]).max() < 0.02


def test_a_taken_port_is_named():
    ports = free_ports()
    with bound(ports[0], ports[1]), pytest.raises(DeviceError, match=str(ports[0])):
        leader(ports, 1.0, PERIOD)
    with pytest.raises(GerotorError):
        leader([70000, 1], 1.0, PERIOD)
