"""Servo valve and cylinder on a slide, across a joint and between frames: speeds and frequencies worked by hand."""

import math
from typing import Any

import numpy as np
import pytest

from gerotor.core.linearise import Linearisation
from gerotor.errors import InputError
from gerotor.machines.load import find_machine, validate
from gerotor.machines.machine import Machine
from gerotor.simulation.simulation import Simulation

A1, A2 = math.pi / 4 * 0.05**2, math.pi / 4 * (0.05**2 - 0.03**2)
PS, B, MASS = 140e5, 1e9, 200.0
DRIVE: dict[str, Any] = {
    "kind": "servo-cylinder", "source": "test",
    "valve": {"rated_flow": "40 L/min", "rated_drop": "70 bar", "rated_current": "20 mA", "time_constant": "2 ms", "corner": 1e-3,
              "source": "test"},
    "cylinder": {"bore": "50 mm", "rod": "30 mm", "stroke": "0.5 m", "retracted_length": "0.7 m", "source": "test"},
    "side_1": {"dead_volume": "0.1 L", "source": "test"}, "side_2": {"dead_volume": "0.1 L", "source": "test"},
}
GEOMETRY = {"base_distance": "0.6 m", "rod_distance": "0.5 m", "angle": "90 deg", "source": "test"}


def machine(joint: dict[str, Any], **more: Any) -> Machine:
    document = {
        "name": "axis", "title": "one axis", "oil": {"bulk_modulus": "1 GPa", "density": "870 kg/m^3", "source": "test"},
        "supply": {"pressure": "140 bar", "tank": "0 bar", "source": "test"},
        "joints": [{"name": "a", "source": "test", **joint}], **more,
    }
    path = find_machine("four-bar")
    return Machine(validate(document, path), document, path)


def slide(**drive: Any) -> Machine:
    link = {"mass": "200 kg", "com": ["0 m"] * 3, "inertia": ["1 kg*m^2"] * 3, "source": "test"}
    return machine({"type": "prismatic", "axis": [1, 0, 0], "range": ["0 m", "0.5 m"], "link": link, "actuator": DRIVE | drive})


def beam(actuator: dict[str, Any], **more: Any) -> Machine:
    link = {"mass": "80 kg", "com": ["0.5 m", "0 m", "0 m"], "inertia": ["0.1 kg*m^2", "8 kg*m^2", "8 kg*m^2"], "source": "test"}
    joint = {"type": "revolute", "axis": [0, -1, 0], "range": ["-60 deg", "60 deg"], "link": link, "actuator": actuator}
    return machine(joint, **more)


def test_speed_of_a_slide() -> None:
    """A1 v = K r sqrt(ps - p1), A2 v = K r sqrt(p2), A1 p1 = A2 p2: v = K r sqrt(ps / (A1^2 + A2^3 / A1))."""
    made = slide().assemble()
    run = Simulation(made.ode()).run(0.8, 1e-3, start=made.rest({"a": 0.05}), inputs={"a.i": 0.004})
    gain = 40e-3 / 60 / math.sqrt(70e5 / 2)
    assert run["arm.v.a"][-1] == pytest.approx(gain * 0.2 * math.sqrt(PS / (A1**2 + A2**3 / A1)), rel=1e-3)


def test_frequency_of_the_closed_axis() -> None:
    """w^2 = B / m (A1^2 / V1 + A2^2 / V2)."""
    made, q = slide().assemble(), 0.2
    model = Linearisation(made.ode()).at(made.rest({"a": q}))
    w = math.sqrt(B / MASS * (A1**2 / (1e-4 + A1 * q) + A2**2 / (1e-4 + A2 * (0.5 - q))))
    assert np.abs(np.linalg.eigvals(model.A).imag).max() == pytest.approx(w, rel=2e-3)


@pytest.mark.parametrize("friction", [{}, {"friction": {"model": "coulomb-viscous", "coulomb": "100 N", "viscous": "500 N*s/m",
                                                        "transition_velocity": "1 mm/s", "source": "test"}}])
def test_across_a_joint_the_weight_is_held(friction: dict[str, Any]) -> None:
    made = beam(DRIVE | friction | {"geometry": GEOMETRY}).assemble()
    start = made.rest({"a": 0.3})
    ode = made.ode()
    rate = ode.derivative_at(ode.states.pack(start))
    assert np.abs(rate[ode.states.index("arm.v.a")]) < 1e-9
    l = math.sqrt(0.6**2 + 0.5**2 - 2 * 0.6 * 0.5 * math.cos(math.pi / 2 + 0.3))
    force = 80 * 9.81 * 0.5 * math.cos(0.3) / (0.6 * 0.5 * math.sin(math.pi / 2 + 0.3) / l)
    assert A1 * start["a.side_1.p"] - A2 * start["a.side_2.p"] == pytest.approx(force, rel=1e-9)


def lifted(joint: str | None) -> Machine:
    """Eyes at the triangle's corners; the base eye hangs straight below the pivot."""
    eyes = [
        {"name": "base_eye", "joint": None, "position": ["0 m", "0 m", "-0.6 m"], "source": "test"},
        {"name": "rod_eye", "joint": "a", "position": ["0.5 m", "0 m", "0 m"], "source": "test"},
    ]
    lift = {"name": "lift", "a": "base_eye", "b": "rod_eye", "joint": joint, "actuator": DRIVE, "source": "test"}
    return beam({"kind": "free", "source": "test"}, frames=eyes, cylinders=[lift])


def test_a_leaking_cylinder_is_trimmed_whether_a_joint_is_assigned_to_it_or_not() -> None:
    told, untold = (lifted(joint).assemble().trim({"a": 0.1}) for joint in ("a", None))
    assert told["lift.i"] != 0 and untold == pytest.approx(told, rel=1e-6, abs=1e-12)


def test_between_frames_is_the_same_as_across_the_joint() -> None:
    runs = []
    for made, name in (
        (beam(DRIVE | {"geometry": GEOMETRY}).assemble(), "a"),
        (lifted("a").assemble(), "lift"),
    ):
        start = made.balance({"a": 0.1}, free_inputs=[f"{name}.i"])
        assert 0 < abs(start.pop(f"{name}.i")) < 1e-3  # the rounded edges leak: the valve makes up for it
        assert {**start, **made.rest({"a": 0.1})} == pytest.approx(start, rel=1e-6, abs=1e-6)
        run = Simulation(made.ode()).run(0.5, 1e-3, start=start, inputs={f"{name}.i": 0.005})
        runs.append(run["arm.q.a"])
    assert np.ptp(runs[0]) > 0.02
    np.testing.assert_allclose(runs[1], runs[0], rtol=1e-8, atol=1e-10)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InputError, match=r"a\.actuator\.geometry is missing"):
        beam(DRIVE).assemble()
    with pytest.raises(InputError, match="unknown key 'geometry'"):
        slide(geometry=GEOMETRY).assemble()
