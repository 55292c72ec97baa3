"""Attitude by roll, pitch and yaw: its matrix, its rates and body rates.

With R = Rz(psi) Ry(theta) Rx(phi) and w the body rate in body axes:
  w = E(phi) phi',   E = [1 0 -sin(theta); 0 cos(phi) sin(phi) cos(theta); 0 -sin(phi) cos(phi) cos(theta)]   (1)
Source: [yu2018, text of section III.A]; singular at 90 degrees of pitch.
"""

from __future__ import annotations

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.rotation import rotation_rpy


def attitude(phi: Expression) -> Expression:
    """R of roll, pitch, yaw; takes body components to those of the reference."""
    return rotation_rpy(phi[0], phi[1], phi[2])


def body_rate(phi: Expression, rate: Expression) -> Expression:
    """w of (1)."""
    s, c, st, ct = ca.sin(phi[0]), ca.cos(phi[0]), ca.sin(phi[1]), ca.cos(phi[1])
    return ca.vertcat(rate[0] - st * rate[2], c * rate[1] + s * ct * rate[2], c * ct * rate[2] - s * rate[1])  # (1)


def euler_rates(phi: Expression, w: Expression) -> Expression:
    """phi' of (1)."""
    s, c, st, ct = ca.sin(phi[0]), ca.cos(phi[0]), ca.sin(phi[1]), ca.cos(phi[1])
    yaw = (s * w[1] + c * w[2]) / ct
    return ca.vertcat(w[0] + st * yaw, c * w[1] - s * w[2], yaw)  # (1) inverted
