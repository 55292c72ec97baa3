"""Figures 3, 5, 6, A1, A2 of the source redrawn, and the tables behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gerotor.estimation.estimate import BAND
from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.valve_curve.experiment import TUNINGS, Experiment, average_ordinate
from gerotor.studies.valve_curve.twin import CURVES, LENGTH, PORTS, PRESSURES, SITES, SPEED, STATES, TOP, TUNED, Twin, ordinate

_U = np.linspace(0, 10, 201)


def figures(e: Experiment) -> list[Figure]:
    """In the source's order."""
    return [*_curves(e, 3, "Fig. 3"), *_histories(e), *_bands(e), *_curves(e, 2, "Fig. A1")]


def _curves(e: Experiment, order: int, title: str) -> list[Figure]:
    out = []
    for points in SITES:
        twin = Twin(points, order)
        figure = Figure(f"{title}: port a, {points} points, order {order}", x="spool U", y="C_v [%]",
                        caption="tuning T, seed 4; dotted: simulation model, the start of the estimate")
        for curve in CURVES:
            last = e.case(points, curve, TUNED, order).last
            inner = [last[ordinate("a", k)][-1] for k in range(1, points - 1)]
            figure.add(_U, 100 * twin.curve(CURVES[curve][points]), f"Spline {curve}, real")
            figure.add(_U, 100 * twin.curve(inner), f"Spline {curve}, estimated", dash="dash")
        figure.add(_U, 10 * TOP * _U, "simulation model", dash="dot")
        out.append(figure)
    return out


def _histories(e: Experiment) -> list[Figure]:
    out = []
    for points in SITES:
        last = e.case(points, 2, TUNED).last
        figure = Figure(f"Fig. 5: convergence of the points of port a, {points} points, Spline 2", y="c [%]")
        for k, true in enumerate(CURVES[2][points], 1):
            figure.add(last.time, 100 * last[ordinate("a", k)], f"c{k}")
            figure.add(last.time[[0, -1]], [100 * true] * 2, f"c{k}, real", dash="dot")
        out.append(figure)
    return out


def _bands(e: Experiment) -> list[Figure]:
    assert e.real is not None
    found, real, truth = e.shown["printed"], e.real, Twin(6).truth(2)
    q, v = found["arm.q.crank"], found["arm.v.crank"]
    average, average_std = average_ordinate(found, truth)
    lever = np.sin(q / 2)  # s = 2 cos(q / 2)
    angle, speed, *pressures = (found.std[:, found.index(n)] for n in STATES)
    rows: list[tuple[str, str, Any, Any]] = [
        ("Fig. 6: s", "error [mm]", 1e3 * (2 * np.cos(q / 2) - real[LENGTH]), 1e3 * lever * angle),
        ("Fig. 6: ds/dt", "error [m/s]", -lever * v - real[SPEED], lever * speed),
        *[(f"Fig. 6: {label}", "error [MPa]", (found[n] - real[n]) / 1e6, std / 1e6)
          for label, n, std in zip(("p_p", "p_1", "p_2"), PRESSURES, pressures, strict=True)],
        ("Fig. 6: average ordinate of port a", "error [%]", 100 * average, 100 * average_std),
        *[(f"Fig. A2: {label}", f"error{unit}", (found[n] - truth[n]) / scale, found.std[:, found.index(n)] / scale)
          for label, n, unit, scale in (("k_p", "oil.bulk_modulus", " [GPa]", 1e9), ("k_0", "oil.bulk_modulus_slope", "", 1.0))],
    ]
    t = found.time
    out = []
    for title, label, error, std in rows:
        figure = Figure(f"{title}, printed tuning, six points, Spline 2", y=label)
        band = BAND * std
        figure.add(t, error, "error").add([*t, np.nan, *t], [*band, np.nan, *-band], "95 %", "dash")
        out.append(figure)
    return out


def tables(e: Experiment) -> list[TableRows]:
    """Tunings; errors of every case and port; faults."""
    tunings = [
        (t.name, f"{t.position_std:g} m", f"{t.speed_std:g} m/s", f"{t.pressure_std / 1e6:.3g} MPa",
         f"{t.modulus_std / 1e6:g} MPa", "apart" if t.own is None else f"alike to {t.own:g}",
         f"{t.acceleration:g}", f"{t.pressure:.4g}",
         f"{1e3 * t.sensors[0]:g} mm, {t.sensors[1] / 1e5:g} bar")
        for t in TUNINGS
    ]
    rows = []
    for order in (3, 2):
        for points in SITES:
            for tuning in TUNINGS:
                pair = [e.case(points, curve, tuning, order) for curve in CURVES]
                columns = [[float(np.mean(c.errors[p])) for c in pair] for p in PORTS]
                columns += [[max(c.errors["a"]) for c in pair], [c.predicted for c in pair]]
                shown = ["\u00a0/\u00a0".join(f"{x:.2f}" if x >= 0.0995 else f"{x:.3f}" for x in column) for column in columns]
                rows.append((points, order, tuning.name, *shown, f"{np.mean([c.nis for c in pair]):.3f}"))
    start_heads = ("tuning", "s", "ds/dt", "pressures", "k_p", "edges", "noise of d2s/dt2 [m^2/s^3]",
                   "of pressures [Pa^2 a step]", "sensors")
    heads = ("points", "order", "tuning", "a [%]", "b [%]", "c [%]", "d [%]", "a, worst seed", "a, expected", "NIS")
    faults = [(f.name, f.truth, f.seen, f"{f.nis:.3f}", f.largest, f"{f.deviations:.1f}") for f in e.faults]
    return [
        TableRows("Tunings: standard deviations at the start, noise, sensors", start_heads, tunings),
        TableRows("RMSE of the curves of Spline 1 / Spline 2, mean of five seeds", heads, rows),
        TableRows("Faults", ("fault", "truth", "what the filter sees", "NIS", "moved most", "standard deviations"), faults),
    ]
