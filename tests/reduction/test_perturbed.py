"""The perturbation run beside the non-linear one: zero where it must be, second order, micrometres."""

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signal, Signals, signals
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import StepError, WiringError
from gerotor.mechanics.multibody import Multibody
from gerotor.reduction.perturbation import Perturbation, perturb
from gerotor.reduction.perturbed import perturbed
from gerotor.reduction.spot_check import spot_check
from gerotor.simulation.simulation import Simulation
from tests.reduction import rx90

STEP, UNTIL = 0.25e-3, 5.55
TIP = ["arm.tip.x", "arm.tip.y", "arm.tip.z"]
DQ = [f"arm.dq.j{k}" for k in range(1, 7)]
MOTION = rx90.motion()
STATIC = np.array([0, -93.3836, -61.2624, -0.5677, 0.4911, 0])


@pytest.fixture(scope="module")
def record() -> Perturbation:
    return perturb(rx90.system(), ["arm", "spring"], MOTION, points=400, until=UNTIL)


def start() -> dict[str, float]:
    return {f"arm.q.j{k + 1}": q for k, q in enumerate(MOTION.at([0.0])[0][0])}


def run_perturbed(record: Perturbation, signals=TIP, hold=1e-3, **options):
    made = perturbed(rx90.system(), record, hold=hold, **options)
    loops, tables = rx90.loops(MOTION, STATIC)
    sim = Simulation(made.system.ode(), [*made.coupling, *loops], [*tables, *made.tables])
    return sim.run(UNTIL, STEP, record=signals, record_period=1e-3)


@pytest.fixture(scope="module")
def nonlinear():
    loops, tables = rx90.loops(MOTION, STATIC)
    return Simulation(rx90.system().ode(), loops, tables).run(UNTIL, STEP, start=start(), record=TIP, record_period=1e-3)


def test_within_micrometres_of_the_nonlinear_run(record: Perturbation, nonlinear) -> None:
    """Asked for: 10 um everywhere, 2 um for 95 %; split cubics stay below 0.3 um."""
    error = 1e6 * np.linalg.norm(run_perturbed(record).values[:, 1:] - nonlinear.values[:, 1:], axis=1)
    assert error.max() < 0.3
    assert np.quantile(error, 0.95) < 0.1


def test_implicit_and_held_coupling_agree(record: Perturbation, nonlinear) -> None:
    held, implicit = (run_perturbed(record, held_coupling=h).values[:, 1:] for h in (True, False))
    assert 1e6 * np.abs(held - implicit).max() < 0.05


def test_one_cubic_over_the_corners_rings(nonlinear) -> None:
    """The published way, one cubic over the whole motion, breaks the 10 um at the corners of the trapezoid."""
    whole = perturb(rx90.system(), ["arm", "spring"], MOTION, points=400, until=UNTIL, split=False)
    error = 1e6 * np.abs(run_perturbed(whole).values[:, 1:] - nonlinear.values[:, 1:])
    assert 20 < error.max() < 60
    assert np.quantile(error, 0.9) < 10


def test_stored_run_is_the_same_to_the_last_bit(record: Perturbation, tmp_path) -> None:
    again = Perturbation.load(record.save(tmp_path / "r.npz"))
    assert np.array_equal(run_perturbed(record).values, run_perturbed(again).values)


class Feed(Component):
    """Torques that run straight between samples, as the nominal ones of a perturbation do."""

    inputs = signals(value=Signal("N*m", names=tuple("123456")), rate=Signal("N*m/s", names=tuple("123456")), s="s")
    outputs = signals(tau=Signal("N*m", names=tuple("123456")))

    def check(self, path: str) -> None:
        pass

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(tau=u.value + u.rate * u.s)


def bare_system() -> System:
    """The arm without friction and control, torques fed in at the joints."""
    system = System("bare")
    arm = system.add("arm", Multibody(tree=rx90.tree(), positions=("tip",)))
    value, rate = (ca.vertcat(*[system.input(f"{key}.{k}", "N*m") for k in range(6)]) for key in ("value", "rate"))
    feed = system.add("feed", Feed()).connect(value=value, rate=rate, s=system.time - system.input("origin", "s"))
    arm.connect(tau=feed.tau)
    return system


def test_stays_at_zero_without_friction_and_with_exact_feed_forward() -> None:
    record = perturb(bare_system(), ["arm"], MOTION, points=400)
    made = perturbed(bare_system(), record, hold=1e-3)
    names = [f"arm.nominal.tau_{k}{end}" for end in ("", "_rate") for k in range(6)]
    columns = made.tables[0].holds.indices([*names, "arm.nominal.origin"])
    holds = Layout((*(Entry(f"{key}.{k}") for key in ("value", "rate") for k in range(6)), Entry("origin")))
    feed = Table("feed", 1e-3, made.tables[0].rows[:, columns], holds)
    run = Simulation(made.system.ode(), made.coupling, [*made.tables, feed])
    assert np.abs(run.run(MOTION.duration, STEP, record=DQ).values[:, 1:]).max() < 1e-12


def test_error_falls_with_the_square_of_the_offset(record: Perturbation) -> None:
    k = 150
    direction = np.array([[1.0, -0.7, 0.4, 0.9, -1.1, 0.5]])
    at = record.times[k : k + 1]
    worst = [spot_check(rx90.system(), record, at, s * direction, s * direction).worst for s in (4e-3, 2e-3, 1e-3)]
    assert worst[0] / worst[1] == pytest.approx(4, rel=0.05)
    assert worst[1] / worst[2] == pytest.approx(4, rel=0.05)


def test_spot_checks_of_a_run_are_small(record: Perturbation) -> None:
    run = run_perturbed(record, DQ + [d.replace("dq", "dv") for d in DQ])
    rows = run.values[::500]
    check = spot_check(rx90.system(), record, rows[:, 0], rows[:, 1:7], rows[:, 7:])
    assert check.worst < 0.05
    assert np.abs(check.acceleration).max() < 0.05


def test_leaving_the_range_stops_with_a_clear_error(record: Perturbation) -> None:
    with pytest.raises(StepError, match=r"arm\.dq\.j\d = .* rad left its range -0\.0001 to 0\.0001 rad"):
        run_perturbed(record, within=1e-4)


def test_reading_what_was_linearised_away_is_told(record: Perturbation) -> None:
    system = rx90.system()
    extra = system.add("copy", type(system.parts["spring"].component)(
        fixed_anchor=0.25, moving_anchor=0.08, stiffness=1.0, pretension=0.0))
    extra.connect(q=system.parts["spring"].e)
    with pytest.raises(WiringError, match=r"copy\.q reads a signal of arm, spring that is linearised away"):
        perturbed(system, record, hold=1e-3)
