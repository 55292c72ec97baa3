"""Checks that every component passes: finite for any input, indifferent to the choice of units."""

import dataclasses
import re
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import settings

from gerotor.core.component import Component
from gerotor.core.evaluate import function
from gerotor.units import registry

settings.register_profile("gerotor", deadline=None, max_examples=60)
settings.load_profile("gerotor")

BASE = {"[length]": 2.0, "[mass]": 3.0, "[time]": 5.0, "[current]": 7.0}


def factor(unit: str) -> float:
    """By how much a number in `unit` grows when metre, kilogram, second, ampere shrink by 2, 3, 5, 7."""
    dims = registry().Quantity(1, re.sub(r"\brad\b", "1", unit)).dimensionality
    return float(np.prod([BASE[d] ** e for d, e in dims.items()]))


def rescaled(component: Component) -> Component:
    """The same component, every parameter expressed in the smaller units."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(component):  # type: ignore[arg-type]
        value = getattr(component, field.name)
        if isinstance(value, Component):
            changes[field.name] = rescaled(value)
        elif "unit" in field.metadata and isinstance(value, float | int) and not isinstance(value, bool):
            changes[field.name] = value * factor(field.metadata["unit"])
    return dataclasses.replace(component, **changes)  # type: ignore[type-var]


def _check_units(component: Component, **values: float) -> None:
    units = {k: s.unit for k, s in {**component.states, **component.inputs}.items()}
    plain = function(component)(**values)
    scaled = function(rescaled(component))(**{k: v * factor(units[k]) for k, v in values.items()})
    for key, value in plain.items():
        unit = component.outputs[key].unit if key in component.outputs else f"({component.states[key[2:]].unit})/s"
        np.testing.assert_allclose(np.asarray(scaled[key]), np.asarray(value) * factor(unit), rtol=1e-10, err_msg=key)


def _check_finite(component: Component, **values: float) -> None:
    f = function(component)
    jacobian = f.jacobian()
    for key, value in f(**values).items():
        assert np.all(np.isfinite(np.asarray(value))), f"{key} = {value} at {values}"
    for key, value in jacobian(**values).items():
        assert np.all(np.isfinite(np.asarray(ca.DM(value)))), f"{key} = {value} at {values}"


@pytest.fixture(scope="session")
def check_units() -> Any:
    """check_units(component, p=..): equations keep their form under another choice of units."""
    return _check_units


@pytest.fixture(scope="session")
def check_finite() -> Any:
    """check_finite(component, p=..): values and first derivatives are finite."""
    return _check_finite
