"""The perturbation method on the arm: exact parts, order of the error, storage."""

import numpy as np
import pytest

from gerotor.control.polynomial import quintic
from gerotor.errors import InputError, ParameterError, WiringError
from gerotor.reduction.nominal import TrajectoryMotion, pieces, sample
from gerotor.reduction.perturbation import Perturbation, perturb
from tests.reduction import rx90


@pytest.fixture(scope="module")
def record() -> Perturbation:
    return perturb(rx90.system(), ["arm", "spring"], rx90.motion(), points=400, until=5.55)


def test_points_are_shared_among_the_smooth_pieces() -> None:
    grid = pieces(rx90.motion(), 400, 5.55)
    assert [len(g) - 1 for g in grid] == [19, 362, 19, 1]
    assert [(g[0], g[-1]) for g in grid] == [(0, 0.25), (0.25, 5.0), (5.0, 5.25), (5.25, 5.55)]
    assert [len(g) - 1 for g in pieces(rx90.motion(), 400, 5.55, split=False)] == [400, 1]
    with pytest.raises(ParameterError, match="points = 1: must be between 2"):
        pieces(rx90.motion(), 1, 5.55)


def test_one_sided_accelerations_and_rest() -> None:
    grid = pieces(rx90.motion(), 40, 5.55)
    _, v, a = sample(rx90.motion(), grid)
    last = len(grid[0]) - 1
    before, after = rx90.motion().at([0.25], left=True)[2], rx90.motion().at([0.25])[2]
    assert a[last] == pytest.approx(before[0])
    assert a[last + 1] == pytest.approx(after[0])
    assert np.abs(v[-2:]).max() == np.abs(a[-2:]).max() == 0


def test_nominal_torque_and_mass(record: Perturbation) -> None:
    assert np.allclose(record.M, record.M.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(record.M).min() > 0
    assert record.tau[-1] == pytest.approx(record.tau[-2])
    assert record.tau.shape == (405, 6)


def test_eigenvalues_of_the_state_space_are_those_of_the_quadratic_pencil(record: Perturbation) -> None:
    A, B, C = record.state_space(float(record.times[100]))
    M, D, K = record.M[100], record.C[100], record.K[100]
    for value in np.linalg.eigvals(A):
        pencil = value**2 * M + value * D + K
        assert np.linalg.svd(pencil, compute_uv=False)[-1] < 1e-9 * np.linalg.norm(K)
    assert B[6:] @ M == pytest.approx(np.eye(6), abs=1e-10)
    assert C[:3, :6] == pytest.approx(record.Yq[100][:3])


def test_stored_and_read_back_bit_by_bit(record: Perturbation, tmp_path) -> None:
    again = Perturbation.load(record.save(tmp_path / "rx90.npz"))
    for name in ("times", "starts", "q", "v", "a", "tau", "M", "C", "K", "G", "y", "Yq", "Yv"):
        assert np.array_equal(getattr(record, name), getattr(again, name))
    assert (again.part, again.parts, again.joints, again.drivers) == (record.part, record.parts, record.joints, record.drivers)


def test_damaged_and_foreign_files(record: Perturbation, tmp_path) -> None:
    with pytest.raises(InputError, match=r"stored as \.npz"):
        record.save(tmp_path / "rx90.txt")
    (tmp_path / "torn.npz").write_bytes(record.save(tmp_path / "rx90.npz").read_bytes()[:5000])
    for name in ("torn.npz", "absent.npz"):
        with pytest.raises(InputError, match="not a perturbation file"):
            Perturbation.load(tmp_path / name)


def test_parts_with_other_states_and_other_sizes_are_told() -> None:
    with pytest.raises(WiringError, match="leave parts with other states out"):
        perturb(rx90.system(), ["arm", "friction1"], rx90.motion(), points=10)
    wrong = TrajectoryMotion(quintic([0, 1], [[0, 0], [1, 1]]))
    with pytest.raises(InputError, match="the motion has 2 coordinates, arm has 6"):
        perturb(rx90.system(), ["arm"], wrong, points=10)


def test_motion_in_joint_coordinates() -> None:
    motion = TrajectoryMotion(quintic([0, 1], [[0.1] * 6, [0.5] * 6]))
    record = perturb(rx90.system(), ["arm", "spring"], motion, points=20, until=1.5)
    assert record.q[0] == pytest.approx([0.1] * 6)
    assert record.q[-1] == pytest.approx([0.5] * 6)
