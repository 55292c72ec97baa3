"""Rotations as CasADi expressions; numbers fold to numbers, and 0 and +-1 stay exact.

A rotation matrix R_AB takes components in B to components in A. Quaternions are (w, x, y, z).

    R(e, angle) = 1 + sin(angle) [e] + (1 - cos(angle)) [e]^2,  [e] r = e x r            (1)
    rpy: R = Rz(yaw) Ry(pitch) Rx(roll)                                                  (2)
    4 q q' is linear in R; q is its column of the largest diagonal, normalised           (3)
    log R = 2 atan2(|q_v|, q_w) q_v / |q_v|,  q_w >= 0                                   (4)

Source: [siciliano2009, sec. 2.4-2.6].
"""

from __future__ import annotations

import math
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

Expression = Any

_ROUNDING = 1e-15
_TINY = 1e-16


def numbers(value: Any) -> NDArray[np.float64] | None:
    """The numbers of a constant column or matrix, of a sequence of numbers or of rows of them; None with symbols."""
    if isinstance(value, ca.SX):
        return np.array(ca.DM(value)) if value.is_constant() else None
    if isinstance(value, ca.DM | np.ndarray):
        return np.array(value, dtype=float)
    plain = all(isinstance(v, int | float) or (isinstance(v, tuple | list) and numbers(v) is not None) for v in value)
    return np.array(value, dtype=float) if plain else None


def vector(values: Any) -> Expression:
    """A column of expressions from a sequence, an array or a column."""
    if isinstance(values, ca.SX):
        return values if values.is_dense() else ca.densify(values)
    if isinstance(values, ca.DM):
        return ca.densify(ca.SX(values))
    known = numbers(values)
    if known is not None:
        return ca.SX(ca.DM(known.ravel()))
    return ca.vertcat(*[ca.SX(v) if isinstance(v, ca.SX) else ca.SX(float(v)) for v in values])


def matrix(rows: Any) -> Expression:
    """A dense matrix of expressions from rows, an array or a matrix."""
    if isinstance(rows, ca.SX | ca.DM):
        return vector(rows)
    known = numbers(rows)
    return ca.SX(ca.DM(known)) if known is not None else ca.vertcat(*[vector(row).T for row in rows])


def exact(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers that differ from 0 or +-1 by rounding only made exact, so that they cost nothing."""
    near = np.clip(np.round(np.nan_to_num(numbers)), -1, 1)
    return np.where(np.abs(near - numbers) < _ROUNDING, near, numbers)


def tidy(value: Expression) -> Expression:
    """The same for the constants of an expression."""
    known = numbers(value)
    if known is not None:
        return ca.SX(ca.DM(exact(known)))
    value = ca.densify(ca.SX(value))
    for k in range(value.numel()):
        element = value[k]
        if element.is_constant():
            number = float(element)
            if abs(number) < 2 and abs(number - round(number)) < _ROUNDING:
                value[k] = round(number)
    return value


def cross(a: Expression, b: Expression) -> Expression:
    """a x b."""
    return ca.vertcat(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def skew(a: Expression) -> Expression:
    """[a] with [a] b = a x b."""
    return matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def cos_sin(angle: Expression) -> tuple[Expression, Expression]:
    """Cosine and sine; of a number they are numbers."""
    if isinstance(angle, int | float):
        return math.cos(angle), math.sin(angle)
    return ca.cos(angle), ca.sin(angle)


def rotation_x(angle: Expression) -> Expression:
    """Rotation about the first axis."""
    c, s = cos_sin(angle)
    return tidy(matrix([[1, 0, 0], [0, c, -s], [0, s, c]]))


def rotation_y(angle: Expression) -> Expression:
    """Rotation about the second axis."""
    c, s = cos_sin(angle)
    return tidy(matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]]))


def rotation_z(angle: Expression) -> Expression:
    """Rotation about the third axis."""
    c, s = cos_sin(angle)
    return tidy(matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]]))


def rotation_about(axis: Any, angle: Expression) -> Expression:
    """Rotation about a unit vector."""
    given, (c, s) = numbers(axis), cos_sin(angle)
    if given is not None and isinstance(c, float):
        n = np.cross(np.eye(3), given.ravel())  # [e]
        return ca.SX(ca.DM(exact(np.eye(3) + s * n + (1 - c) * (n @ n))))  # (1)
    e = skew(vector(axis))
    return tidy(ca.SX.eye(3) + s * e + (1 - c) * (e @ e))  # (1)


def rotation_rpy(roll: Expression, pitch: Expression, yaw: Expression) -> Expression:
    """Roll about x, then pitch about y, then yaw about z, all axes fixed."""
    return tidy(rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll))  # (2)


def quaternion_product(a: Expression, b: Expression) -> Expression:
    """The quaternion of R(a) R(b)."""
    a, b = vector(a), vector(b)
    imaginary = a[0] * b[1:] + b[0] * a[1:] + cross(a[1:], b[1:])
    return ca.vertcat(a[0] * b[0] - ca.dot(a[1:], b[1:]), imaginary)


def rotation_quaternion(quaternion: Any) -> Expression:
    """Rotation matrix of a unit quaternion."""
    q = vector(quaternion)
    e = skew(q[1:])
    return tidy(ca.SX.eye(3) + 2 * q[0] * e + 2 * (e @ e))


def quaternion(rotation: Any) -> Expression:
    """Unit quaternion of a rotation matrix, w >= 0; defined for every rotation."""
    r = matrix(rotation)
    a, b, c = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    d, e, f = r[1, 0] + r[0, 1], r[2, 0] + r[0, 2], r[2, 1] + r[1, 2]
    columns = matrix([  # (3)
        [1 + r[0, 0] + r[1, 1] + r[2, 2], a, b, c],
        [a, 1 + r[0, 0] - r[1, 1] - r[2, 2], d, e],
        [b, d, 1 - r[0, 0] + r[1, 1] - r[2, 2], f],
        [c, e, f, 1 - r[0, 0] - r[1, 1] + r[2, 2]],
    ])
    best = columns[:, 0]
    most = columns[0, 0]
    for k in range(1, 4):
        best = ca.if_else(columns[k, k] > most, columns[:, k], best)
        most = ca.fmax(columns[k, k], most)
    best = best / ca.sqrt(ca.dot(best, best))
    return ca.if_else(best[0] < 0, -best, best)


def rotation_vector(rotation: Any) -> Expression:
    """log R: unit axis times angle in [0, pi]; smooth up to half a turn."""
    q = quaternion(rotation)
    size = ca.sqrt(ca.dot(q[1:], q[1:]) + _TINY)
    return 2 * ca.atan2(size, q[0]) / size * q[1:]  # (4)


def rotation_exponential(rotation_vector: Any) -> Expression:
    """exp: the rotation of a rotation vector."""
    r = vector(rotation_vector)
    angle = ca.sqrt(ca.dot(r, r) + _TINY)
    half = ca.sin(angle / 2) / angle
    e = skew(r)
    return ca.SX.eye(3) + ca.sin(angle) / angle * e + 2 * half * half * (e @ e)
