"""Platform dynamics: check values of the mass matrix, weight, energy, power balance."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gerotor.assembly.system import System
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.stewart import StewartGeometry
from gerotor.mechanics.stewart_platform import StewartPlatform

ANGLE = np.radians(12)
RIG = StewartGeometry.paired(base_radius=1.30, base_angle=ANGLE, platform_radius=0.80, platform_angle=ANGLE)
HOME = (0.0, 0.0, 1.5, 0.0, 0.0, 0.0)


def platform(**changes):
    values = {
        "geometry": RIG, "platform_mass": 350.0, "centre": (0.0, 0.0, 0.0), "inertia": (45.0, 45.0, 80.0),
        "cylinder_mass": 25.0, "cylinder_centre": 0.45, "cylinder_inertia": 2.5,
        "rod_mass": 12.0, "rod_centre": 0.45, "rod_inertia": 0.8,
        "drive_mass": 0.0, "gravity": 9.81, "home": HOME,
    }
    return StewartPlatform(**(values | changes))


def ode(part):
    system = System("rig")
    p = system.add("platform", part)
    f = ca.vertcat(*[system.input(f"f{k}", "N") for k in range(6)])
    p.connect(f=f, F=ca.SX.zeros(3), M=ca.SX.zeros(3))
    return system.ode()


def test_mass_matrix_at_home():
    q = ca.SX.sym("q", 6)
    M = np.asarray(ca.Function("M", [q], [platform().mass_matrix(q)])(HOME))
    np.testing.assert_allclose(np.diag(M), [408.036, 408.036, 418.488, 66.916, 66.916, 118.047], atol=5e-4)
    assert M[0, 4] == pytest.approx(0.8195, abs=5e-5)
    assert M[1, 3] == pytest.approx(-0.8195, abs=5e-5)
    inverse = np.linalg.inv(RIG.matrix(HOME))
    leg_space = np.linalg.eigvalsh(inverse.T @ M @ inverse)
    np.testing.assert_allclose(leg_space, [44.57, 44.57, 89.81, 152.54, 679.51, 679.51], atol=5e-3)


def test_static_leg_force():
    massless = platform(cylinder_mass=0.0, cylinder_inertia=0.0, rod_mass=0.0, rod_inertia=0.0)
    model = ode(massless)
    force = np.full(6, 649.36)
    residual = model.derivative_at(model.states.pack(), force)
    assert np.abs(residual).max() < 2e-4
    assert 350 * 9.81 / 6 / (1.5 / RIG.inverse(HOME)[0]) == pytest.approx(649.36, abs=5e-3)


def test_energy_is_conserved_in_free_motion():
    part = platform(centre=(0.03, -0.02, 0.1), drive_mass=50.0)
    model = ode(part)
    q, v = model.x[:6], model.x[6:]
    energy = ca.Function("E", [model.x], [v.T @ part.mass_matrix(q) @ v / 2 + potential(part, q)])
    rate = ca.Function("rate", [model.x, model.u], [model.rate], {"cse": True})
    x0 = np.array([*HOME, 0.1, -0.2, 0.3, 0.2, -0.1, 0.3])
    push = np.zeros(6)
    run = solve_ivp(lambda t, x: np.asarray(rate(x, push)).ravel(), (0, 0.3), x0, method="DOP853", rtol=1e-12, atol=1e-12)
    before, after = float(energy(x0)), float(energy(run.y[:, -1]))
    assert abs(run.y[2, -1] - 1.5) > 0.05
    assert after == pytest.approx(before, rel=1e-10)


def potential(part, q):
    """Weight times height of platform, cylinders and rods."""
    height = part.platform_mass * (q[2] + (attitude(q[3:]) @ ca.DM(part.centre))[2])
    l, n, _ = RIG.legs(q)
    for k in range(6):
        height += (part.cylinder_mass * part.cylinder_centre + part.rod_mass * (l[k] - part.rod_centre)) * n[2, k]
    return part.gravity * height


def test_power_of_the_legs_enters_the_kinetic_energy():
    """d(kinetic + potential)/dt = f . l' at any state."""
    part = platform(drive_mass=1184.0)
    model = ode(part)
    q, v = model.x[:6], model.x[6:]
    energy = v.T @ part.mass_matrix(q) @ v / 2 + potential(part, q)
    l_rate = ca.vertcat(*[model.signal(f"platform.l_rate.{k}") for k in range(1, 7)])
    balance = ca.Function("b", [model.x, model.u], [ca.jtimes(energy, model.x, model.rate), ca.dot(l_rate, model.u)])
    rng = np.random.default_rng(2)
    for _ in range(5):
        x = np.array([*HOME, *np.zeros(6)]) + 0.1 * rng.standard_normal(12)
        gained, given = (float(b) for b in balance(x, 1000 * rng.standard_normal(6)))
        assert gained == pytest.approx(given, rel=1e-9, abs=1e-7)
