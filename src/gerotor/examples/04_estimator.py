"""A Kalman filter in a paced loop finds the oil's stiffness and a leak of the four-bar while it runs.

Shows: tunable parameters, noisy gauges and an estimator as parts of one compiled loop, wall-clock pacing.
"""

import numpy as np

from gerotor import Entry, Layout, Simulation, Table, load_machine
from gerotor.estimation.estimator import estimator
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.realtime.paced_run import PacedRun
from gerotor.sensors.gauges import Gauge, gauges

STEP = 1e-3
STIFFNESS, LEAK = "oil.bulk_modulus", "crank.actuator.leakage.conductance"
PRESSURES = ("crank.pump_line.p", "crank.side_1.p", "crank.side_2.p")


def main() -> float:
    machine = load_machine("four-bar").varied({
        "tunable": [STIFFNESS, LEAK],
        "joints": [{"name": "crank", "actuator": {"leakage": {"conductance": "0 m^3/s/Pa", "source": "example"}}}],
    }).assemble()
    ode, start = machine.ode(), machine.balance(given={"crank.side_1.p": 1e6})
    readings = {"rod": Gauge(signal="crank.geometry.l", unit="m", std=1e-3)}
    readings |= {f"gauge {n}": Gauge(signal=n, unit="Pa", std=1e5, offset=1e5) for n in PRESSURES}
    unknowns = [
        Unknown(name="arm.q.crank", std=0.01), Unknown(name="arm.v.crank", std=0.01, noise=1e-3),
        *[Unknown(name=n, std=2e5, noise=300.0) for n in PRESSURES],
        Unknown(name=STIFFNESS, std=3e8, lower=1e8), Unknown(name=LEAK, std=1e-11),
    ]
    measured = [Measured(name=g.signal, std=g.std, offset=g.offset) for g in readings.values()]
    filter = Filter(ode, unknowns, measured, period=STEP)
    part = estimator(filter, sensors={g.signal: name for name, g in readings.items()}, start=start)
    wave = np.sin(0.4 * np.pi * np.arange(0, 3, STEP))[:, None]
    command = Table("command", STEP, wave, Layout((Entry("crank.u"),)))
    simulation = Simulation(ode, [gauges(readings, period=STEP), part], [command], method="trapezoid")

    world = simulation.world(STEP, start=start, parameters={LEAK: 1e-11})
    record = [f"estimator.{n}{end}" for n in (STIFFNESS, LEAK) for end in ("", ".std")]
    ledger = PacedRun(simulation, world, rate=1000.0, duration=3.0, inputs=[], record=record).start().join()
    values = world.w[simulation.program.held.indices(record)]
    print(f"stiffness {values[0] / 1e9:.2f} +- {values[1] / 1e9:.2f} GPa, leak {values[2]:.2e} +- {values[3]:.1e} m^3/s/Pa "
          f"after {ledger.ticks} ticks of 1 ms")
    if abs(values[2] - 1e-11) > 4 * values[3]:
        raise SystemExit("the leak was not found")
    return float(values[2])


if __name__ == "__main__":
    main()
