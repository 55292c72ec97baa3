"""Force and moment of a contact at the desired pose, from those measured at the actual pose.

  dF = K (p_des - p_act) + C (v_des - v_act)                                                    (1)
  F = F_mea + dF                                                                                (2)
  M = M_mea + p_act x dF + ds x F_mea + ds x dF,   ds = p_des - p_act                           (3)
p from the centroid of the body that carries the sensor to the contact point, M about that centroid. (3) is the exact
expansion of p_des x F. Nothing of the machine between desired and actual pose enters: the method is free of its model.
Source: [yu2018, eqs 27-34].
"""

from __future__ import annotations

import casadi as ca

from gerotor.core.component import Expression


def compensate(
    F: Expression, M: Expression, *, p_act: Expression, v_act: Expression, p_des: Expression, v_des: Expression,
    k: Expression, c: Expression,
) -> tuple[Expression, Expression]:
    """Compensated force and moment; k and c per axis."""
    ds = p_des - p_act
    dF = k * ds + c * (v_des - v_act)  # (1)
    return F + dF, M + ca.cross(p_act, dF) + ca.cross(ds, F) + ca.cross(ds, dF)  # (2), (3)
