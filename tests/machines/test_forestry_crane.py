"""The crane against the source's equations by hand, and the source's statements about full and reduced model."""

import casadi as ca
import numpy as np
import pytest
from scipy.linalg import eigvals

from gerotor.core.evaluate import evaluate
from gerotor.machines import load_machine
from gerotor.machines.controllers import controller_of
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.simulation.simulation import Simulation
from tests.machines import crane_by_hand as hand
from tests.machines.crane import JOINTS, LEVERS, POSE, assembled, both, table

Q = list(POSE.values())
ORDER = [f"arm.{k}.{n}" for k in "qv" for n in JOINTS] + [f"{n}.line{k}.{s}" for n in JOINTS for s in "pQ" for k in (1, 2)]
SIGN = np.array([1] * 6 + [1, 1, 1, -1] * 3)  # the source counts the flow of line 2 outwards


def rms(x):
    return float(np.sqrt(np.mean(np.square(x))))


def test_full_model_agrees_with_the_equations_by_hand_under_radau():
    """Opening, closing and reversing each valve; all 18 states at every command, to 1e-6 of their largest value."""
    commands = np.array([[1.5, 0, 3], [1.5, 2, 0], [0, 2, -2.5], [-1, 0, -2.5], [0, -1.5, 0]])
    expected = hand.run(hand.rest(Q), commands, 0.06, tolerance=1e-8)
    a = assembled()
    sim = Simulation(a.ode(), [], [table(commands, LEVERS, period=0.06)], "rodas4")
    rec = sim.run(0.3, 2e-5, start=a.rest(POSE), record=ORDER, record_period=0.06)
    error = np.abs(rec.values[:, 1:] * SIGN - expected) / np.abs(expected).max(axis=0)
    assert error.max() < 1e-6


def test_gravity_and_inertia_at_the_nominal_pose():
    tree = load_machine("forestry-crane").tree
    (m11, m22, m23, m33), gravity = hand.bodies(Q, [0.0] * 3)
    M = np.array(ca.DM(ca.densify(mass_matrix(tree, ca.DM(Q)))))
    np.testing.assert_allclose(M, [[m11, 0, 0], [0, m22, m23], [0, m23, m33]], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.diag(M), [9614, 8669, 926], rtol=1e-3)
    tau = np.array(ca.DM(inverse_dynamics(tree, ca.DM(Q), ca.DM.zeros(3), ca.DM.zeros(3)))).ravel()
    np.testing.assert_allclose(tau, gravity, rtol=1e-9, atol=1e-9)
    assert tau[1:] / 1e3 == pytest.approx([21.2, 2.84], rel=5e-3)
    assert [tau[i] / hand.lever(i, Q[i])[1] / 1e3 for i in (1, 2)] == pytest.approx([37.0, -6.0], rel=5e-3)


def test_modes_with_all_valves_closed():
    """2.9, 8.1 and 22.6 Hz: the oil springs at the joints against the mass matrix."""
    ode = assembled().ode()
    x, u = ode.states.pack(assembled().rest(POSE)), ode.inputs.array("start")
    slope = np.array(ca.DM(ca.densify(ode.function("slope", ca.jacobian(ode.rate, ode.x))(x, u, [], 0))))
    values = np.linalg.eigvals(slope)
    engine = np.sort(np.abs(values[values.imag > 1]) / 2 / np.pi)
    K = [hand.D**2 * 2 / hand.C[0]]
    for i in (1, 2):
        step, J = 1e-5, hand.lever(i, Q[i])[1]
        slope_J = (hand.lever(i, Q[i] + step)[1] - hand.lever(i, Q[i] - step)[1]) / 2 / step
        force = hand.bodies(Q, [0.0] * 3)[1][i] / J
        K.append(J**2 * (hand.A1[i] ** 2 + hand.A2[i] ** 2) / hand.C[i] - force * slope_J)
    (m11, m22, m23, m33), _ = hand.bodies(Q, [0.0] * 3)
    squared = eigvals(np.diag(K), [[m11, 0, 0], [0, m22, m23], [0, m23, m33]]).real
    np.testing.assert_allclose(engine, np.sort(np.sqrt(squared)) / 2 / np.pi, rtol=5e-3)
    assert engine == pytest.approx([2.9, 8.1, 22.6], rel=1e-2)


def test_stick_error_of_the_reduced_model_is_that_of_the_full_one():
    rec = both()
    full, reduced = (rec["ref.q.stick"] - rec[f"{k}.arm.q.stick"] for k in ("full", "reduced"))
    assert np.degrees(rms(full)) == pytest.approx(0.690, abs=1e-3)
    assert rms(full - reduced) < 0.01 * rms(full)
    assert rms(rec["full.stick.u"] - rec["reduced.stick.u"]) < 1e-3 * np.abs(rec["full.stick.u"]).max()


def test_boom_pressure_follows_the_stick_though_its_valve_is_shut():
    """Mismatch over the full model's swing: below 10 % with A2/C2 in (26b), above with the printed A1/C1."""
    rec = both()
    full, reduced = (rec[f"{k}.gauge.boom.p2"][2:] for k in ("full", "reduced"))
    swing = np.ptp(full)
    assert swing > 1e5 and max(np.abs(rec[f"{k}.boom.u"]).max() for k in ("full", "reduced")) < 0.5
    assert np.corrcoef(full, reduced)[0, 1] > 0.97
    assert rms(full - reduced) < 0.10 * swing
    p1i, p2i = rec["reduced.boom.p1i"][2:], rec["reduced.boom.p2i"][2:]
    printed = p2i + (p1i - rec["reduced.gauge.boom.p1"][2:])
    assert rms(full - printed) > 0.10 * swing


def test_ripple_of_the_full_model_is_the_mode_of_the_stick():
    rec = both()
    ripple = rec["full.arm.v.stick"] - rec["reduced.arm.v.stick"]
    spectrum = np.abs(np.fft.rfft(ripple * np.hanning(len(ripple))))
    frequency = np.fft.rfftfreq(len(ripple), 0.01)
    assert 15 < frequency[frequency > 2][np.argmax(spectrum[frequency > 2])] < 27


@pytest.mark.parametrize("lines", ["full", "none", "reduced"])
def test_depths_of_model_by_one_key(lines):
    assert len(assembled(lines).ode().states) == {"full": 18, "none": 12, "reduced": 6}[lines]


def test_actuator_space_form_gives_the_same_accelerations():
    """M_Eq x'' + B x' + F_S = F_act with d(J^-1)/dt = -J^-1 J' J^-1 [papadopoulos2002, eqs. 6-11] against joint space."""
    tree = load_machine("forestry-crane").tree
    parts = assembled().system.parts
    q, v = np.array([0.3, 0.5, -1.5]), np.array([0.2, -0.15, 0.3])
    force = np.array([4e3, 5e4, -9e3])
    shape = [{"J": 1.0, "K": 0.0}, *(evaluate(parts[f"{n}.linkage"].component, q=q[i]) for i, n in ((1, "boom"), (2, "stick")))]
    J, J_dot = np.array([s["J"] for s in shape]), np.array([s["K"] for s in shape]) * v
    M = np.array(ca.DM(ca.densify(mass_matrix(tree, ca.DM(q)))))
    bias = np.array(ca.DM(inverse_dynamics(tree, ca.DM(q), ca.DM(v), ca.DM.zeros(3)))).ravel()
    a = np.linalg.solve(M, J * force - bias)
    x_dot, x_ddot = J * v, J * a + J_dot * v
    inverse_rate = -J_dot / J**2
    diagonal = np.diag(np.diag(M))
    F_S = ((M - diagonal) @ (x_ddot / J) + M @ (inverse_rate * x_dot) + bias) / J  # (11)
    np.testing.assert_allclose(np.diag(M) / J**2 * x_ddot + F_S, force, rtol=1e-10)  # (9), (10)


def test_full_model_tends_to_the_reduced_one_as_its_lines_lose_their_storage():
    """All joints moving: inertance and capacitance divided by ten bring the models closer by more than five."""
    t = np.arange(0, 6.01, 0.01)
    wave = np.sin(2 * np.pi * t / 12)
    reference = table(np.column_stack([0.4 * wave, 0.35 + 0.2 * wave, -1.2 + 0.3 * wave]), [f"ref.q.{n}" for n in JOINTS], "rad")
    names = [f"arm.q.{n}" for n in JOINTS]

    def run(lines, share):
        line = [{"inertance": f"{1.2e7 * share} kg/m^4", "capacitance": f"{c * share} m^3/Pa"} for c in hand.C]
        joints = [{"name": n, "actuator": {"line": k}} for n, k in zip(JOINTS, line, strict=True)]
        a = load_machine("forestry-crane").varied({"model": {"lines": lines}, "joints": joints}).assemble()
        parts = a.loop([controller_of(a.machine, "joints", LEVERS, "V")], 0.01, POSE)
        rec = Simulation(a.ode(), parts, [reference]).run(6.0, 1e-3, start=a.rest(POSE), record=names, record_period=0.01)
        return rec.values[:, 1:]

    reduced = run("reduced", 1.0)
    whole, tenth = (run("full", share) - reduced for share in (1.0, 0.1))
    for k in range(3):
        assert rms(tenth[:, k]) < rms(whole[:, k]) / 5
