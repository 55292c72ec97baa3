"""Figures 3, 5, 6, A1, A2 of the source redrawn, and the tables behind them."""

from __future__ import annotations

import numpy as np

from gerotor.estimation.estimate import BAND
from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.valve_curve.experiment import TUNINGS, Experiment
from gerotor.studies.valve_curve.twin import CURVES, PORTS, PRESSURES, SITES, TOP, TUNED, Twin, ordinate

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
    truth, out = Twin(6).truth(2), []
    rows = [("arm.q.crank", "crank angle [rad]"), ("arm.v.crank", "crank speed [rad/s]"),
            *[(n, f"{n} [Pa]") for n in PRESSURES], ("oil.bulk_modulus", "k_p [Pa]"), ("oil.bulk_modulus_slope", "k_0")]
    for name, label in rows:
        found = e.shown["printed"]
        error = found[name] - (truth[name] if name in truth else e.real[name])
        band = BAND * found.std[:, found.index(name)]
        figure = Figure(f"{'Fig. A2' if name in truth else 'Fig. 6'}: error of {name}, printed tuning", y=label)
        figure.add(found.time, error, "error").add(found.time, band, "95 %", "dash").add(found.time, -band, "", "dash")
        out.append(figure)
    return out


def tables(e: Experiment) -> list[TableRows]:
    """Errors of every case and port; faults."""
    rows = []
    for order in (3, 2):
        for points in SITES:
            for tuning in TUNINGS:
                for curve in CURVES:
                    case = e.case(points, curve, tuning, order)
                    means = [f"{np.mean(case.errors[p]):.3f}" for p in PORTS]
                    rest = (f"{max(case.errors['a']):.3f}", f"{case.predicted:.3f}", f"{case.nis:.3f}")
                    rows.append((points, order, f"Spline {curve}", tuning.name, *means, *rest))
    heads = ("points", "order", "curve", "tuning", "a [%]", "b [%]", "c [%]", "d [%]", "a, worst seed", "a, expected", "NIS")
    faults = [(f.name, f.truth, f.seen, f"{f.nis:.3f}", f.largest, f"{f.deviations:.1f}") for f in e.faults]
    return [
        TableRows("RMSE of the curves, mean of five seeds", heads, rows),
        TableRows("Faults", ("fault", "truth", "what the filter sees", "NIS", "moved most", "standard deviations"), faults),
    ]
