"""What no operator should do: the run stays finite, what boils is reported, nothing recorded is lost."""

import numpy as np
import pytest

from gerotor.control.take_up import take_up
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import StepError
from gerotor.simulation.simulation import Simulation
from tests.machines.crane import JOINTS, LEVERS, POSE, PRESSURES, assembled, gauges, table

VAPOUR = -1e5


def commands(name, t):
    one = np.ones((len(t), 3))
    return {
        "slammed shut": np.where((t > 0.2) & (t < 1.5), 1.0, 0.0)[:, None] * [8, 10, 10],
        "slammed shut going down": np.where((t > 0.2) & (t < 1.5), 1.0, 0.0)[:, None] * [-8, -10, -10],
        "10 Hz": np.where((20 * t).astype(int) % 2 == 0, 10.0, -10.0)[:, None] * one,
        "supply lost": 3 * one,
        "into the stops": 10 * one,
        "into the other stops": -10 * one,
    }[name]


def abused(lines, name, duration):
    t = np.arange(0, duration, 0.01)
    pressure = np.where(t < 1.5, 160e5, 0.0 if name == "supply lost" else 160e5)
    supply = Table("supply", 0.01, pressure[:, None], Layout((Entry("supply.pressure", "Pa"),)))
    a = assembled(lines)
    sim = Simulation(a.ode(), a.loop([gauges()], 0.01, POSE), [table(commands(name, t), LEVERS), supply],
                     "sdirk2" if lines == "full" else "extrapolated")
    step = 1e-3 if lines == "full" else 5e-3
    return a, sim.run(duration, step, start=a.rest(POSE), record_period=0.01, record=[*a.ode().states.names, *PRESSURES])


@pytest.mark.parametrize("lines", ["full", "reduced"])
@pytest.mark.parametrize("name", ["slammed shut", "slammed shut going down", "10 Hz", "supply lost"])
def test_run_stays_finite_and_boiling_is_reported(lines, name):
    _, rec = abused(lines, name, 3.0)
    assert len(rec) == 301 and np.isfinite(rec.values).all()
    assert all(np.abs(rec[p]).max() < 450e5 for p in PRESSURES)
    boiled = {p for p in PRESSURES if rec[p].min() < VAPOUR}
    assert boiled == {w.split(" ")[0] for w in rec.facts["warnings"]} & set(PRESSURES)
    if lines == "full":
        assert min(rec[p].min() for p in PRESSURES) > -40e5


@pytest.mark.parametrize("lines", ["full", "reduced"])
@pytest.mark.parametrize(("name", "side"), [("into the stops", 1), ("into the other stops", -1)])
def test_a_joint_driven_into_its_stop_rests_on_the_pad(lines, name, side):
    a, rec = abused(lines, name, 8.0)
    for joint in a.machine.tree.moving:
        up = side if joint.name != "stick" else -side
        end = joint.upper if up > 0 else joint.lower
        depth = up * (rec[f"arm.q.{joint.name}"] - end)
        assert 0 < depth[-1] < 0.06 and depth.max() < 0.1
        assert abs(rec[f"arm.v.{joint.name}"][-1]) < 1e-3


def test_a_run_that_has_to_stop_keeps_what_it_recorded():
    a = assembled()
    t = np.arange(0, 3, 0.01)
    sim = Simulation(a.ode(), [], [table(commands("slammed shut", t), LEVERS)], "rk4")
    with pytest.raises(StepError, match="stopped at") as stop:
        sim.run(3, 1e-2, start=a.rest(POSE), record_period=0.01)
    assert len(stop.value.recording) > 1 and np.isfinite(stop.value.recording.values).all()


@pytest.mark.parametrize("lines", ["full", "reduced"])
def test_a_log_is_taken_up_and_dropped_without_a_jump(lines):
    """400 kg on and off: no step in position or pressure, the full weight in between, and the old state after it."""
    a = assembled(lines)
    grip = Table("grip", 0.01, np.where(np.arange(1001) % 1000 // 250 == 1, 1.0, 0.0)[:, None], Layout.of(grip="1"))
    grapple = take_up("grapple", period=0.01, command="grip", mass_signal="log.mass", mass=400.0, time=0.5)
    parts = a.loop([grapple, gauges()], 0.01, POSE)
    sim = Simulation(a.ode(), parts, [table(np.zeros((1, 3)), LEVERS), grip], "extrapolated")
    names = [f"arm.q.{n}" for n in JOINTS]
    rec = sim.run(10.0, 1e-3, start=a.rest(POSE), record=[*names, *PRESSURES, "log.mass"], record_period=0.01)
    assert rec["log.mass"].max() == 400 and rec["log.mass"][-1] == 0
    for n in names:
        assert np.abs(np.diff(rec[n])).max() < 2e-4 and abs(rec[n][-1] - rec[n][0]) < 1e-5
    held = rec["boom.p1"][330:490].mean() - rec["boom.p1"][0]  # the full model still rings on its oil springs
    reach = 9.81 * 400 * (3.8 * np.cos(0.35) + 2.8 * np.cos(0.35 - 1.2))
    A1, A2, J = np.pi / 4 * 0.125**2, np.pi / 4 * (0.125**2 - 0.07**2), 0.572
    assert held == pytest.approx(reach / J * A1 / (A1**2 + A2**2), rel=0.02)
    assert np.abs(np.diff(rec["boom.p1"])).max() < 0.1 * held
