"""Cylinder with its own pump, relief branch and four-edge metering valve, across a joint or between two frames [khadim2021]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.errors import InputError
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.metering_valve import MeteringValve
from gerotor.hydraulics.orifice import Orifice
from gerotor.hydraulics.pump import Pump
from gerotor.hydraulics.relief_valve import ReliefValve
from gerotor.hydraulics.spool_lag import SpoolLag
from gerotor.hydraulics.spool_valve import EDGES
from gerotor.hydraulics.variable_chamber import VariableChamber
from gerotor.machines.actuators.base import Fitted, Mount
from gerotor.machines.actuators.cylinder import cylinder_of
from gerotor.machines.actuators.friction import seal_friction
from gerotor.machines.actuators.keys import expect
from gerotor.machines.actuators.leakage import leakage_of
from gerotor.machines.section import source_of
from gerotor.maths.bspline import BSpline

_NEEDED = ("cylinder", "side_1", "side_2", "pump", "pump_line", "relief", "valve", "spool")


def metered_cylinder(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """Input `JOINT.u`, the relative spool command; the flows of pump, relief, valve meet in `pump_line`."""
    expect(section, path, _NEEDED if mount.rod else ("geometry", *_NEEDED), ("friction", "leakage"))
    if mount.oil is None or mount.supply is None:
        raise InputError(f"{path}: a metered-cylinder needs `oil` and `supply` (its tank pressure) in the machine file")
    make, tank = mount.sections.make, mount.supply.tank
    node = mount.add("pump_line", make(Chamber, section["pump_line"], f"{path}.pump_line", oil=mount.oil))
    sides = [
        mount.add(n, make(VariableChamber, section[n], f"{path}.{n}", oil=mount.oil)) for n in ("side_1", "side_2")
    ]
    spool = mount.add("spool", make(SpoolLag, section["spool"], f"{path}.spool"))
    spool.connect(u=mount.system.input(f"{mount.joint}.u", "1", lower=-1, upper=1))
    geometry = mount.add("geometry", mount.triangle(section, "geometry", path))
    cylinder = mount.add("cylinder", cylinder_of(section["cylinder"], mount, f"{path}.cylinder"))
    cylinder.connect(p1=sides[0].p, p2=sides[1].p, l=geometry.l, v=geometry.v)
    valve = mount.add("valve", _valve(section["valve"], mount, f"{path}.valve"))
    valve.connect(x=spool.x, p1=sides[0].p, p2=sides[1].p, ps=node.p, pt=tank)
    pump_section = section["pump"]
    if not isinstance(pump_section, Mapping) or "speed" not in pump_section:
        raise InputError(f"{path}.pump.speed is missing: speed of the pump's drive in rad/s")
    pump = mount.add("pump", make(Pump, pump_section, f"{path}.pump", ignore=("speed",)))
    speed = mount.sections.value(pump_section["speed"], "rad/s", f"{path}.pump.speed", {"least": 0})
    pump.connect(w=speed, ps=node.p, pt=tank)
    relief = mount.add("relief", _relief(section["relief"], mount, f"{path}.relief")).connect(p1=node.p, p2=tank)
    leak = leakage_of(section, mount, sides[0].p, sides[1].p, path)
    node.connect(Q=pump.Q - relief.Q - valve.Qs)
    sides[0].connect(Q=valve.Q1 - cylinder.Q1 - leak, V=cylinder.V1)
    sides[1].connect(Q=valve.Q2 - cylinder.Q2 + leak, V=cylinder.V2)
    force = cylinder.F - seal_friction(section, mount, geometry.v, path)
    geometry.connect(q=mount.q, w=mount.v, F=force)
    supply, lines = mount.supply.nominal, [f"{mount.joint}.{n}.p" for n in ("side_1", "side_2")]
    usual = {f"{mount.joint}.pump_line.p": supply, **dict.fromkeys(lines, supply / 2)}
    return Fitted(geometry.tau, f"{mount.joint}.u", lambda force, q: usual)


def _valve(section: Any, mount: Mount, path: str) -> MeteringValve:
    """A curve of points for every edge: `sites` over the relative opening, `ordinates`, spline `order`."""
    expect(section, path, ("gain", *EDGES), ("order", "transition_pressure"))
    order = section.get("order", 3)
    curves = []
    for edge in EDGES:
        points, where = section[edge], f"{path}.{edge}"
        expect(points, where, ("sites", "ordinates"))
        source_of(points, where)
        sites = mount.sections.several(points["sites"], "1", f"{where}.sites", {"least": 0, "most": 1})
        ordinates = mount.sections.several(points["ordinates"], "1", f"{where}.ordinates", {})
        if not isinstance(sites, tuple) or not isinstance(ordinates, tuple):
            raise InputError(f"{where}: sites and ordinates are lists of numbers")
        curves.append(BSpline(sites, ordinates, order))
    return mount.sections.make(MeteringValve, section, path, ignore=("order", *EDGES), coefficients=tuple(curves))


def _relief(section: Any, mount: Mount, path: str) -> Orifice | ReliefValve:
    """A throttle to the tank (`area`) or a valve with a `cracking_pressure`."""
    cracks = isinstance(section, Mapping) and "cracking_pressure" in section
    return mount.sections.make(ReliefValve, section, path) if cracks else mount.sections.make(Orifice, section, path)
