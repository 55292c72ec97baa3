import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.contact.kerf import kerf
from gerotor.contact.pipe_cut import PipeCut
from gerotor.control.line import line
from gerotor.control.pid import pid
from gerotor.control.reference import rows, table
from gerotor.core.component import Component, Signal, Signals, param, signals
from gerotor.core.evaluate import function
from gerotor.core.layout import Layout
from gerotor.errors import ParameterError
from gerotor.simulation.simulation import Simulation

START = np.array([2.570, -1.445])


def follow(cut: PipeCut, c: np.ndarray, columns: int = 64, band: float = 5e-5) -> dict[str, np.ndarray]:
    """Held signals and force for saw centres (2 x n), one a sample."""
    part = kerf("kerf", cut, period=0.01, centre=("y", "z"), band=band, columns=columns)
    d, r, t = ca.SX.sym("d", columns), ca.SX.sym("r", 2), ca.SX.sym("t")
    scan = ca.Function("update", [d, r, t], list(part.update(d, r, t))).mapaccum(c.shape[1])
    times = np.arange(c.shape[1]) * part.period
    _, held = scan(part.states.array("start"), c, times[None])
    out = {e.name.split(".")[1]: held.full()[k] for k, e in enumerate(part.holds)}
    n = c.shape[1]
    F = function(cut).map(n)(c=c, t=times[None], gate=out["gate"][None])
    return {**out, "F": F["F"].full(), "teeth": F["n"].full()[0]}


def path(*travel: float, step: float = 2e-4, angle: float = 0.0) -> np.ndarray:
    """Saw centres along the feed through the given distances of travel."""
    legs = [np.linspace(a, b, max(2, round(abs(b - a) / step))) for a, b in pairwise(travel)]
    s = np.concatenate(legs)
    return START[:, None] + np.array([math.cos(angle), math.sin(angle)])[:, None] * s


def lens(R: float, r: float, d: float) -> float:
    """Area common to two circles."""
    if d >= R + r:
        return 0.0
    if d <= R - r:
        return math.pi * r * r
    a, b = (d * d + r * r - R * R) / (2 * d * r), (d * d + R * R - r * r) / (2 * d * R)
    root = math.sqrt((-d + r + R) * (d + r - R) * (d - r + R) * (d + r + R))
    return r * r * math.acos(a) + R * R * math.acos(b) - root / 2


def cut_area(cut: PipeCut, travel: float) -> float:
    d = cut.pipe_y - START[0] - travel
    return lens(cut.saw_radius, cut.outer_radius, d) - lens(cut.saw_radius, cut.inner_radius, d)


@pytest.mark.parametrize("columns", [16, 64])
def test_a_whole_cut_removes_the_wall(make_cut, columns: int) -> None:
    cut = make_cut()
    out = follow(cut, path(0, 0.08), columns)
    assert out["cut_area"][-1] == pytest.approx(math.pi * (0.03**2 - 0.0245**2), rel=1e-12)
    assert out["fraction"][-1] == pytest.approx(1, rel=1e-12)
    assert out["cut_depth"][-1] == pytest.approx(0.06)
    assert (np.diff(out["cut_area"]) >= -1e-18).all()
    assert out["cut_area"][0] == 0


def test_the_area_on_the_way_converges_to_the_lens(make_cut) -> None:
    """Removed area against the area common to saw and wall, worst over the cut."""
    cut, travel = make_cut(), np.linspace(0, 0.08, 401)
    exact = np.array([cut_area(cut, s) for s in travel])
    c = START[:, None] + np.array([[1.0], [0.0]]) * travel
    worst = [np.abs(follow(cut, c, m)["cut_area"] - exact).max() / exact[-1] for m in (16, 64, 256)]
    assert worst[1] < 0.01
    assert worst[1] < 0.4 * worst[0]
    assert worst[2] < 0.4 * worst[1]


def test_first_pass_is_not_hindered_and_the_second_meets_nothing(make_cut) -> None:
    cut = make_cut()
    c = path(0, 0.08, 0, 0.08)
    out, n = follow(cut, c), c.shape[1] // 3
    free = follow(cut, c[:, :n])
    contact = function(cut).map(n)(c=c[:, :n], t=0.01 * np.arange(n)[None], gate=np.ones((1, n)))["F"].full()
    np.testing.assert_allclose(free["F"], contact, atol=1e-12)
    assert np.abs(contact).max() > 100
    assert not out["F"][:, n + 2:].any()
    assert not out["teeth"][n + 2:].any()


def test_a_cut_taken_up_again_meets_material_at_the_front(make_cut) -> None:
    """To 40 mm, back to 5 mm, forward to the end: no force until within the band of the front."""
    cut = make_cut(averaged=True)
    c = path(0, 0.04, 0.005, 0.08, step=2e-5)
    out, travel = follow(cut, c), c[0] - START[0]
    force = np.hypot(*out["F"])
    there, back = slice(0, 2000), slice(2000, 3750)
    again = np.arange(len(travel)) >= 3750
    assert force[there].max() > 100
    assert force[back][travel[back] < 0.0399].max() == 0
    assert force[again & (travel < 0.04 - 6e-5)].max() == 0
    assert force[again & (travel > 0.0402) & (travel < 0.0695)].min() > 10
    assert out["fraction"][-1] == pytest.approx(1)


def test_vibration_within_the_band_hardly_matters(make_cut) -> None:
    cut = make_cut()
    c = path(0, 0.08, step=2e-5)
    shaken = c + np.array([[1.5e-6], [0.0]]) * np.sin(np.arange(c.shape[1]) * 2.1)
    assert follow(cut, shaken)["gate"][10:].min() > 0.99


def test_any_feed_direction(make_cut) -> None:
    angle = 2.2
    pipe = START + 0.19 * np.array([math.cos(angle), math.sin(angle)])
    cut = make_cut(feed_angle=angle, pipe_y=pipe[0], pipe_z=pipe[1])
    straight, turned = follow(make_cut(), path(0, 0.05)), follow(cut, path(0, 0.05, angle=angle))
    for key in ("cut_area", "cut_depth", "fraction", "gate"):
        np.testing.assert_allclose(turned[key], straight[key], rtol=0, atol=1e-12)


def test_a_saw_that_passes_beside_cuts_a_notch(make_cut) -> None:
    cut = make_cut(pipe_z=START[1] + 0.15, inner_radius=0.0)
    fraction = follow(cut, path(0, 0.45, step=1e-4))["fraction"]
    assert fraction[-1] == pytest.approx(0.5, abs=0.01)  # half of the bar lies within the saw's reach


@pytest.mark.parametrize("change", [{"band": 0.0}, {"columns": 2}, {"period": 0.0}])
def test_bad_numbers_are_refused(make_cut, change: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="kerf"):
        kerf("kerf", make_cut(), **{"period": 0.01, "centre": ("y", "z"), "band": 5e-5, **change})


def test_tunable_geometry_is_refused(make_cut) -> None:
    with pytest.raises(ParameterError, match="saw_radius"):
        kerf("kerf", make_cut(saw_radius=ca.SX.sym("R")), period=0.01, centre=("y", "z"), band=5e-5)


@dataclass(frozen=True, kw_only=True)
class Carriage(Component):
    """A mass that slides along y."""

    mass_of_carriage: float = param("kg", "moved mass", above=0)

    states = signals(y=Signal("m", start=2.570), v="m/s")
    inputs = signals(F="N")
    motion = (("y", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.F / self.mass_of_carriage)


def test_two_passes_in_a_closed_loop(make_cut) -> None:
    """Carriage, PID, set-points, saw and slot in one run: forward, back and forward again at 20 mm/s."""
    cut = make_cut(feed_speed=0.02, saw_speed=100 * math.pi)
    system = System("bench")
    force, gate = system.input("drive", "N"), system.input("kerf.gate", "1", start=1.0)
    carriage = system.add("carriage", Carriage(mass_of_carriage=100.0))
    saw = system.add("saw", cut)
    saw.connect(c=ca.vertcat(carriage.y, START[1]), v=ca.vertcat(carriage.v, 0), t=system.time, gate=gate)
    carriage.connect(F=force + saw.F[0])
    system.output("z", "m", ca.SX(START[1]))
    legs = [line((a,), (b,), speed=0.02, acceleration=0.2) for a, b in ((2.57, 2.65), (2.65, 2.57), (2.57, 2.65))]
    set_points = table("path", 0.001, np.concatenate([rows(leg, 0.001) for leg in legs]), Layout.of(wanted="m"))
    parts = [
        pid("loop", period=0.001, measured=("carriage.y",), reference=("wanted",), command=("drive",), unit="N",
            Kp=1e6, Ki=1e7, Kd=2e4, limit=5e3),
        kerf("kerf", cut, period=0.01, centre=("carriage.y", "z"), band=2e-4),
    ]
    simulation = Simulation(system.ode(), parts, [set_points])
    names = ["saw.F.y", "kerf.fraction", "carriage.y", "wanted"]
    run = simulation.run(set_points.duration, 5e-4, record=names, record_period=1e-3)
    F, fraction, y, wanted = (np.asarray(run[k]) for k in names)
    first = len(rows(legs[0], 0.001))
    assert F[:first].min() < -50
    assert not F[first + 20:].any()
    assert fraction[-1] == pytest.approx(1)
    assert np.abs(y - wanted).max() < 5e-4
