import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gerotor.assembly.system import System
from gerotor.core.component import Signals
from gerotor.errors import ParameterError, WiringError
from gerotor.mechanics.energy import kinetic_energy, potential_energy
from gerotor.mechanics.multibody import Multibody
from tests.mechanics.kim_arm import kim_arm
from tests.mechanics.peers import pinocchio_peer, random_tree


def free(tree, **options):
    system = System("m")
    part = system.add("arm", Multibody(tree=tree, **options)).connect(tau=ca.SX.zeros(tree.size))
    return system, part


def test_free_motion_keeps_its_energy():
    tree = random_tree(8, 7)
    system, part = free(tree)
    system.output("energy", "J", kinetic_energy(tree, part.q, part.v) + potential_energy(tree, part.q))
    ode = system.ode()
    start = np.concatenate([np.random.default_rng(1).normal(size=tree.size), np.zeros(tree.size)])
    rate = ode.function("rate", ode.rate)
    run = solve_ivp(lambda t, x: np.array(rate(x, [], [], t)).ravel(), (0, 1.0), start, method="DOP853", rtol=1e-11, atol=1e-11)
    energy = ode.function("energy", ode.signal("energy"))
    values = [float(energy(x, [], [], 0)) for x in run.y.T[:: max(1, run.y.shape[1] // 20)]]
    moved = float(ca.Function("t", [ode.x], [kinetic_energy(tree, ode.x[: tree.size], ode.x[tree.size:])])(run.y[:, -1]))
    assert moved > 10
    assert np.ptp(values) < 1e-8 * moved


def test_accelerations_agree_with_pinocchio():
    tree = random_tree(4, 8)
    system = System("m")
    tau = ca.vertcat(*[system.input(f"tau{k}", "N*m") for k in range(tree.size)])
    system.add("arm", Multibody(tree=tree)).connect(tau=tau)
    ode = system.ode()
    q, v, t = np.random.default_rng(2).normal(size=(3, tree.size))
    acceleration = ode.derivative_at(np.concatenate([q, v]), u=t)[tree.size:]
    peer = pinocchio_peer(tree)
    np.testing.assert_allclose(peer.tau(q, v, acceleration), t, atol=1e-9 * np.abs(peer.tau(q, v, acceleration * 0)).max())


def test_wrench_and_payload_are_inputs():
    tree = kim_arm()
    system = System("m")
    mass = system.input("mass", "kg", start=40.0)
    push = system.input("push", "N")
    part = system.add("arm", Multibody(tree=tree, positions=("tcp",), wrenches=("tcp",), loads=("tool",)))
    part.connect(tau=ca.SX.zeros(6), wrench_tcp=ca.vertcat(0, 0, push, 0, 0, 0), mass_tool=mass)
    ode = system.ode()
    assert ode.outputs.names == ["arm.tcp.x", "arm.tcp.y", "arm.tcp.z"]
    assert [e.unit for e in ode.states][:3] == ["rad", "m", "rad"]
    force = ode.function("force", ode.blocks[0].force, ode.blocks[0].mass)
    loaded, m40 = force(np.zeros(12), [40, 0], [], 0)
    bare, m0 = force(np.zeros(12), [0, 0], [], 0)
    held, _ = force(np.zeros(12), [40, 40 * 9.81], [], 0)
    np.testing.assert_allclose(np.array(loaded).ravel()[2], -3001.6, atol=0.05)
    np.testing.assert_allclose(np.array(held), np.array(bare), atol=1e-9)
    np.testing.assert_allclose(float(m40[5, 5] - m0[5, 5]), 0.6)


def test_ranges_of_the_states():
    states = Multibody(tree=kim_arm(), margin=0.5).states
    assert states["q"].lower[1] == pytest.approx(-0.2)
    assert states["q"].upper[1] == pytest.approx(0.6)


def test_wrong_names_are_told():
    with pytest.raises(WiringError, match="unknown frame 'tpc'; known: tcp"):
        Multibody(tree=kim_arm(), positions=("tpc",))
    with pytest.raises(WiringError, match="unknown payload 'tol'"):
        Multibody(tree=kim_arm(), loads=("tol",))
    with pytest.raises(ParameterError, match="margin = -1: must be at least 0"):
        Multibody(tree=kim_arm(), margin=-1)


def test_rotors_behind_coupled_gears_are_added_to_the_mass_matrix() -> None:
    arm, rotors = kim_arm(), np.diag(range(1, 7)) + 0.1
    x, u = Signals(q=ca.SX.zeros(6)), Signals()
    bare, with_rotors = (np.array(ca.DM(Multibody(tree=arm, rotors=r).mass(x, u))) for r in (None, rotors))
    assert with_rotors - bare == pytest.approx(rotors)
    with pytest.raises(WiringError, match="rotors must be 6 x 6"):
        Multibody(tree=arm, rotors=np.eye(5))
