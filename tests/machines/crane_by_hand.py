"""The crane's full model written out by hand from [papadopoulos2002], corrected as its README says, without the engine.

States: q, v (swing, boom, stick), then P_C1, P_C2, Q_1, Q_2 of each actuator, Q_2 leaving line 2 as the source counts it.
"""

from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

G, R0, L, LS = 9.81, 0.25, 3.8, 2.8
MB, CB, IB = 450.0, 1.8, 600.0
MS, CS, IS, MT = 260.0, 1.15, 190.0, 50.0
TURRET = 250.0
PS, PT, CRMAX, TAU = 160e5, 2e5, 1e18, 0.01
GMAX = [lpm / 6e4 / sqrt(35e5) for lpm in (50, 100, 80)]
C, I, R = (2.5e-12, 3.0e-12, 1.65e-12), 1.2e7, (2e8, 2e11, 2e11)
RIN, REX, D, BM = 9e11, 3e12, 2e-3, 3000.0
A1 = (0.0, pi / 4 * 0.125**2, pi / 4 * 0.1**2)
A2 = (0.0, pi / 4 * (0.125**2 - 0.07**2), pi / 4 * (0.1**2 - 0.056**2))
BP = (0.0, 4e3, 3e3)
BARS = (None, (0.65, 1.10, 1.169, 1), (1.10, 0.48, 0.10, -1))
MAKE_UP, SIZE_P, SIZE_Q = 7.9e-6, 1e3, 1e-8


def lever(i: int, q: float) -> tuple[float, float]:
    """Cylinder length and its derivative by the joint angle."""
    a, b, psi0, sigma = BARS[i]  # type: ignore[misc]
    psi = psi0 + sigma * q
    length = sqrt(a * a + b * b - 2 * a * b * cos(psi))
    return length, sigma * a * b * sin(psi) / length


def swing_inertia(q2: float, q3: float) -> tuple[float, float, float]:
    """Inertia about the swing axis and its derivatives by boom and stick angle."""
    c2, s2, c23, s23 = cos(q2), sin(q2), cos(q2 + q3), sin(q2 + q3)
    rb, rs, rt = R0 + CB * c2, R0 + L * c2 + CS * c23, R0 + L * c2 + LS * c23
    total = TURRET + MB * rb**2 + IB * c2**2 + MS * rs**2 + IS * c23**2 + MT * rt**2
    by3 = -2 * (MS * rs * CS * s23 + IS * c23 * s23 + MT * rt * LS * s23)
    by2 = -2 * (MB * rb * CB * s2 + IB * c2 * s2 + MS * rs * L * s2 + MT * rt * L * s2) + by3
    return total, by2, by3


def bodies(q: Any, v: Any) -> tuple[tuple[float, float, float, float], list[float]]:
    """M_11, M_22, M_23, M_33 (the others are 0) and V + G."""
    c3, s3 = cos(q[2]), sin(q[2])
    c2, c23 = cos(q[1]), cos(q[1] + q[2])
    J, J2, J3 = swing_inertia(q[1], q[2])
    k, m33 = (MS * CS + MT * LS) * L, MS * CS**2 + IS + MT * LS**2
    m22 = MB * CB**2 + IB + (MS + MT) * L**2 + m33 + 2 * k * c3
    m23 = m33 + k * c3
    bias = [
        v[0] * (J2 * v[1] + J3 * v[2]),
        -k * s3 * (2 * v[1] * v[2] + v[2] ** 2) - J2 * v[0] ** 2 / 2
        + G * (MB * CB * c2 + (MS + MT) * L * c2 + (MS * CS + MT * LS) * c23),
        k * s3 * v[1] ** 2 - J3 * v[0] ** 2 / 2 + G * (MS * CS + MT * LS) * c23,
    ]
    return (J, m22, m23, m33), bias


def valve(i: int, u: float) -> tuple[bool, float, float, float]:
    """Open, C_R, P_S1, P_S2."""
    r = min(max((abs(u) - 0.5) / 9.5, 0.0), 1.0)
    g = GMAX[i] * (0.8 * r + 0.3 * r * r - 0.1 * r**3)
    opened = g > CRMAX**-0.5
    return opened, max(g, CRMAX**-0.5) ** -2, *((PS, PT) if u >= 0 else (PT, PS))


def root(x: float) -> float:
    return x / sqrt(sqrt(x * x + SIZE_P**2))


def square(x: float) -> float:
    return x * sqrt(x * x + SIZE_Q**2)


def make_up(p: float) -> float:
    e = max(PT - p, 0.0)
    r = sqrt(e * e + 1e8)
    return MAKE_UP * e * e / (r * sqrt(r))


def rate(x: Any, u: Any) -> Any:
    """x' with valve voltages u, all joints inside their ranges."""
    x = x.tolist()
    q, v = x[:3], x[3:6]
    out = [0.0] * 12
    tau = [0.0] * 3
    for i in range(3):
        p1, p2, q1, q2 = x[6 + 4 * i : 10 + 4 * i]
        opened, cr, ps1, ps2 = valve(i, u[i])
        if i == 0:
            phi = D * v[0]
            a, b = 1 / R[0] + 1 / REX + 1 / RIN, -1 / RIN
            e, f = p1 / R[0] - phi, p2 / R[0] + phi
            pe, pf = (a * e - b * f) / (a * a - b * b), (a * f - b * e) / (a * a - b * b)
            into1, outof2 = (p1 - pe) / R[0], (pf - p2) / R[0]
            tau[0] = D * (pe - pf) - BM * v[0]
        else:
            J = lever(i, q[i])[1]
            xdot = J * v[i]
            into1, outof2 = A1[i] * xdot, A2[i] * xdot
            f = A1[i] * (p1 - R[i] * into1 * abs(into1)) - A2[i] * (p2 + R[i] * outof2 * abs(outof2)) - BP[i] * xdot
            tau[i] = J * f
        k = 4 * i
        out[k] = ((q1 if opened else 0.0) - into1 + make_up(p1)) / C[i]
        out[k + 1] = (outof2 - (q2 if opened else 0.0) + make_up(p2)) / C[i]
        if opened:
            out[k + 2] = (ps1 - cr * square(q1) - p1) / I
            out[k + 3] = (p2 - cr * square(q2) - ps2) / I
        else:
            out[k + 2] = (root(ps1 - p1) / sqrt(CRMAX) - q1) / TAU
            out[k + 3] = (root(p2 - ps2) / sqrt(CRMAX) - q2) / TAU
    (j, m22, m23, m33), bias = bodies(q, v)
    t1, t2, t3 = (tau[i] - bias[i] for i in range(3))
    det = m22 * m33 - m23 * m23
    return np.array([*v, t1 / j, (m33 * t2 - m23 * t3) / det, (m22 * t3 - m23 * t2) / det, *out])


def rest(q: Any) -> Any:
    """At rest at q, pressures in balance with gravity."""
    bias = bodies(q, [0.0] * 3)[1]
    x = np.zeros(18)
    x[:3] = q
    x[6:8] = 40e5
    for i, rod in ((1, 60e5), (2, 80e5)):
        x[6 + 4 * i] = (bias[i] / lever(i, q[i])[1] + A2[i] * rod) / A1[i]
        x[7 + 4 * i] = rod
    return x


def run(x: Any, commands: Any, period: float, tolerance: float = 1e-10) -> Any:
    """States at every multiple of `period`, commands held between: Radau, restarted at every command."""
    scale = np.concatenate([np.ones(6), np.tile([1e7, 1e7, 1e-3, 1e-3], 3)])
    out = [x / scale]
    for u in commands:
        part = solve_ivp(
            lambda t, y, u=u: rate(y * scale, u) / scale, (0, period), out[-1], method="Radau",
            rtol=tolerance, atol=tolerance * 1e-3,
        )
        out.append(part.y[:, -1])
    return np.array(out) * scale
