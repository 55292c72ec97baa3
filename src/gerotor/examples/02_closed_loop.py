"""A sampled PID positions the cylinder of example 1.

Shows: sampled parts compiled into the same run, set-points from a table.
"""

import importlib

import numpy as np

from gerotor import Layout, Simulation, Table
from gerotor.control.pid import pid
from gerotor.control.trapezoid import trapezoid

axis = importlib.import_module("01_cylinder").cylinder_axis()


def main() -> float:
    profile = trapezoid(0.3, speed=0.1, acceleration=0.2)
    period = 0.005
    rows = 0.05 + profile.position(np.arange(0, 6, period))[:, None]
    set_point = Table("set_point", period, rows, Layout.of(r="m"))
    controller = pid(
        "pid", period=period, measured=("slide.q",), reference=("r",), command=("i",), Kp=0.4, Ki=1.0, Kd=0.0,
        limit=0.02, unit="A", anti_windup="conditional",
    )
    run = Simulation(axis.ode(), [controller], [set_point]).run(
        6.0, step=0.005, start={"slide.q": 0.05, "head.p": 40e5, "rod.p": 80e5}, record=["slide.q", "r", "i"], record_period=0.01
    )
    error = abs(run["slide.q"][-1] - 0.35)
    print(f"end position error {error * 1e3:.3f} mm, largest on the way {np.abs(run['slide.q'] - run['r']).max() * 1e3:.1f} mm")
    if error > 1e-3:
        raise SystemExit("the slide did not reach its target")
    return float(error)


if __name__ == "__main__":
    main()
