"""How air in the oil lowers the natural frequency of a clamped axis: a sweep without rebuilding.

Shows: tunable parameters stay symbols in the compiled kernel; eigenvalues from the exact Jacobian.
"""

import math

import casadi as ca
import numpy as np

from gerotor import Simulation, System
from gerotor.hydraulics import Chamber, HydraulicMotor, Oil
from gerotor.mechanics.inertia import Inertia


def clamped_motor() -> System:
    """Two closed lines hold a motor with a flywheel: the oil is the spring."""
    system = System("clamped")
    oil = Oil(bulk_modulus=system.tunable("bulk_modulus", "Pa", 1e9), density=870)
    motor = system.add("motor", HydraulicMotor(displacement=12.73e-6, efficiency=1.0))
    a, b = (system.add(name, Chamber(volume=3e-4, oil=oil)) for name in ("a", "b"))
    wheel = system.add("wheel", Inertia(inertia=0.05))
    motor.connect(p1=a.p, p2=b.p, w=wheel.v)
    a.connect(Q=-motor.Q1)
    b.connect(Q=-motor.Q2)
    wheel.connect(tau=motor.tau)
    return system


def main() -> float:
    ode = clamped_motor().ode()
    simulation = Simulation(ode, method="rodas4")
    matrix = ode.function("A", ca.jacobian(ode.rate, ode.x))
    worst = 0.0
    for modulus in (0.4e9, 0.7e9, 1.0e9, 1.4e9):
        exact = math.sqrt(2 * modulus / 3e-4 / 0.05) * 12.73e-6 / (2 * math.pi)
        eigen = np.abs(np.linalg.eigvals(np.array(matrix([0] * 4, [], [modulus], 0)))).max() / (2 * math.pi)
        run = simulation.run(1.0, 2e-4, start={"wheel.v": 1.0}, parameters={"bulk_modulus": modulus}, record_period=2e-4)
        v = run["wheel.v"]
        crossings = run.time[1:][(v[:-1] < 0) & (v[1:] >= 0)]
        rung = (len(crossings) - 1) / (crossings[-1] - crossings[0])
        print(f"{modulus / 1e9:.1f} GPa: {exact:.3f} Hz by hand, {eigen:.3f} from the Jacobian, {rung:.3f} from the run")
        worst = max(worst, abs(rung / exact - 1), abs(eigen / exact - 1))
    if worst > 5e-3:
        raise SystemExit("frequencies differ by more than 0.5 %")
    return worst


if __name__ == "__main__":
    main()
