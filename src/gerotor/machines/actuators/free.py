"""A joint that nothing drives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca

from gerotor.machines.actuators.base import Fitted, Mount
from gerotor.machines.actuators.keys import expect


def free(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """No force, no input."""
    expect(section, path, ())
    return Fitted(ca.SX(0), "", lambda force, q: {})
