"""Figures 5 and 8 to 11 of the source from our runs, and the studies around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gerotor.machines import load_machine
from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.forestry.claims import loading_errors, printed_pressure, stick_error
from gerotor.studies.forestry.experiment import Everything
from gerotor.studies.forestry.picture import loading_animation
from gerotor.studies.forestry.scenes import JOINTS


def figures(e: Everything) -> list[Figure]:
    return [_animation(e), *_published(e), _cycle(e), *_pressures(e), _drift(e), _work(e)]


def _published(e: Everything) -> list[Figure]:
    run, t = e.both, e.both.time
    full, reduced = (np.degrees(x) for x in stick_error(run))
    burst = (t > 4.6) & (t < 7.1)
    five = Figure("Fig. 5: stick tracking error, full model", y="error [deg]", caption=(
        "The source overlays its measured error; without it: ripple after valve switching. Machine data assumed.")
    ).add(t, full, "full model")
    close = Figure("Fig. 5, close: stick speed as its valve closes and opens", y="speed [rad/s]").add(
        t[burst], run["full.arm.v.stick"][burst], "full model").add(
        t[burst], run["reduced.arm.v.stick"][burst], "reduced model (a memory while locked)", "dash")
    eight = Figure("Fig. 8: stick position tracking error", y="error [deg]")
    eight.add(t, full, "full").add(t, reduced, "reduced", "dash")
    nine = _pair(e, "Fig. 9: stick cylinder output pressure P4", "gauge.stick.p2", "P4 [bar]", lambda p: p / 1e5)
    ten = _pair(e, "Fig. 10: stick command voltage", "stick.u", "voltage [V]", lambda u: u)
    eleven = _pair(e, "Fig. 11: boom cylinder output pressure P4, valve shut", "gauge.boom.p2", "P4 [bar]", lambda p: p / 1e5)
    late = t > 0.05
    eleven.add(t[late], printed_pressure(run)[late] / 1e5, "reduced, (26b) as printed", "dot")
    return [five, close, eight, nine, ten, eleven]


def _pair(e: Everything, title: str, name: str, y: str, show: Callable[[Any], Any]) -> Figure:
    late = e.both.time > 0.05
    t = e.both.time[late]
    return Figure(title, y=y).add(t, show(e.both[f"full.{name}"][late]), "full").add(
        t, show(e.both[f"reduced.{name}"][late]), "reduced", "dash")


def _animation(e: Everything) -> Figure:
    every = slice(None, None, 20)
    run = e.cycle
    q = np.column_stack([run[f"full.arm.q.{n}"][every] for n in JOINTS])
    figure = loading_animation(load_machine("forestry-crane"), run.time[every], q, run["full.log.mass"][every])
    return Figure("Loading cycle", plotly=figure, caption="300 kg taken up on one side, dropped on the other; full model.")


def _cycle(e: Everything) -> Figure:
    out = Figure("Loading cycle: joint errors", y="error [deg]")
    for n in JOINTS:
        for key, dash in (("full", "solid"), ("reduced", "dash")):
            out.add(e.cycle.time, np.degrees(e.cycle[f"ref.q.{n}"] - e.cycle[f"{key}.arm.q.{n}"]), f"{n}, {key}", dash)
    return out


def _pressures(e: Everything) -> list[Figure]:
    out = []
    for run, gains in ((e.cycle, "gains for the load"), (e.ringing, "gains of the empty crane")):
        figure = Figure(f"Loading cycle, {gains}: pressures of the boom", y="[bar]")
        late = run.time > 0.05
        for port, name in (("p1", "piston side"), ("p2", "rod side")):
            for key, dash in (("full", "solid"), ("reduced", "dash")):
                figure.add(run.time[late], run[f"{key}.gauge.boom.{port}"][late] / 1e5, f"{name}, {key}", dash)
        out.append(figure)
    return out


def _drift(e: Everything) -> Figure:
    out = Figure("Drift in 3 s without the closed-valve model", x="resistance of the closed valve [Pa s^2/m^6]", y="drift [rad]",
                 log_x=True, log_y=True,
                 caption="It falls with the root of the resistance; with the closed-valve model it is 0.")
    for k, n in enumerate(JOINTS):
        out.add(list(e.drift), [abs(d[k]) for d in e.drift.values()], n, mode="lines+markers")
    return out


def _work(e: Everything) -> Figure:
    out = Figure("Work and precision, compiled", x="processor time of 40 s [s]", y="RMS error of the stick's angle [rad]",
                 log_x=True, log_y=True, caption=f"Equal accuracy: {e.times.tolerance:.1e} rad, 1 % of the models' difference.")
    for lines in ("full", "reduced"):
        some = [t for t in e.times.timings if t.lines == lines]
        out.add([t.seconds for t in some], [t.error for t in some], lines, mode="lines+markers")
    return out


def tables(e: Everything) -> list[TableRows]:
    t = e.times
    ways = [
        ("full, interpreted", "28 min", t.interpreted["full"], t.best("full").step),
        ("reduced, interpreted", "8 min", t.interpreted["reduced"], t.best("reduced").step),
        ("full, compiled", "not given", t.best("full").seconds, t.best("full").step),
        ("reduced, compiled", "not given", t.best("reduced").seconds, t.best("reduced").step),
        ("reduced, compiled, closed valve relaxed", "47 s", t.relaxed, t.best("reduced").step),
    ]
    return [
        TableRows("Run times of 40 s simulated at equal accuracy",
                  ("way", "published", "ours [s]", "times real time", "step [ms]"),
                  [(name, published, spent, round(40 / spent, 1), 1e3 * step) for name, published, spent, step in ways]),
        TableRows("Steps", ("model", "step [ms]", "error [rad]", "time [s]", "times real time"),
                  [(x.lines, 1e3 * x.step, x.error, x.seconds, round(x.real_time_factor)) for x in t.timings]),
        TableRows("Loading cycle: RMS error [deg]", ("joint", "full", "reduced", "full against reduced"),
                  [(n, *(round(float(np.degrees(v)), 4) for v in loading_errors(e.cycle, n))) for n in JOINTS]),
        TableRows("Time constant of the follower", ("T [ms]", "RMS stick error [deg]", "stick after 40 s [rad]"),
                  [(1e3 * f.time, f"{np.degrees(f.error):.5f}", f"{f.end[2]:.6f}") for f in e.followers]),
        TableRows("Drift in 3 s without the closed-valve model [mrad]", ("resistance [Pa s^2/m^6]", *JOINTS),
                  [(f"{r:.0e}", *(f"{1e3 * v:.3f}" for v in d)) for r, d in e.drift.items()]),
    ]
