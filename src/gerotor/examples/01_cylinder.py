"""A valve moves a mass with a double-acting cylinder.

Shows: components, connecting them, a compiled run, a number checked by hand.
"""

from gerotor import Simulation, System
from gerotor.hydraulics import Cylinder, Oil, ServoValve, VariableChamber
from gerotor.mechanics.inertia import Inertia


def cylinder_axis() -> System:
    """63/45 mm cylinder, 0.5 m stroke, 500 kg slide, 140 bar supply."""
    system = System("axis")
    oil = Oil(bulk_modulus=1e9, density=870)
    valve = system.add("valve", ServoValve(
        rated_flow=6.7e-4, rated_drop=70e5, rated_current=0.02, natural_frequency=500, damping=0.8,
    ))
    cylinder = system.add("cylinder", Cylinder(
        piston_area=3.117e-3, rod_side_area=1.527e-3, stroke=0.5, retracted_length=0.8,
    ))
    head, rod = (system.add(name, VariableChamber(dead_volume=1e-4, oil=oil)) for name in ("head", "rod"))
    slide = system.add("slide", Inertia(inertia=500))
    valve.connect(i=system.input("i", "A", lower=-0.02, upper=0.02), p1=head.p, p2=rod.p, ps=140e5, pt=0)
    cylinder.connect(p1=head.p, p2=rod.p, l=0.8 + slide.q, v=slide.v)
    head.connect(Q=valve.Q1 - cylinder.Q1, V=cylinder.V1)
    rod.connect(Q=valve.Q2 - cylinder.Q2, V=cylinder.V2)
    slide.connect(tau=cylinder.F - 2000 * slide.v)
    return system


def main() -> float:
    simulation = Simulation(cylinder_axis().ode())
    start = {"slide.q": 0.05, "head.p": 40e5, "rod.p": 80e5}
    run = simulation.run(1.0, step=1e-3, start=start, inputs={"i": 0.006}, record=["slide.v", "head.p", "rod.p"])
    speed = run["slide.v"][-1]
    print(f"speed {speed:.4f} m/s, head {run['head.p'][-1] / 1e5:.1f} bar, {run.facts['real_time_factor']:,.0f} times real time")
    # by hand: K = Qr / sqrt(35 bar); at 0.3 spool  A1 v = 0.3 K sqrt(ps - p1),  A2 v = 0.3 K sqrt(p2),  A1 p1 - A2 p2 = 2000 v
    gain = 0.3 * 6.7e-4 / 35e5**0.5
    by_hand = 0.1
    for _ in range(100):
        p2 = (1.527e-3 * by_hand / gain) ** 2
        p1 = (1.527e-3 * p2 + 2000 * by_hand) / 3.117e-3
        by_hand = 0.5 * (by_hand + gain * (140e5 - p1) ** 0.5 / 3.117e-3)
    if abs(speed / by_hand - 1) > 1e-3:
        raise SystemExit(f"expected {by_hand:.4f} m/s")
    return float(speed)


if __name__ == "__main__":
    main()
