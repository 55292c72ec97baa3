"""What a filter found: estimates with bands, innovations, tests of consistency.

    NIS_k = nu' S^-1 nu,   NEES_k = e' P^-1 e,   e = z - z_hat                            (1)
    inside the 95 % band:  |e_i| <= 1.96 sigma_i                                          (2)

For a filter that fits its data NIS has the mean of the number of signals measured in that sample,
NEES that of the number of unknowns, both chi-square. Source: [barshalom2001, sec. 5.4].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from gerotor.errors import InputError, unknown

Array = NDArray[np.float64]
BAND = 1.959963984540054


@dataclass(frozen=True, eq=False)
class History:
    """What smoothing needs, sample by sample: slopes f_z, mean and covariance before, covariance after."""

    slope: Array
    prior: Array
    prior_cov: Array
    posterior_cov: Array


@dataclass(frozen=True, eq=False)
class Estimate:
    """One row a sample: `mean` and `std` of the unknowns, `innovation` (NaN where nothing was measured)
    and its `innovation_std`, `nis`. `covariance` is that of the last sample."""

    names: list[str]
    units: list[str]
    measured: list[str]
    time: Array
    mean: Array
    std: Array
    innovation: Array
    innovation_std: Array
    nis: Array
    covariance: Array
    history: History | None = None

    def index(self, name: str) -> int:
        if name not in self.names:
            raise InputError(unknown("unknown", name, self.names))
        return self.names.index(name)

    def __getitem__(self, name: str) -> Array:
        return np.asarray(self.mean[:, self.index(name)])

    def band(self, name: str) -> tuple[Array, Array]:
        """Lower and upper end of the 95 % band."""
        k = self.index(name)
        return self.mean[:, k] - BAND * self.std[:, k], self.mean[:, k] + BAND * self.std[:, k]

    def final(self) -> dict[str, tuple[float, float]]:
        """Name -> (mean, std) after the last sample."""
        return {n: (float(m), float(s)) for n, m, s in zip(self.names, self.mean[-1], self.std[-1], strict=True)}

    def coverage(self, name: str, truth: Array | float, after: float = -np.inf) -> float:
        """Share of samples later than `after` whose band holds the truth, (2)."""
        k, late = self.index(name), self.time > after
        inside = np.abs(np.asarray(truth) - self.mean[:, k]) <= BAND * self.std[:, k]
        return float(np.mean(np.broadcast_to(inside, self.time.shape)[late]))

    def nees(self, truth: Array) -> float:
        """NEES of the last sample against the true unknowns, (1)."""
        error = np.asarray(truth, float) - self.mean[-1]
        scale = np.sqrt(np.diag(self.covariance))
        return float((error / scale) @ np.linalg.solve(self.covariance / np.outer(scale, scale), error / scale))

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many signals each sample measured."""
        return np.asarray(np.isfinite(self.innovation).sum(axis=1))

    def consistency(self, after: float = -np.inf) -> tuple[float, float, float]:
        """Mean NIS per measured signal later than `after`, and its 95 % range for a filter that fits."""
        late = self.time > after
        degrees = int(self.counts[late].sum())
        if not degrees:
            raise InputError(f"no measured sample later than {after:g} s")
        low, high = (float(chi2.ppf(q, degrees)) / degrees for q in (0.025, 0.975))
        return float(self.nis[late].sum() / degrees), low, high
