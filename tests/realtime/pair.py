"""A spring as leader and a mass as follower, and a fake peer that sends whatever it likes."""

import socket
import struct

import numpy as np

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, signals
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.realtime.exchange import Exchange, layout_number
from gerotor.simulation.simulation import Simulation

HOST, STEP = "127.0.0.1", 1e-3
MASS, K, C = 100.0, 4e4, 200.0
READINGS, COMMANDS = ["body.x", "body.v"], ["F"]
HEADER = struct.Struct("<4sHHIIQd")


class Mass(Component):
    """A body on a line."""

    states = signals(x="m", v="m/s")
    inputs = signals(F="N")

    def check(self, path):
        pass

    def __post_init__(self):
        pass

    def derivative(self, x, u):
        return Signals(x=x.v, v=u.F / MASS)


class Clock(Mass):
    """Time."""

    states = signals(t="s")
    inputs = {}

    def derivative(self, x, u):
        return Signals(t=1)


def spring(period, reads=READINGS):
    return Sampled("spring", period, reads=tuple(reads), holds=Layout((Entry("F", "N"),)),
                   update=lambda d, r, t: (d, -K * r[0] - C * r[1]), states=Layout())


def mass(parts=()):
    system = System("mass")
    system.add("body", Mass()).connect(F=system.input("F", "N"))
    return Simulation(system.ode(), parts, method="rk4")


def shell(period):
    system = System("spring")
    system.add("clock", Clock())
    for name in READINGS:
        system.input(name, "m")
    return Simulation(system.ode(), [spring(period)], method="rk4")


def free_ports():
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for s in made:
        s.bind((HOST, 0))
    ports = [s.getsockname()[1] for s in made]
    for s in made:
        s.close()
    return ports


def leader(ports, duration, period, **more):
    simulation = shell(period)
    return Exchange(simulation, simulation.world(STEP), leads=True, local=(HOST, ports[0]), peer=(HOST, ports[1]),
                    takes=READINGS, gives=COMMANDS, duration=duration, period=period, **more)


def follower(ports, duration, period, **more):
    simulation = mass()
    world = simulation.world(STEP, start={"body.x": 0.01})
    return Exchange(simulation, world, leads=False, local=(HOST, ports[1]), peer=(HOST, ports[0]),
                    takes=COMMANDS, gives=READINGS, duration=duration, period=period, **more)


def packet(values, names, sequence, kind=3):
    """A well-formed packet."""
    head = HEADER.pack(b"GERO", 1, kind, sequence, len(values), layout_number(names), 0.0)
    return head + np.asarray(values, dtype="<f8").tobytes()


def bound(port, peer):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((HOST, port))
    made.connect((HOST, peer))
    made.settimeout(5)
    return made


def single(duration, period):
    """What one process computes."""
    simulation = mass([spring(period)])
    return simulation.run(duration, STEP, start={"body.x": 0.01}, record=[*READINGS, "F"], record_period=period)


