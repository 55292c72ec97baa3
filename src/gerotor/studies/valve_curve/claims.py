"""The source's statements beside ours."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from gerotor.estimation.estimate import BAND
from gerotor.studies.base import Claim, judge
from gerotor.studies.valve_curve.experiment import MANY, SEEDS, Experiment, average_ordinate, convergence
from gerotor.studies.valve_curve.twin import (
    ALIKE,
    LENGTH,
    OWN,
    OWN_QUIET,
    PRESSURES,
    PRINTED,
    QUIET,
    STATES,
    TUNED,
    Twin,
)

PUBLISHED = {3: (0.04, 0.03), 4: (0.05, 0.01), 5: (0.06, 0.07), 6: (0.07, 0.08)}
WORDS = {3: "three", 4: "four", 5: "five", 6: "six"}
NOISE = "not reached with the stated sensors by any tuning tried here; the true curves are unpublished and assumed"


def claims(e: Experiment) -> list[Claim]:
    """All of them."""
    return [*_errors(e), *_ours(e), *_convergence(e), *_bands(e), *_rest(e)]


def _pair(values: list[float]) -> str:
    return " / ".join(f"{v:.2f}" for v in values)


def _errors(e: Experiment) -> list[Claim]:
    out = []
    for points, published in PUBLISHED.items():
        ours = e.mean(points, PRINTED)
        out.append(Claim(
            f"C02-1.{points}", f"RMSE of port a, {WORDS[points]} points, Spline 1 / 2, printed tuning, mean of {SEEDS} seeds",
            _pair(list(published)), _pair(ours), "%", judge(max(ours) <= 2 * max(published)), reproducible=False, why=NOISE,
        ))
    quiet = max(v for points in PUBLISHED for v in e.mean(points, OWN_QUIET))
    largest = round(max(v for points in PUBLISHED for v in e.mean(points, PRINTED)), 2)
    text = "largest RMSE of port a over all cases, printed tuning"
    out.append(Claim("C02-2", text, 0.08, largest, "%", judge(largest <= 0.16), reproducible=False, why=NOISE))
    text = "the same with sensors 10 times quieter and our tuning: below 0.15 %"
    out.append(Claim("C02-2q", text, "0.08", f"{quiet:.2f}", "%", judge(quiet < 0.15)))
    return out


def _ours(e: Experiment) -> list[Claim]:
    out = []
    for points in PUBLISHED:
        ours, expected = e.mean(points, TUNED), [e.case(points, c, TUNED).predicted for c in (1, 2)]
        last = points == 6
        expects = f"its covariance expects {_pair(expected)} % (root mean square); with less noise and edges alike: O02-1a"
        why = expects if last else ""
        out.append(Claim(f"O02-1.{points}", f"tuning T, {WORDS[points]} points, Spline 1 / 2: below 1 %", "< 1", _pair(ours), "%",
                         judge(max(ours) < 1.0), reproducible=not last, why=why))
    for points in PUBLISHED:
        ours = e.mean(points, ALIKE)
        text = f"edges of one spool alike to 0.5 % of full opening, {WORDS[points]} points, Spline 1 / 2: below 1 %"
        out.append(Claim(f"O02-1a.{points}", text, "< 1", _pair(ours), "%", judge(max(ours) < 1.0)))
    out.extend(_alike(e))
    longest = list(e.two_cycles.values())
    text = "six points over two cycles, our tuning: below 1 %"
    out.append(Claim("O02-2", text, "< 1", _pair(longest), "%", judge(max(longest) < 1.0)))
    worst = max(v for points in PUBLISHED for v in e.mean(points, QUIET))
    text = "tuning T with sensors 10 times quieter, 3 to 6 points, both curves: below 0.15 %"
    out.append(Claim("O02-3", text, "< 0.15", f"{worst:.2f}", "%", judge(worst < 0.15)))
    low, high = (float(chi2.ppf(q, 50 * 23)) / 50 for q in (0.025, 0.975))
    mean = float(np.mean(e.nees))
    text = f"mean NEES of 50 correctly modelled runs with 23 unknowns within {low:.1f} to {high:.1f}"
    out.append(Claim("O02-4", text, "23", f"{mean:.1f}", "1", judge(low < mean < high)))
    factor, inside = 1e-3 / (e.filter_time + e.plant_time), 1e-3 / e.inside_time
    ratio = f"{e.filter_time * 1e6:.0f} us a filter step, {e.numpy_time / e.filter_time:.0f} times faster than in NumPy"
    text = "filter and plant at 1 kHz at least 5 times faster than real time on one core"
    out.append(Claim("O02-5", text, "5", f"{factor:.0f}", "1", judge(factor > 5), why=ratio))
    text = "the same with the filter as a part of the plant's compiled loop"
    both = f"{e.inside_time * 1e6:.0f} us a step of both"
    out.append(Claim("O02-5b", text, "5", f"{inside:.0f}", "1", judge(inside > 5), why=both))
    return out


def _alike(e: Experiment) -> list[Claim]:
    """The belief that edges are alike, where it is right and where it is not."""
    out = []
    expected = [e.case(6, curve, ALIKE).predicted for curve in (1, 2)]
    for name, apart, text in (("O02-1b", 0.005, "as the filter believes"), ("O02-1c", 0.02, "four times as far as it believes")):
        errors = [e.apart[apart, curve] for curve in (1, 2)]
        size = [float(np.sqrt(np.mean(np.square(v)))) for v in errors]
        fits = all(s < 1.2 * x for s, x in zip(size, expected, strict=True))
        out.append(Claim(name, f"edges that differ by {100 * apart:g} %, {text}: root mean square of {MANY} seeds, six points",
                         f"{_pair(expected)} expected", _pair(size), "%", judge(fits), reproducible=apart < 0.01,
                         why="" if fits else "a belief so far off shows; without it: O02-9"))
    means = [float(np.mean(e.apart[0.0, curve])) for curve in (1, 2)]
    text = f"equal edges, six points, mean of {MANY} other seeds: below 1 %"
    return [Claim("O02-1d", text, "< 1", _pair(means), "%", judge(max(means) < 1.0)), *out]


def _convergence(e: Experiment) -> list[Claim]:
    times = convergence(e.shown["T"], Twin(6), 2)
    shown = ", ".join(f"{t:.2f}" for t in times)
    return [
        Claim("C02-3", "ordinates start converging within 0.3 s: within 5 % from then on, c1 to c4", "<= 0.3", shown, "s",
              judge(max(times) <= 0.3), reproducible=False,
              why="at 0.3 s the spool is 36 % open and c3, c4 hardly act"),
        Claim("C02-3b", "they converge in the order of the vector: c4 last", "c4 last", shown, "s",
              judge(int(np.argmax(times)) == 3), reproducible=False),
    ]


def _bands(e: Experiment) -> list[Claim]:
    found, real = e.shown["printed"], e.real
    assert real is not None
    states = {n: found.coverage(n, real[n], after=0.01) for n in STATES}
    out = [Claim("C02-4", "s, s', p_p, p_1, p_2 stay in the 95 % band (after 10 ms, printed tuning)", "all",
                 ", ".join(f"{v:.3f}" for v in states.values()), "share", judge(min(states.values()) >= 0.9))]
    truth = Twin(6).truth(2)
    for name, tuning in (("C02-5", "printed"), ("O02-6", "own")):
        found = e.shown[tuning]
        gap, std = average_ordinate(found, truth)
        inside = float(np.mean((np.abs(gap) <= BAND * std)[100:]))
        text = f"the average ordinate of port a stays in its band after 0.1 s ({tuning} tuning)"
        out.append(Claim(name, text, "all", f"{inside:.2f}", "share", judge(inside >= 0.9), reproducible=False))
    for name, chosen, key in (("C02-6", PRINTED, "oil.bulk_modulus"), ("C02-6b", PRINTED, "oil.bulk_modulus_slope"),
                              ("O02-7", OWN, "oil.bulk_modulus")):
        share = e.case(6, 2, chosen).inside[key]
        reasons = {"C02-6": "its start is 10 standard deviations off", "C02-6b": "hardly told by the data; it drifts away"}
        why = reasons.get(name, "")
        text = f"{'k_0' if 'slope' in key else 'k_p'} stays in its band ({chosen.name} tuning, mean of {SEEDS} seeds)"
        out.append(Claim(name, text, "all", f"{share:.2f}", "share", judge(share >= 0.9), reproducible=False, why=why))
    return out


def _rest(e: Experiment) -> list[Claim]:
    real, simulated = e.real, e.simulated
    assert real is not None and simulated is not None
    apart = float(np.abs(simulated[LENGTH] - real[LENGTH]).min())
    high = float((simulated[PRESSURES[1]] - real[PRESSURES[1]]).mean() / 1e6)
    faults = {f.name: f for f in e.faults}
    found = [
        faults["healthy"].seen == "nothing unusual", "port a passes" in faults["worn edge"].seen,
        "leak of" in faults["internal leak"].seen, "bulk modulus" in faults["air in the oil"].seen,
        "does not fit" in faults["stuck spool"].seen,
    ]
    return [
        Claim("C02-7", "the simulation model departs from the real one all the time: least distance in s, mean distance in p_1",
              "departs", f"{apart:.2f} m, {high:.2f} MPa", "", judge(apart > 0.05)),
        Claim("C02-8", "the second-order spline has kinks at its points", "kinks", f"{_kink():.2f} jump of slope", "1",
              judge(_kink() > 0.1)),
        Claim("O02-8", "worn edge, leak, air, stuck spool are seen, a healthy machine raises nothing", "5 of 5",
              f"{sum(found)} of 5", "", judge(all(found))),
        Claim("O02-9", "our tuning, six points, Spline 1 / 2, port a: error as its own covariance expects",
              _pair([e.case(6, c, OWN).predicted for c in (1, 2)]), _pair(e.mean(6, OWN)), "%",
              judge(all(m < 1.5 * e.case(6, c, OWN).predicted for c, m in zip((1, 2), e.mean(6, OWN), strict=True))),
              reproducible=False, why="within half as much again: five seeds scatter by that much"),
    ]


def _kink() -> float:
    slopes = np.diff(Twin(6, 2).curve((0.06, 0.16, 0.52, 0.85))) / 0.005
    return float(np.abs(np.diff(slopes)).max())
