from gerotor.core.component import Component
from gerotor.machines.actuators.friction import MODELS
from gerotor.mechanics.coulomb_viscous import CoulombViscous
from gerotor.mechanics.friction import Friction


def test_units_follow_the_joint() -> None:
    slide, hinge = (CoulombViscous(coulomb=1.0, viscous=2.0, transition_velocity=0.01, rotary=r) for r in (False, True))
    assert (slide.inputs["v"].unit, slide.outputs["F"].unit) == ("m/s", "N")
    assert (hinge.inputs["v"].unit, hinge.outputs["F"].unit) == ("rad/s", "N*m")


def test_every_law_of_the_machine_files_is_one() -> None:
    assert MODELS
    assert all(issubclass(kind, Friction) and issubclass(kind, Component) for kind in MODELS.values())
