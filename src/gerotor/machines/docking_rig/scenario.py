"""One experiment on the rig: which set, which contact, compensated or not, and the start values of both halves."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.ode import Ode
from gerotor.machines.docking_rig import dynamics, parameters, physical
from gerotor.machines.docking_rig.computer import Computer
from gerotor.machines.docking_rig.parameters import AXES
from gerotor.machines.docking_rig.values import RigFile

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_SIX = ("fx", "fy", "fz", "mx", "my", "mz")


@dataclass(frozen=True)
class Scenario:
    """`noise` multiplies the sensor's noise; `dither` (m) shakes the platform; `variation` is the height of the triangle on
    stiffness and damping; `drag` (m/s) moves the rope's anchor evenly;
    `position_gain` (1/s) and `sensor_lag` (s) replace those of the file in the physical half."""

    set: str
    compensate: bool = True
    noise: float = 1.0
    dither: float = 0.0
    variation: float = 0.0
    stiffening: bool = False
    drag: tuple[float, float, float] = (0.0, 0.0, 0.0)
    position_gain: float | None = None
    sensor_lag: float | None = None

    def parameters(self, rig: RigFile) -> dict[str, float]:
        """Tunables of the physical half (those of the computed half among them)."""
        out = parameters.values(rig, self.set, variation=self.variation, stiffening=self.stiffening, drag=self.drag)
        if self.position_gain is not None:
            out["drive.position_gain"] = self.position_gain
        if self.sensor_lag is not None:
            out["sensor.lag"] = self.sensor_lag
        return out

    def settings(self, rig: RigFile) -> dict[str, float]:
        """What the computer is told."""
        axes = rig.set(self.set).axes
        return {
            "compensate": float(self.compensate), "dither": self.dither,
            "noise.force": self.noise * rig.sensor["force_noise"].si("N", "sensor.force_noise"),
            "noise.moment": self.noise * rig.sensor["moment_noise"].si("N m", "sensor.moment_noise"),
            **{f"axes.{a}": float(a in axes) for a in AXES}, "axes.moment": float(len(axes) == 3),
        }

    def start(self, rig: RigFile, ode: Ode) -> dict[str, float]:
        """States of the physical half: standing at the set's offset, everything in balance."""
        return physical.at_rest(rig, ode, rig.set(self.set).offset.vector("m", f"sets.{self.set}.offset"), self.parameters(rig))

    def computed_start(self, rig: RigFile, computer: Computer, physical_start: dict[str, float]) -> dict[str, float]:
        """Discrete states of the computer at the same instant."""
        chosen = rig.set(self.set)
        offset = chosen.offset.vector("m", f"sets.{self.set}.offset")
        anchor = rig.geometry["anchor"].vector("m", "geometry.anchor")
        out = {e.name: e.start for e in computer.states} | dynamics.start(rig, self.set)
        out |= {f"pose.{n}": physical_start[f"platform.q.{n}"] for n in _POSE}
        if computer.matched:
            out |= self._slopes(rig, computer, physical_start, out)
        settings = self.settings(rig)
        for k, name in enumerate(_SIX):
            if computer.matched and k < 3:
                out |= {f"align.{s}.{k}": anchor[k] + offset[k] for s in ("y", "p")}
            elif not computer.matched:
                share = settings[f"axes.{AXES[k]}"] if k < 3 else settings["axes.moment"]
                out |= {f"align.{s}.{k}": share * physical_start[f"sensor.s.{name}"] for s in ("y", "u")}
        return out

    def _slopes(
        self, rig: RigFile, computer: Computer, physical_start: dict[str, float], begin: dict[str, float],
    ) -> dict[str, float]:
        """The bodies' rates at the start, as if they had been so before: what the multi-step method begins with."""
        ode, settings = computer.dynamics, self.settings(rig)
        shares = [settings[f"axes.{a}"] for a in AXES] + [settings["axes.moment"]] * 3
        wrench = [share * physical_start[f"sensor.s.{n}"] for share, n in zip(shares, _SIX, strict=True)]
        inputs = dict(zip((*(f"F.{a}" for a in AXES), *(f"M.{a}" for a in AXES)), wrench, strict=True))
        all_parameters = self.parameters(rig)
        rates = ode.derivative_at(
            ode.states.pack({n: begin[n] for n in ode.states.names}), ode.inputs.pack(inputs),
            ode.parameters.pack({n: all_parameters[n] for n in ode.parameters.names}),
        )
        return {f"slopes.{k}.{n}": float(r) for k in (1, 2) for n, r in zip(ode.states.names, rates, strict=True)}
