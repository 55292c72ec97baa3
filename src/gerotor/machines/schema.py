"""The structure of a machine file. What a component needs is checked against the component itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gerotor.machines.quantity import Acceleration, Inertia, Kilograms, Metres, Radians, Seconds

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_\-]{0,40}$")]
Source = Annotated[str, Field(min_length=3, max_length=600)]
Section = dict[str, Any]
Component = Annotated[float, Field(ge=-1e6, le=1e6)]
Vector = Annotated[list[Metres], Field(min_length=3, max_length=3)]
Angles = Annotated[list[Radians], Field(min_length=3, max_length=3)]


class Spec(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DHSpec(Spec):
    """A modified Denavit-Hartenberg row at zero joint position."""

    alpha: Radians
    a: Metres
    d: Metres
    theta: Radians
    source: Source


class OriginSpec(Spec):
    """Joint frame in the parent's frame: position, then roll, pitch, yaw."""

    position: Vector = [0.0, 0.0, 0.0]
    rpy: Angles = [0.0, 0.0, 0.0]
    source: Source


class BodySpec(Spec):
    """Mass, centre of mass, inertia about it (xx, yy, zz or with xy, xz, yz)."""

    mass: Kilograms
    com: Vector = [0.0, 0.0, 0.0]
    inertia: list[Inertia] = [0.0, 0.0, 0.0]
    source: Source


class EndStopSpec(Spec):
    """Soft end stop at the joint's range: units of the joint's kind."""

    stiffness: Any
    damping: Any
    width: Any
    source: Source


class ModelSpec(Spec):
    """How deep drives behind lines and closing valves are modelled.

    lines            full: inertance, capacitance, resistance; reduced: resistance only, a joint is
                     locked while its valve is closed; none: capacitance only, valve at the actuator
    valve_closure    switched: closed-valve equations while the valve is closed; max-resistance: the
                     open-valve equations throughout, so that the closed valve leaks
    follower_time    of the flow or speed that a closed valve will open with
    """

    lines: Literal["full", "reduced", "none"] = "full"
    valve_closure: Literal["switched", "max-resistance"] = "switched"
    follower_time: Seconds = 0.01
    source: Source = "[papadopoulos2002, eq. 15]"

    @property
    def switched(self) -> bool:
        return self.valve_closure == "switched"

    @property
    def locks(self) -> bool:
        """Whether joints are locked while their valves are closed."""
        return self.lines == "reduced" and self.switched


class JointSpec(Spec):
    """One joint with the link it carries and what drives it."""

    name: Name
    type: Literal["revolute", "prismatic", "fixed"]
    parent: Name | None = None
    dh: DHSpec | None = None
    origin: OriginSpec | None = None
    axis: Annotated[list[Component], Field(min_length=3, max_length=3)] = [0.0, 0.0, 1.0]
    range: Annotated[list[Any], Field(min_length=2, max_length=2)] | None = None
    velocity: Any = None
    link: BodySpec | None = None
    rotor_inertia: Any = 0.0
    end_stop: EndStopSpec | None = None
    actuator: Section | None = None
    source: Source

    @model_validator(mode="after")
    def _one_placement(self) -> JointSpec:
        if self.dh is not None and self.origin is not None:
            raise ValueError("give dh or origin, not both")
        return self


class FrameSpec(Spec):
    """A named frame on a joint's link."""

    name: Name
    joint: Name | None
    position: Vector = [0.0, 0.0, 0.0]
    rpy: Angles = [0.0, 0.0, 0.0]
    source: Source


class PayloadSpec(BodySpec):
    """A body carried at a frame; `variable` makes its mass an input of the run."""

    name: Name
    frame: Name
    variable: bool = False


class CylinderSpec(Spec):
    """A cylinder from frame `a` to frame `b` (none: the base), across any joints between them.

    `actuator` is a section of a kind of cylinder, without its linkage; `joint` is the one a controller moves by it.
    """

    name: Name
    a: Name | None = None
    b: Name | None = None
    joint: Name | None = None
    actuator: Section
    source: Source


class LoopSpec(Spec):
    """A closed loop: frames `a` and `b` (none: the base) held together."""

    name: Name
    kind: Literal["revolute", "point", "distance"]
    a: Name | None = None
    b: Name | None = None
    length: Metres | None = None
    source: Source

    @model_validator(mode="after")
    def _length(self) -> LoopSpec:
        if (self.length is not None) != (self.kind == "distance"):
            raise ValueError("length belongs to a loop of kind distance, and only to that")
        return self


class AssemblySpec(Spec):
    """Where closed loops start: joint positions (a guess for all but the independent joints)."""

    start: dict[Name, Any]
    independent: list[Name] | None = None
    source: Source


class MachineFile(Spec):
    """A whole machine."""

    name: Name
    title: str
    extends: str | None = None
    kind: Literal["manipulator"] = "manipulator"
    gravity: Annotated[list[Acceleration], Field(min_length=3, max_length=3)] = [0.0, 0.0, -9.81]
    oil: Section | None = None
    supply: Section | None = None
    model: ModelSpec = ModelSpec()
    joints: Annotated[list[JointSpec], Field(min_length=1, max_length=100)]
    frames: list[FrameSpec] = []
    payloads: list[PayloadSpec] = []
    cylinders: list[CylinderSpec] = []
    loops: list[LoopSpec] = []
    assembly: AssemblySpec | None = None
    drives: Section | None = None
    frictions: list[Section] = []
    springs: list[Section] = []
    controllers: dict[Name, Section] = {}
    tunable: list[str] = []
    notes: str = ""
    source: Source = "see the parts"

    @model_validator(mode="after")
    def _unique(self) -> MachineFile:
        names = [j.name for j in self.joints] + [f.name for f in self.frames] + [c.name for c in self.cylinders]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"duplicate name {', '.join(twice)}: every joint, frame and cylinder needs its own")
        if bool(self.loops) != (self.assembly is not None):
            raise ValueError("loops need an assembly (start positions of the joints), and only loops do")
        return self
