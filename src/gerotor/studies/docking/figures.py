"""The source's figures 11 to 28, redrawn."""

from __future__ import annotations

from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.docking.experiment import Everything, Experiment
from gerotor.studies.docking.runs import POSE

_AXES = ("x", "y", "z")


def figures(e: Everything) -> list[Figure]:
    """In the source's order."""
    out = _one_axis(e.single, ("11", "12", "13"))
    out += _six_axes(e.six, "14, 15") + _identified(e.six, "16") + _wrench(e.six, "17")
    out += _six_axes(e.varying, "18") + _identified(e.varying, "19")
    out += _one_axis(e.spring_slow, ("21", "22", "23")) + _one_axis(e.spring_fast, ("24", "22, second set", "25"))
    out += _six_axes(e.rope, "26, 27")
    rope = Figure("Figure 28: identified stiffness of a stiffening rope", y="stiffness [N/m]")
    for a in _AXES:
        rope.add(e.stiffening.time[50:], e.stiffening[f"stiffness.{a}"][50:], a)
    out.append(rope)
    grown = Figure("Delay sweep", x="delay over critical delay", y="growth rate over largest")
    grown.caption = "below zero the motion dies out"
    for s in e.sweeps:
        largest = max(abs(g) for g in s.growth)
        grown.add([d / s.predicted for d in s.delays], [g / largest for g in s.growth], s.set, mode="lines+markers")
    return [*out, grown]


def tables(e: Everything) -> list[TableRows]:
    """The sweep and the deviations as numbers."""
    rows = [
        [s.set, f"{1e3 * s.pure:.3f}", f"{1e3 * s.predicted:.3f}", f"{1e3 * s.found:.3f}", f"{s.mode:.3f}",
         ", ".join(f"{g:+.4f}" for g in s.growth)] for s in e.sweeps
    ]
    titles = ("set", "pure [ms]", "with hold [ms]", "found by runs [ms]", "mode [Hz]", "growth [1/s]")
    sweep = TableRows("Critical delay", titles, rows)
    ways = [
        [x.title, f"{100 * x.error('bare'):.1f}", f"{100 * x.error('published'):.2f}", f"{100 * x.error():.2f}",
         f"{100 * x.error(group='actual'):.2f}", ", ".join(f"{d:.3f}" for d in x.damping("published")),
         ", ".join(f"{d:.3f}" for d in x.damping())]
        for x in (e.single, e.six, e.varying, e.spring_slow, e.spring_fast, e.rope)
    ]
    heads = ("scenario", "uncompensated [%]", "as published [%]", "ours [%]", "ours, actual platform [%]",
             "damping over true, published", "damping over true, ours")
    return [TableRows("Deviation from the ideal, RMS", heads, ways), sweep]


def _one_axis(x: Experiment, numbers: tuple[str, str, str]) -> list[Figure]:
    motion = Figure(f"Figure {numbers[0]}: motion of the control point, {x.title}", y="z [mm]")
    force = Figure(f"Figure {numbers[2]}: contact force, {x.title}", y="force [N]")
    motion.add(x.ideal.time, 1e3 * x.ideal["control.z"], "ideal")
    motion.add(x.ours.time, 1e3 * x.ours["desired.z"], "compensated, computed", "dash")
    motion.add(x.ours.time, 1e3 * x.ours["actual.z"], "compensated, platform", "dot")
    motion.add(x.bare.time, 1e3 * x.bare["desired.z"], "without compensation")
    force.add(x.ideal.time, x.ideal["force.z"], "ideal")
    force.add(x.ours.time, x.ours["force.z"], "compensated", "dash")
    force.add(x.bare.time, x.bare["force.z"], "without compensation")
    return [motion, *_identified(x, numbers[1]), force]


def _identified(x: Experiment, number: str) -> list[Figure]:
    out = []
    for what, unit, true in (("stiffness", "N/m", "rope.k"), ("damping", "N s/m", "rope.c")):
        figure = Figure(f"Figure {number}: identified {what}, {x.title}", y=f"{what} [{unit}]")
        for a in x.axes:
            figure.add(x.ours.time, x.ours[f"{what}.{a}"], f"{a}, ours")
            figure.add(x.published.time, x.published[f"{what}.{a}"], f"{a}, as published", "dot")
            figure.add(x.ideal.time, x.ideal[f"{true}.{a}"], f"{a}, true", "dash")
        out.append(figure)
    return out


def _six_axes(x: Experiment, number: str) -> list[Figure]:
    out = []
    for name in POSE:
        true = f"control.{name}" if name in _AXES else f"bodies.phi_craft.{_AXES[POSE.index(name) - 3]}"
        unit = "mm" if name in _AXES else "mrad"
        figure = Figure(f"Figure {number}: {name} of the control point, {x.title}", y=f"{name} [{unit}]")
        figure.add(x.ideal.time, 1e3 * x.ideal[true], "ideal")
        figure.add(x.ours.time, 1e3 * x.ours[f"actual.{name}"], "compensated, platform", "dash")
        figure.add(x.bare.time, 1e3 * x.bare[f"actual.{name}"], "without compensation", "dot")
        out.append(figure)
    return out


def _wrench(x: Experiment, number: str) -> list[Figure]:
    out = []
    for group, unit in (("force", "N"), ("moment", "N m")):
        figure = Figure(f"Figure {number}: compensated {group}, {x.title}", y=f"{group} [{unit}]")
        for a in _AXES:
            figure.add(x.ideal.time, x.ideal[f"{group}.{a}"], f"{a}, ideal")
            figure.add(x.ours.time, x.ours[f"{group}.{a}"], f"{a}, compensated", "dash")
        out.append(figure)
    return out
