"""Smoothing offline: every sample with the knowledge of all samples (Rauch, Tung, Striebel).

    G_k = P_k f_z' (P-_k+1)^-1,   z^s_k = z_k + G_k (z^s_k+1 - z-_k+1)                    (1)
    P^s_k = P_k + G_k (P^s_k+1 - P-_k+1) G_k'                                             (2)

Source: [rauch1965].
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from gerotor.errors import InputError
from gerotor.estimation.estimate import Estimate


def smooth(estimate: Estimate) -> Estimate:
    """The same samples, mean and std given all data; needs a run with keep=True of an extended filter."""
    h = estimate.history
    if h is None or not np.isfinite(h.slope).all():
        raise InputError("smoothing needs a run of an extended filter with keep=True")
    mean, covariance = estimate.mean.copy(), h.posterior_cov[-1]
    std = estimate.std.copy()
    for k in range(len(mean) - 2, -1, -1):
        scale = np.sqrt(np.diag(h.prior_cov[k + 1]))
        factor = cho_factor(h.prior_cov[k + 1] / np.outer(scale, scale) + 1e-15 * np.eye(len(scale)))
        gain = cho_solve(factor, (h.slope[k + 1] @ h.posterior_cov[k]) / scale[:, None]).T / scale  # (1)
        mean[k] = estimate.mean[k] + gain @ (mean[k + 1] - h.prior[k + 1])
        covariance = h.posterior_cov[k] + gain @ (covariance - h.prior_cov[k + 1]) @ gain.T  # (2)
        std[k] = np.sqrt(np.maximum(np.diag(covariance), 0))
    return replace(estimate, mean=mean, std=std, history=None)
