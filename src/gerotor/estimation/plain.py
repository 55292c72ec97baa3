"""The filter in NumPy, by the textbook: for machines without a C compiler, and to check the compiled one.

    P- = f_z P f_z' + Q,   S = h P- h' + R,   K = P- h' S^-1                              (1)
    z+ = z- + K (o - h(z-)),   P+ = (1 - K h) P- (1 - K h)' + K R K'                      (2)
    iterated: h and its slope at the z+ found, z+ = z- + K (o - h(z_i) - h_z (z- - z_i))  (4)
    unscented: z_i = z +- sqrt(n + kappa) columns of sqrt(P), weights 1 / (2 (n + kappa)) (3)

Source: [khadim2021, eqs. 25-28] with the symmetric form (2); [julier2004] for (3); [bell1993] for (4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.estimation.model import FilterModel

if TYPE_CHECKING:
    from gerotor.estimation.filter import FilterState

Array = NDArray[np.float64]
Rows = dict[str, Array]


def _numbers(value: Any) -> Array:
    return np.array(ca.densify(ca.DM(value)))


class PlainFilter:
    """Covariance as a full matrix."""

    def __init__(self, model: FilterModel, kind: str, kappa: float, iterations: int = 1) -> None:
        self.model, self.kind, self.kappa, self.iterations = model, kind, kappa, iterations
        self.functions = model.functions()
        self.Q = model.process_covariance

    def run(self, s: FilterState, samples: tuple[Array, Array, Array], out: Rows, kept: Rows, frozen: bool) -> int:
        """As gerotor_filter of filter.c."""
        t, u, o = samples
        P = s.covariance
        step = self._predict if self.kind == "extended" else self._predict_unscented
        for k in range(len(t)):
            if s.begun:
                P, slope = step(s, P)
                if kept:
                    kept["slope"][k] = slope
            if kept:
                kept["prior"][k], kept["prior_cov"][k] = self._gather(s.x, s.p), P
            P = self._correct(s, P, (k, t[k], u[k], o[k]), out, frozen)
            if kept:
                kept["posterior_cov"][k] = P
            out["mean"][k], out["std"][k] = self._gather(s.x, s.p), np.sqrt(np.diag(P))
            s.U[:], s.D[:] = ud(P)
            if not (np.isfinite(out["mean"][k]).all() and np.isfinite(P).all()):
                return k
            s.held[: u.shape[1]], s.last, s.begun = u[k], float(t[k]), True
        return len(t)

    def _gather(self, x: Array, p: Array) -> Array:
        return np.concatenate([x[self.model.states], p[self.model.parameters]])

    def _spread(self, z: Array, x: Array, p: Array) -> tuple[Array, Array]:
        x, p, n = x.copy(), p.copy(), len(self.model.states)
        x[self.model.states], p[self.model.parameters] = z[:n], z[n:]
        return x, p

    def _predict(self, s: FilterState, P: Array) -> tuple[Array, Array]:
        held = s.held[: len(self.model.ode.inputs)]
        following, A, B = (_numbers(v) for v in self.functions["predict"](s.x, held, s.p, s.last))
        slope, n = np.eye(self.model.size), len(self.model.states)
        slope[:n, :n], slope[:n, n:] = A, B
        s.x[:] = following.ravel()
        return slope @ P @ slope.T + self.Q, slope  # (1)

    def _points(self, z: Array, P: Array) -> tuple[Array, Array]:
        n = len(z)
        U, D = ud(P)
        offsets = np.sqrt(n + self.kappa) * (U * np.sqrt(D)).T
        weights = np.full(2 * n + 1, 0.5 / (n + self.kappa))
        weights[0] = self.kappa / (n + self.kappa)
        return np.vstack([z, z + offsets, z - offsets]), weights  # (3)

    def _predict_unscented(self, s: FilterState, P: Array) -> tuple[Array, Array]:
        held = s.held[: len(self.model.ode.inputs)]
        points, weights = self._points(self._gather(s.x, s.p), P)
        spread = [self._spread(z, s.x, s.p) for z in points]
        following = [_numbers(self.functions["advance"](x, held, p, s.last)).ravel() for x, p in spread]
        moved = np.array([self._gather(x, p) for x, (_, p) in zip(following, spread, strict=True)])
        mean = weights @ moved
        d = moved - mean
        s.x[:], s.p[:] = self._spread(mean, following[0], s.p)
        return (d.T * weights) @ d + self.Q, np.full((len(mean), len(mean)), np.nan)

    def _correct(self, s: FilterState, P: Array, sample: tuple[int, float, Array, Array], out: Rows, frozen: bool) -> Array:
        k, t, u, o = sample
        z = self._gather(s.x, s.p)
        expected, h = (_numbers(v) for v in self.functions["measure"](s.x, u, s.p, t))
        out["innovation"][k] = o - expected.ravel()
        out["innovation_std"][k] = np.sqrt(np.einsum("ij,jk,ik->i", h, P, h) + s.r)
        there, nis = np.isfinite(o), 0.0
        if self.kind == "extended" and there.any():
            z, P, nis = self._iterate(s, P, (t, u, o), 1 if frozen else self.iterations)
        elif there.any():
            for m in np.flatnonzero(there):
                points, weights = self._points(z, P)
                spread = [self._spread(q, s.x, s.p) for q in points]
                y = np.array([float(self.functions["measure"](x, u, p, t)[0][m]) for x, p in spread])
                mean = weights @ y
                S = weights @ (y - mean) ** 2 + s.r[m]
                K = (weights * (y - mean)) @ (points - z) / S
                z, P = z + K * (o[m] - mean), P - S * np.outer(K, K)
                nis += (o[m] - mean) ** 2 / S
        out["nis"][k] = nis
        if not frozen:
            s.x[:], s.p[:] = self._spread(np.clip(z, s.lower, s.upper), s.x, s.p)
        return np.asarray((P + P.T) / 2)

    def _iterate(
        self, s: FilterState, P: Array, sample: tuple[float, Array, Array], iterations: int
    ) -> tuple[Array, Array, float]:
        t, u, o = sample
        there = np.isfinite(o)
        R, before = np.diag(s.r[there]), self._gather(s.x, s.p)
        z, after, nis = before, P, 0.0
        for _ in range(iterations):
            x, p = self._spread(z, s.x, s.p)
            expected, h = (_numbers(v)[there] for v in self.functions["measure"](x, u, p, t))
            nu = o[there] - expected.ravel() - h @ (before - z)  # (4)
            S = h @ P @ h.T + R
            K = np.linalg.solve(S, h @ P).T
            keep = np.eye(len(z)) - K @ h
            z, after = before + K @ nu, keep @ P @ keep.T + K @ R @ K.T  # (2)
            nis = float(nu @ np.linalg.solve(S, nu))
        return z, after, nis


def ud(P: Array) -> tuple[Array, Array]:
    """P = U D U'."""
    n = len(P)
    U, D, P = np.eye(n), np.zeros(n), P.copy()
    for j in range(n - 1, -1, -1):
        D[j] = max(P[j, j], 0.0)
        if D[j] > 0:
            U[:j, j] = P[:j, j] / D[j]
            P[:j, :j] -= D[j] * np.outer(U[:j, j], U[:j, j])
    return U, D
