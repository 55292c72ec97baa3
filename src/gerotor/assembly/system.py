"""From components to one Ode: add, connect, check, sort.

Each component is evaluated once on symbols of its own. What a signal depends on is read off the
expressions, so assembly is a sort of signals; a loop is an error that names its members.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals
from gerotor.core.layout import Entry, Layout, expand
from gerotor.core.ode import Block, Bound, Ode
from gerotor.errors import WiringError, unknown

FINE = 2e-3  # error of a position that one step may make, in its usual sizes


class Part:
    """A component in a system. Attributes are its states and outputs, as expressions."""

    def __init__(self, name: str, component: Component) -> None:
        self.name = name
        self.component = component
        self._states = {k: _symbol(f"{name}.{k}", s) for k, s in component.states.items()}
        self._inputs = {k: _symbol(f"{name}.{k}", s) for k, s in component.inputs.items()}
        self._outputs = {k: _symbol(f"{name}.{k}", s) for k, s in component.outputs.items()}
        self._wires: dict[str, Expression] = {}

    def __getattr__(self, key: str) -> Expression:
        if key.startswith("_"):
            raise AttributeError(key)
        for group in (self._states, self._outputs, self._inputs):
            if key in group:
                return group[key]
        known = [*self._states, *self._outputs, *self._inputs]
        raise WiringError(f"{self.name}: {unknown('signal', key, known)}")

    @property
    def unconnected(self) -> list[str]:
        """Inputs still to be connected."""
        return [k for k in self._inputs if k not in self._wires]

    def connect(self, **wires: Expression) -> Part:
        """Set inputs to expressions of other parts' signals, system inputs, parameters and time."""
        for key, value in wires.items():
            if key not in self._inputs:
                raise WiringError(f"{self.name}: {unknown('input', key, list(self._inputs))}")
            if key in self._wires:
                raise WiringError(f"{self.name}.{key} is connected twice: add the flows or forces first")
            size = self.component.inputs[key].size
            column = _sx(value)
            if column.numel() != size:
                raise WiringError(f"{self.name}.{key} takes {size} values, got {column.numel()}")
            self._wires[key] = column if column.is_dense() and column.is_column() else ca.reshape(ca.densify(column), size, 1)
        return self


class System:
    """A machine under assembly."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.time = ca.SX.sym("t")
        self.parts: dict[str, Part] = {}
        self._last: set[str] = set()
        self._inputs: list[tuple[Entry, Expression]] = []
        self._parameters: list[tuple[Entry, Expression]] = []
        self._outputs: list[tuple[Entry, Expression]] = []

    def add(self, name: str, component: Component, *, last: bool = False) -> Part:
        """Add a component under a unique path such as "boom.valve".

        Parts become blocks of the Ode in the order they were added, those marked `last` after all others.
        """
        if name in self.parts:
            raise WiringError(f"duplicate part {name!r}: every part needs its own name")
        component.check(name)
        self.parts[name] = Part(name, component)
        if last:
            self._last.add(name)
        return self.parts[name]

    def input(self, name: str, unit: str, *, start: float = 0.0, lower: float = -math.inf, upper: float = math.inf) -> Expression:
        """A signal from outside: a command, a disturbance, an operator's lever."""
        return self._new(self._inputs, Entry(name, unit, lower=lower, upper=upper, start=start))

    @property
    def inputs(self) -> Layout:
        """All signals from outside so far."""
        return Layout(tuple(e for e, _ in self._inputs))

    def tunable(
        self, name: str, unit: str, value: float, *, lower: float = -math.inf, upper: float = math.inf, scale: float = 0.0
    ) -> Expression:
        """A parameter that stays a symbol: estimation, sweeps, live tuning without a rebuild."""
        return self._new(
            self._parameters, Entry(name, unit, lower=lower, upper=upper, scale=scale or abs(value) or 1.0, start=value)
        )

    def output(
        self, name: str, unit: str, expression: Expression, *, lower: float = -math.inf, upper: float = math.inf
    ) -> None:
        """A derived signal to record, measure or control; outside its range a run goes on with a warning."""
        self._outputs.append((Entry(name, unit, lower=lower, upper=upper), expression))

    def _new(self, group: list[tuple[Entry, Expression]], entry: Entry) -> Expression:
        symbol = ca.SX.sym(entry.name)
        group.append((entry, symbol))
        return symbol

    def ode(self) -> Ode:
        """Sort, substitute, and hand over the finished expressions."""
        resolver = _Resolver(self)
        entries: list[Entry] = []
        symbols: list[Expression] = []
        blocks: list[Block] = []
        outputs: list[Entry] = []
        values: list[Expression] = []
        bounds: list[Bound] = []
        for part in sorted(self.parts.values(), key=lambda part: part.name in self._last):
            offset = len(entries)
            position: dict[str, tuple[int, ...]] = {}
            positions = dict(part.component.motion)
            for key, signal in part.component.states.items():
                start = len(entries)
                fine = key in positions and not signal.tolerance
                entries += expand(part.name, key, replace(signal, tolerance=FINE * signal.scale) if fine else signal)
                symbols.append(part._states[key])
                position[key] = tuple(range(start, len(entries)))
            if len(entries) > offset:
                blocks += _blocks(part, position)
            bounds += [Bound(i, _sx(low), _sx(high)) for k, (low, high) in part.component.bounds().items() for i in position[k]]
            for key, signal in part.component.outputs.items():
                outputs += expand(part.name, key, signal)
                values.append(part._outputs[key])
        outputs += [entry for entry, _ in self._outputs]
        values += [_sx(value) for _, value in self._outputs]
        inner = [e for b in blocks for e in (b.force, b.mass, b.rate) if e is not None]
        y, *done = resolver.resolve([_column(values), *inner])
        left = iter(done)
        blocks = [
            replace(b, force=next(left), mass=None if b.mass is None else next(left), rate=None if b.rate is None else next(left))
            for b in blocks
        ]
        return Ode(
            name=self.name,
            states=Layout(tuple(entries)),
            inputs=self.inputs,
            parameters=Layout(tuple(e for e, _ in self._parameters)),
            outputs=Layout(tuple(outputs)),
            blocks=tuple(blocks),
            x=ca.vertcat(*symbols) if symbols else ca.SX(0, 1),
            u=_column([s for _, s in self._inputs]),
            p=_column([s for _, s in self._parameters]),
            t=self.time,
            y=y,
            bounds=tuple(bounds),
        )


class _Resolver:
    """Replaces the symbols of inputs and outputs by expressions of states, system inputs and parameters."""

    def __init__(self, system: System) -> None:
        self.parts = system.parts
        self._definitions: dict[str, Expression] = {}  # by element name
        self._pairs: dict[int, tuple[Expression, Expression]] = {}  # symbol and definition, after what that needs
        self._under_way: list[str] = []
        self._free: set[str] = {s.name() for part in system.parts.values() for v in part._states.values() for s in ca.symvar(v)}
        self._free |= {s.name() for _, s in system._inputs + system._parameters} | {system.time.name()}
        for part in system.parts.values():
            self._define(part)

    def _define(self, part: Part) -> None:
        x, u = Signals(**part._states), Signals(**part._inputs)
        produced = vars(part.component.output(x, u))
        for key, symbol in part._outputs.items():
            if key not in produced:
                raise WiringError(f"{part.name}: output {key!r} is declared but not computed")
            self._pair(symbol, produced[key])
        for key, symbol in part._inputs.items():
            if key not in part._wires:
                raise WiringError(f"{part.name}.{key} is not connected: connect it or give it a constant")
            self._pair(symbol, part._wires[key])

    def _pair(self, symbol: Expression, value: Expression) -> None:
        value = _sx(value)
        if value.numel() == 1 and symbol.numel() > 1:
            value = ca.repmat(value, symbol.numel(), 1)
        for k in range(symbol.numel()):
            self._definitions[symbol[k].name()] = value[k]

    def resolve(self, expressions: list[Expression]) -> list[Expression]:
        """The expressions in terms of states, system inputs, parameters and time alone."""
        for expression in expressions:
            self._visit(expression)
        pairs = self._pairs.values()
        _, out = ca.substitute_inplace([s for s, _ in pairs], [v for _, v in pairs], expressions, False)
        return list(out)

    def _visit(self, expression: Expression) -> None:
        for symbol in ca.symvar(expression):
            if symbol.element_hash() not in self._pairs and symbol.name() not in self._free:
                self._settle(symbol)

    def _settle(self, symbol: Expression) -> None:
        name = symbol.name()
        if name in self._under_way:
            loop = [*self._under_way[self._under_way.index(name):], name]
            raise WiringError(f"algebraic loop: {' <- '.join(loop)}; break it with a storage part or a lag")
        if name not in self._definitions:
            raise WiringError(f"signal {name!r} belongs to no part of this system")
        self._under_way.append(name)
        self._visit(self._definitions[name])
        self._under_way.pop()
        self._pairs[symbol.element_hash()] = symbol, self._definitions[name]


def _blocks(part: Part, position: dict[str, tuple[int, ...]]) -> list[Block]:
    """The blocks of a part, in symbols of its own."""
    x, u = Signals(**part._states), Signals(**part._inputs)
    rates = vars(part.component.derivative(x, u))
    moving = dict(part.component.motion)
    velocities = set(moving.values())
    for key in part.component.states:
        if key not in rates and key not in moving:
            raise WiringError(f"{part.name}: state {key!r} has no derivative")
    out = []
    if moving:
        mass = part.component.mass(x, u)
        out.append(
            Block(
                name=part.name,
                q=tuple(i for q in moving for i in position[q]),
                v=tuple(i for v in moving.values() for i in position[v]),
                force=_column([_sx(rates[v]) for v in moving.values()]),
                mass=None if mass is None else _sx(mass),
                rate=_column([_sx(rates[q]) for q in moving]) if all(q in rates for q in moving) else None,
            )
        )
    plain = [k for k in part.component.states if k not in moving and k not in velocities]
    if plain:
        out.append(
            Block(
                name=part.name,
                v=tuple(i for k in plain for i in position[k]),
                force=_column([_sx(rates[k]) for k in plain]),
            )
        )
    return out


def _sx(value: Any) -> Expression:
    """CasADi copies slowly what is one already."""
    return value if isinstance(value, ca.SX) else ca.SX(value)


def _symbol(path: str, signal: Signal) -> Expression:
    symbols = [ca.SX.sym(e.name) for e in expand("", path, signal)]
    return symbols[0] if len(symbols) == 1 else ca.vertcat(*symbols)


def _column(values: list[Any]) -> Expression:
    return ca.vertcat(*values) if values else ca.SX(0, 1)
