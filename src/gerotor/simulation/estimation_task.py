"""Measured data and a machine to estimates: the configuration of `gerotor estimate` and what it does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from gerotor.core.ode import Ode
from gerotor.errors import InputError, unknown
from gerotor.estimation.estimate import BAND, Estimate
from gerotor.estimation.filter import Filter
from gerotor.estimation.observability import Worth, observability
from gerotor.estimation.smoother import smooth
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.machines import Machine, load_machine
from gerotor.machines.load import first_errors, read_yaml
from gerotor.machines.machine import position_quantities
from gerotor.machines.quantity import Seconds
from gerotor.machines.schema import Spec
from gerotor.maths.bspline import BSpline
from gerotor.simulation.measured_data import MeasuredData, read_data
from gerotor.simulation.recording import Recording
from gerotor.units import quantity

Array = NDArray[np.float64]
_CURVE = re.compile(r"^(.*)\.ordinates\[(\d+)\]$")


class UnknownSpec(Spec):
    """States or tunable parameters: standard deviation at the start, noise in unit/s^0.5, bounds; with `own`
    all but that of what they are off by at the start is common to the names: parts made alike."""

    names: list[str]
    std: Any
    noise: Any = 0
    lower: Any = None
    upper: Any = None
    own: Any = None


class MeasuredSpec(Spec):
    """A signal of the machine and the column that holds it."""

    name: str
    column: str | None = None
    std: Any
    offset: Any = 0


class EstimationFile(Spec):
    """The content of a configuration."""

    unknowns: list[UnknownSpec]
    measured: list[MeasuredSpec]
    inputs: dict[str, str] = {}
    joints: dict[str, Any] = {}
    start: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    balance: bool = True
    method: str = "trapezoid"
    substeps: int = 1
    iterations: int = 2
    kind: Literal["extended", "unscented"] = "extended"
    smooth: bool = False
    largest_gap: Seconds = 0.1


@dataclass(frozen=True, eq=False)
class CurveEstimate:
    """A curve over its argument with the half width of its 95 % band."""

    name: str
    x: Array
    y: Array
    half: Array


@dataclass(frozen=True, eq=False)
class Estimated:
    """All that came out."""

    estimate: Estimate
    worth: list[Worth]
    curves: list[CurveEstimate]
    recording: Recording
    units: list[str]


def estimate_data(data: str | Path, machine: str | Path, config: str | Path) -> Estimated:
    """Run the filter of a configuration over a data file."""
    chosen = read_config(Path(config))
    table = read_data(data, chosen.largest_gap)
    base = load_machine(machine)
    names = [n for u in chosen.unknowns for n in u.names]
    states = set(base.ode().states.names)
    tunable = [*base.file.tunable, *[n for n in [*names, *chosen.parameters] if n not in states and n not in base.file.tunable]]
    made = base.varied({"tunable": tunable})
    assembled = made.assemble()
    ode = assembled.ode()
    filter = _filter(chosen, ode, table)
    given = {n: quantity(v, _unit(ode, n), f"start.{n}") for n, v in chosen.start.items()}
    q = position_quantities(made, chosen.joints, "joints")
    start = {k: v for k, v in assembled.balance(q, given).items() if k in ode.states} if chosen.balance else given
    parameters = {n: quantity(v, _unit(ode, n), f"parameters.{n}") for n, v in chosen.parameters.items()}
    inputs, measured = _columns(chosen, ode, table)
    worth = observability(filter, table.time, inputs, available=measured, start=start, parameters=parameters)
    found = filter.run(table.time, inputs, measured, start=start, parameters=parameters, keep=chosen.smooth)
    if chosen.smooth:
        found = smooth(found)
    units = filter.model.units
    return Estimated(found, worth, _curves(made, found, parameters), _recording(found, units, filter.model.measured_units), units)


def read_config(path: Path) -> EstimationFile:
    """A configuration, or an InputError in one line."""
    try:
        return EstimationFile.model_validate(read_yaml(path))
    except ValidationError as error:
        raise first_errors(path, error) from None


def _unit(ode: Ode, name: str) -> str:
    units: dict[str, str] = {e.name: e.unit for e in (*ode.outputs, *ode.parameters, *ode.states)}
    if name not in units:
        raise InputError(unknown("signal", name, list(units)))
    return units[name]


def _filter(chosen: EstimationFile, ode: Ode, table: MeasuredData) -> Filter:
    unknowns = []
    for k, spec in enumerate(chosen.unknowns):
        for name in spec.names:
            unit = _unit(ode, name)
            given = {key: getattr(spec, key) for key in ("lower", "upper", "own") if getattr(spec, key) is not None}
            limits = {key: quantity(v, unit, f"{name}.{key}") for key, v in given.items()}
            noise = quantity(spec.noise, f"({unit})/s^0.5" if unit != "1" else "1/s^0.5", f"{name}.noise") if spec.noise else 0.0
            unknowns.append(Unknown(name=name, std=quantity(spec.std, unit, f"{name}.std"), noise=noise,
                                    group=f"unknowns[{k}]" if spec.own is not None else "", **limits))
    measured = [
        Measured(name=m.name, std=quantity(m.std, _unit(ode, m.name), f"{m.name}.std"),
                 offset=quantity(m.offset, _unit(ode, m.name), f"{m.name}.offset"))
        for m in chosen.measured
    ]
    return Filter(ode, unknowns, measured, period=table.period, method=chosen.method, substeps=chosen.substeps,
                  iterations=chosen.iterations, kind=chosen.kind)


def _columns(chosen: EstimationFile, ode: Ode, table: MeasuredData) -> tuple[Array, Array]:
    for name in chosen.inputs:
        if name not in ode.inputs:
            raise InputError(unknown("input", name, ode.inputs.names))
    inputs = np.column_stack([_held(table, chosen.inputs.get(e.name, e.name), e.unit) for e in ode.inputs]) \
        if len(ode.inputs) else np.zeros((len(table.time), 0))
    measured = np.column_stack([table.column(m.column or m.name, _unit(ode, m.name)) for m in chosen.measured])
    if np.isnan(measured).all():
        raise InputError(f"{table.path}: no sample in any measured column: nothing to estimate from")
    return inputs, measured


def _held(table: MeasuredData, name: str, unit: str) -> Array:
    """An input column; where a row is missing the last value is held."""
    values = table.column(name, unit).copy()
    if np.isnan(values[0]):
        raise InputError(f"{table.path}: column {name} starts without a value: an input must be known from the first row on")
    last = np.maximum.accumulate(np.where(np.isnan(values), 0, np.arange(len(values))))
    return np.asarray(values[last])


def _curves(machine: Machine, found: Estimate, parameters: Mapping[str, float]) -> list[CurveEstimate]:
    """Every curve some of whose ordinates were estimated."""
    out = []
    for prefix in dict.fromkeys(m.group(1) for n in found.names if (m := _CURVE.match(n))):
        section = _section(machine.document, prefix)
        sites = [float(x) for x in section["sites"]]
        names = [f"{prefix}.ordinates[{k}]" for k in range(len(sites))]
        values = [parameters.get(n, quantity(y, "1")) for n, y in zip(names, section["ordinates"], strict=True)]
        where = {k: found.index(n) for k, n in enumerate(names) if n in found.names}
        order = _section(machine.document, prefix.rsplit(".", 1)[0]).get("order", 3)
        y = ca.SX.sym("y", len(sites))
        x = np.linspace(sites[0], sites[-1], 101)
        spline = BSpline(sites, ca.vertsplit(y), order)
        points = ca.vertcat(*[spline(xi) for xi in x])
        f = ca.Function("curve", [y], [points, ca.jacobian(points, y)])
        for k, i in where.items():
            values[k] = float(found.mean[-1, i])
        mean, slope = (np.array(ca.densify(v)) for v in f(values))
        J, index = slope[:, list(where)], list(where.values())
        half = BAND * np.sqrt(np.sum((J @ found.covariance[np.ix_(index, index)]) * J, axis=1))
        out.append(CurveEstimate(prefix, x, mean.ravel(), half))
    return out


def _section(document: Mapping[str, Any], path: str) -> Any:
    """A section of a machine's document by the path of its parameters."""
    joint, *keys = path.split(".")
    drives = (*document["joints"], *document.get("cylinders", ()))
    section: Any = next((item for item in drives if item["name"] == joint), document.get(joint))
    for key in keys:
        section = section[key]
    return section


def _recording(found: Estimate, units: list[str], measured_units: list[str]) -> Recording:
    names = [*found.names, *[f"{n}.std" for n in found.names], *[f"{n}.innovation" for n in found.measured],
             *[f"{n}.innovation_std" for n in found.measured], "nis"]
    values = np.column_stack([found.time, found.mean, found.std, found.innovation, found.innovation_std, found.nis])
    return Recording(names, [*units * 2, *measured_units * 2, "1"], values, {"samples": len(found.time)})
