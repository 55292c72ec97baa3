"""A robot from a URDF file, live: its own shapes and meshes, its joints under computed torque.

    tau = ID(q, v, r'' + 2 w (r' - v) + w^2 (r - q)),  within the joints' efforts                       (1)

ID is the inverse dynamics, r the set-point, w = 20 rad/s. A URDF file knows no drives: these are ideal.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from gerotor.assembly.system import System
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import InputError
from gerotor.machines.load import find_machine, read_yaml
from gerotor.machines.machine import Machine
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.multibody import Multibody
from gerotor.mechanics.tree import Tree
from gerotor.mechanics.urdf import read_urdf, tree_from_urdf
from gerotor.realtime.operator import operator, operator_levers
from gerotor.realtime.stage import Gauge, Skin, Stage
from gerotor.simulation.simulation import Simulation

PERIOD, BANDWIDTH = 1e-3, 20.0
PAINT = ((246, 164, 30), (84, 92, 104))


def urdf_stage(path: str) -> Stage:
    """Levers and sliders set where the joints go."""
    tree = tree_from_urdf(path)
    joints, tool = tree.moving, _tool(tree)
    if not joints:
        raise InputError(f"{path}: no joint of it moves")
    q0 = np.array([min(max(0.0, j.lower), j.upper) for j in joints])
    system = System(Path(path).stem)
    arm = system.add("arm", Multibody(tree=tree, positions=(tool,)))
    levers = operator_levers(system, joints, q0)
    arm.connect(tau=ca.vertcat(*[system.input(f"{j.name}.tau", j.force_unit) for j in joints]))
    ode = system.ode()
    _check_masses(path, ode)
    parts = [operator(joints, q0, PERIOD, np.eye(len(joints))), _computed_torque(tree)]
    names = [j.name for j in joints]
    efforts = [j.effort for j in joints if np.isfinite(j.effort)]
    return Stage(
        name="operate", title="Operate: joints follow levers and sliders, drives ideal", tree=tree,
        joints=tuple(f"arm.q.{n}" for n in names), build=lambda method: Simulation(ode, parts, method=method),
        start={f"arm.q.{n}": float(q) for n, q in zip(names, q0, strict=True)}, step=PERIOD, levers=levers, tool=tool,
        gauges=(
            Gauge("Tracking error", joints[0].unit, tuple(f"ref.q.{n}" for n in names), tuple(f"arm.q.{n}" for n in names)),
            Gauge("Joint speeds", f"{joints[0].unit}/s", tuple(f"arm.v.{n}" for n in names)),
            Gauge("Joint torques", joints[0].force_unit, tuple(f"{n}.tau" for n in names), top=max(efforts, default=None)),
        ),
        also=tuple(f"arm.{tool}.{a}" for a in "xyz"), solids=_skins(Path(path)),
        safe={"operator.mode": 1.0, **{lever.input: 0.0 for lever in levers}},
    )


def shapes_of(machine: Machine) -> tuple[Skin, ...]:
    """The shapes of the URDF file that a machine file extends; none where it extends none."""
    path, base = machine.path, machine.document.get("extends")
    for _ in range(5):
        if not isinstance(base, str):
            return ()
        near = path.parent / base
        path = near if near.is_file() else find_machine(base)
        if path.suffix == ".urdf":
            return _skins(path)
        base = read_yaml(path).get("extends")
    return ()


def _computed_torque(tree: Tree) -> Sampled:
    names, n = tree.names, tree.size
    limit = ca.DM([min(j.effort, 1e12) for j in tree.moving])

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        q, v, wanted, speed, push = (r[k * n : (k + 1) * n] for k in range(5))
        a = push + 2 * BANDWIDTH * (speed - v) + BANDWIDTH**2 * (wanted - q)
        tau = inverse_dynamics(tree, q, v, a)  # (1)
        return d, ca.fmin(ca.fmax(tau, -limit), limit)

    return Sampled(
        "drive", PERIOD,
        reads=(*(f"arm.{s}.{j}" for s in "qv" for j in names), *(f"setpoint.{s}.{j}" for s in "qva" for j in names)),
        holds=Layout(tuple(Entry(f"{j.name}.tau", j.force_unit) for j in tree.moving)), states=Layout(()), update=update,
    )


def _tool(tree: Tree) -> str:
    """The outermost frame: of the last joint, or the joint itself."""
    last = tree.joints[-1].name
    return next((f.name for f in tree.frames if f.joint == last), last)


def _check_masses(path: str, ode: Any) -> None:
    block = next(b for b in ode.blocks if b.name == "arm")
    mass = np.array(ode.function("mass", block.mass)(ode.states.array("start"), ode.inputs.array("start"), [], 0.0))
    if np.linalg.eigvalsh((mass + mass.T) / 2).min() < 1e-9:
        raise InputError(f"{path}: a moving link has neither mass nor inertia; give it an <inertial>")


def _skins(path: Path) -> tuple[Skin, ...]:
    """The visual shapes of every link, in its own axes; shapes that cannot be read are named and left out."""
    robot = read_urdf(path)
    moved_by = {joint.child: joint.name for joint in robot.joints}
    out = []
    for k, link in enumerate(robot.links):
        for i, visual in enumerate(link.visuals):
            try:
                mesh = _mesh(visual.geometry, path.parent)
            except Exception as error:  # mesh readers raise whatever they like
                warnings.warn(f"{path}: a shape of link {link.name!r} is not drawn ({str(error).splitlines()[0]})", stacklevel=2)
                continue
            if visual.origin is not None:
                mesh = mesh.copy()
                mesh.apply_transform(visual.origin)
            out.append(Skin(f"{link.name}_{i}", moved_by.get(link.name), np.asarray(mesh.vertices, dtype=np.float64),
                            np.asarray(mesh.faces, dtype=np.int64), _colour(visual.material, robot, PAINT[k % 2])))
    return tuple(out)


def _mesh(geometry: Any, folder: Path) -> Any:
    import trimesh
    from yourdfpy.urdf import filename_handler_magic

    if geometry.box is not None:
        return trimesh.creation.box(extents=geometry.box.size)
    if geometry.cylinder is not None:
        return trimesh.creation.cylinder(radius=geometry.cylinder.radius, height=geometry.cylinder.length)
    if geometry.sphere is not None:
        return trimesh.creation.icosphere(subdivisions=2, radius=geometry.sphere.radius)
    mesh = trimesh.load(filename_handler_magic(geometry.mesh.filename, str(folder)), force="mesh")
    if geometry.mesh.scale is not None:
        mesh.apply_scale(geometry.mesh.scale)
    return mesh


def _colour(material: Any, robot: Any, usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """The link's own colour, by value or by name."""
    known: Mapping[str, Any] = {m.name: m for m in robot.materials}
    if material is not None and material.color is None:
        material = known.get(material.name)
    if material is None or material.color is None:
        return usual
    red, green, blue = (int(255 * min(max(float(c), 0.0), 1.0)) for c in material.color.rgba[:3])
    return red, green, blue
