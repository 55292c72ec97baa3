"""The compiled filter against FilterPy, NumPy and its own statistics."""

import dataclasses
from functools import cache

import casadi as ca
import numpy as np
import pytest
from filterpy.kalman import KalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import chi2

from gerotor.core.ode import Block
from gerotor.errors import InputError, ParameterError, StepError, WiringError
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from tests.estimation.linear import bent, linear, oscillator

PERIOD = 0.05


def build(seed: int, n: int = 4, m: int = 2, noise: float = 0.3, sensor: float = 0.2, **options) -> Filter:
    unknowns = [Unknown(name=f"x{k}", std=1.0 + k, noise=noise * (1 + k)) for k in range(n)]
    measured = [Measured(name=f"y{k}", std=sensor * (1 + k)) for k in range(m)]
    return Filter(linear(seed, n, m), unknowns, measured, period=PERIOD, method="rk4", **options)


def samples(seed: int, rows: int, m: int = 2, missing: float = 0.3) -> tuple:
    rng = np.random.default_rng(seed)
    o = rng.normal(size=(rows, m))
    o[rng.random((rows, m)) < missing] = np.nan
    return np.arange(rows) * PERIOD, rng.normal(size=(rows, 1)), o


def filterpy_run(made: Filter, u, o) -> tuple[np.ndarray, np.ndarray]:
    model, n = made.model, made.model.size
    step = model.integrator.build(model.ode).step
    x, w = ca.MX.sym("x", n), ca.MX.sym("u", 1)
    following = step(x, [], w, [], 0, PERIOD)[0]
    f = ca.Function("f", [x, w], [ca.jacobian(following, x), ca.jacobian(following, w)])
    F, B = (np.array(v) for v in f(np.zeros(n), 0))
    y = ca.Function("h", [model.ode.x], [ca.jacobian(model.ode.y, model.ode.x)])
    H = np.array(y(np.zeros(n)))
    peer = KalmanFilter(n, len(H), 1)
    peer.x, peer.P = np.zeros((n, 1)), np.diag([q.std**2 for q in model.unknowns])
    peer.F, peer.B, peer.Q = F, B, model.process_covariance
    mean, cov = [], []
    for k in range(len(o)):
        if k:
            peer.predict(u=u[k - 1][:, None])
        there = np.isfinite(o[k])
        if there.any():
            R = np.diag([model.measured[i].std ** 2 for i in np.flatnonzero(there)])
            peer.update(o[k][there][:, None], R=R, H=H[there])
        mean.append(peer.x.ravel().copy())
        cov.append(peer.P.copy())
    return np.array(mean), np.array(cov)


@pytest.mark.parametrize("seed,n,m", [(0, 2, 1), (1, 4, 2), (2, 6, 3), (3, 9, 4)])
@pytest.mark.parametrize("kind", ["extended", "unscented"])
def test_linear_model_equals_filterpy(seed: int, n: int, m: int, kind: str) -> None:
    made = build(seed, n, m, kind=kind)
    t, u, o = samples(seed, 200, m)
    found = made.run(t, u, o, keep=True)
    mean, cov = filterpy_run(made, u, o)
    np.testing.assert_allclose(found.mean, mean, rtol=0, atol=1e-10 * np.abs(mean).max())
    np.testing.assert_allclose(found.history.posterior_cov, cov, rtol=0, atol=1e-10 * np.abs(cov).max())


@pytest.mark.parametrize("kind", ["extended", "unscented"])
def test_compiled_equals_numpy(kind: str) -> None:
    t, u, o = samples(5, 60)
    a, b = build(5, kind=kind, kappa=1.0).run(t, u, o), build(5, kind=kind, kappa=1.0, compiled=False).run(t, u, o)
    for key in ("mean", "std", "innovation", "innovation_std", "nis", "covariance"):
        np.testing.assert_allclose(getattr(a, key), getattr(b, key), rtol=1e-9, atol=1e-11, err_msg=key)


def oscillator_filter(kind: str = "extended", method: str = "trapezoid", **options) -> Filter:
    unknowns = [Unknown(name="k", std=2.0, lower=0.1), Unknown(name="q", std=0.3), Unknown(name="v", std=0.3, noise=0.1)]
    return Filter(oscillator(), unknowns, [Measured(name="y0", std=0.05)], period=0.02, kind=kind, method=method, **options)


@cache
def plant() -> tuple:
    made = oscillator_filter()
    return made.model.functions()["advance"], *made.model.noise


def oscillator_data(rows: int, seed: int, k: float = 6.0) -> tuple:
    """The plant of the filter's own discrete model, disturbed as the filter believes."""
    rng = np.random.default_rng(seed)
    step, g, q = plant()
    t = np.arange(rows) * 0.02
    u, x, truth = np.sin(3 * t)[:, None], np.array([0.3, 0.3]) * rng.normal(size=2), []
    for i in range(rows):
        if i:
            x = np.array(step(x, u[i - 1], k, 0)).ravel() + (g @ (np.sqrt(q) * rng.normal(size=len(q))))[:2]
        truth.append(x)
    truth = np.array(truth)
    return t, u, truth[:, :1] + 0.05 * rng.normal(size=(rows, 1)), truth


def test_white_acceleration_covariance() -> None:
    """[T^3/3 T^2/2; T^2/2 T] noise^2 for position and velocity."""
    T, s = 0.02, 0.1**2
    expected = s * np.array([[T**3 / 3, T**2 / 2], [T**2 / 2, T]])
    np.testing.assert_allclose(oscillator_filter().model.process_covariance[:2, :2], expected, rtol=1e-12)


@pytest.mark.parametrize("method,substeps", [("trapezoid", 1), ("trapezoid", 3), ("ros2", 2), ("extrapolated", 1), ("rk4", 1)])
def test_slopes_against_differences(method: str, substeps: int) -> None:
    model = oscillator_filter(method=method, substeps=substeps).model
    assert model.names == ["q", "v", "k"]
    f = model.functions()["predict"]
    z = np.array([0.3, -1.2, 4.5])
    _, A, B = f(z[:2], 0.7, z[2], 0.0)
    exact = np.hstack([np.array(A), np.array(B)])
    for j in range(3):
        e = np.zeros(3)
        e[j] = 1e-5
        high, low = (np.array(f((z + s * e)[:2], 0.7, (z + s * e)[2], 0.0)[0]).ravel() for s in (1, -1))
        np.testing.assert_allclose(exact[:, j], (high - low) / 2e-5, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", ["extended", "unscented"])
def test_finds_the_parameter_within_its_band(kind: str) -> None:
    t, u, o, truth = oscillator_data(1500, 3)
    found = oscillator_filter(kind).run(t, u, o)
    mean, std = found.final()["k"]
    assert abs(mean - 6.0) < 3 * std < 1.0
    assert found.coverage("q", truth[:, 0], after=2.0) > 0.9
    low, high = found.band("k")
    assert low[-1] < 6.0 < high[-1]


def test_nees_and_nis_of_a_correct_model() -> None:
    """50 runs: the mean NEES lies inside its 95 % chi-square range, and so does NIS."""
    unknowns = [Unknown(name="k", std=0.2), Unknown(name="q", std=0.3), Unknown(name="v", std=0.3, noise=0.1)]
    made = Filter(oscillator(), unknowns, [Measured(name="y0", std=0.05)], period=0.02)
    nees, nis = [], []
    for seed in range(50):
        rng = np.random.default_rng(1000 + seed)
        k = 4.0 + 0.2 * rng.normal()
        t, u, o, truth = oscillator_data(300, seed, k)
        found = made.run(t, u, o)
        nees.append(found.nees(np.array([*truth[-1], k])))
        nis.append(found.consistency()[0])
    low, high = chi2.ppf([0.025, 0.975], 50 * 3) / 50
    assert low < np.mean(nees) < high
    low, high = chi2.ppf([0.025, 0.975], 50 * 300) / (50 * 300)
    assert low < np.mean(nis) < high


def test_unscented_equals_filterpy_on_a_nonlinear_model() -> None:
    made = oscillator_filter("unscented", kappa=1.0)
    model, step = made.model, made.model.functions()["advance"]
    t, u, o, _ = oscillator_data(40, 2)
    points = MerweScaledSigmaPoints(3, alpha=1.0, beta=0.0, kappa=1.0, sqrt_method=lambda p: _upper_root(p).T)

    def move(z, dt, u):
        return np.array([*np.array(step(z[:2], u, z[2], 0)).ravel(), z[2]])

    peer = UnscentedKalmanFilter(3, 1, 0.02, lambda z: z[:1], move, points)
    peer.x, peer.P = np.array([0.0, 0.0, 4.0]), np.diag([0.09, 0.09, 4.0])
    peer.Q, peer.R = model.process_covariance, np.array([[0.0025]])
    expected = []
    for k in range(len(t)):
        if k:
            peer.predict(u=u[k - 1])
        peer.sigmas_f = points.sigma_points(peer.x, peer.P)
        peer.update(o[k])
        expected.append(peer.x.copy())
    np.testing.assert_allclose(made.run(t, u, o).mean, expected, rtol=1e-9, atol=1e-10)


def _upper_root(P: np.ndarray) -> np.ndarray:
    """S with S S' = P, upper triangular."""
    return np.linalg.cholesky(P[::-1, ::-1])[::-1, ::-1]


@hypothesis_settings(max_examples=20)
@given(sensor=st.sampled_from([1e-9, 1e-3, 1.0, 1e9]), noise=st.sampled_from([0.0, 1e-9, 1.0, 1e6]), seed=st.integers(0, 5))
def test_covariance_stays_positive(sensor: float, noise: float, seed: int) -> None:
    """Tiny and huge noise, missing samples, the same signal measured twice."""
    n = 5
    unknowns = [Unknown(name=f"x{k}", std=10.0 ** (3 * k - 6), noise=noise) for k in range(n)]
    twice = [Measured(name=name, std=sensor) for name in ("y0", "y1", "y0")]
    made = Filter(linear(0, n, 2), unknowns, twice, period=PERIOD, method="rk4")
    state = made.begin()
    t, u, o = samples(seed, 2000, 3)
    found = state.take(t, u, o)
    assert np.isfinite(found.mean).all() and (found.std >= 0).all()
    assert (state.D >= 0).all() and np.isfinite(state.U).all()
    std = np.sqrt(np.diag(state.covariance))
    if (std > 0).all():
        assert np.linalg.eigvalsh(state.covariance / np.outer(std, std)).min() > -1e-12


def test_million_steps() -> None:
    """D of U D U' is positive after 1e6 samples with a sensor that is far too good for its number."""
    made = build(1, sensor=1e-6, noise=1e-3)
    state = made.begin()
    t, u, o = samples(0, 100_000)
    for k in range(10):
        state.take(t + k * 100_000 * PERIOD, u, o)
    assert (state.D > 0).all()


def test_chunks_and_single_samples_equal_one_run() -> None:
    t, u, o = samples(7, 50)
    whole, state = build(7).run(t, u, o), build(7).begin()
    parts = [state.take(t[:20], u[:20], o[:20]), *[state.take(t[k], u[k], o[k]) for k in range(20, 50)]]
    np.testing.assert_array_equal(np.vstack([p.mean for p in parts]), whole.mean)


def test_bounds_hold() -> None:
    t, u, o, _ = oscillator_data(400, 1)
    stiffness = Unknown(name="k", std=2.0, lower=3.5, upper=5.0)
    unknowns = [stiffness, Unknown(name="q", std=0.3), Unknown(name="v", std=0.3, noise=0.1)]
    found = Filter(oscillator(), unknowns, [Measured(name="y0", std=0.05)], period=0.02).run(t, u, o)
    assert found["k"].max() == 5.0 and found["k"].min() >= 3.5


def test_gauge_offset_shifts_the_reading() -> None:
    t, u, o, _ = oscillator_data(100, 1)
    plain = oscillator_filter().run(t, u, o)
    unknowns = oscillator_filter().model.unknowns
    gauge = Filter(oscillator(), unknowns, [Measured(name="y0", std=0.05, offset=7.0)], period=0.02).run(t, u, o - 7.0)
    np.testing.assert_allclose(gauge.mean, plain.mean, rtol=0, atol=1e-12)


def test_wrong_use_is_named() -> None:
    ode = oscillator()
    sensor = [Measured(name="y0", std=0.05)]
    with pytest.raises(WiringError, match="unknown state or tunable parameter 'stiffness'"):
        Filter(ode, [Unknown(name="stiffness", std=1.0)], sensor, period=0.02)
    with pytest.raises(WiringError, match="unknown measurable signal"):
        Filter(ode, [Unknown(name="q", std=1.0)], [Measured(name="z", std=1.0)], period=0.02)
    with pytest.raises(InputError, match="given twice"):
        Filter(ode, [Unknown(name="q", std=1.0)] * 2, sensor, period=0.02)
    with pytest.raises(InputError, match="keeps a memory"):
        Filter(ode, [Unknown(name="q", std=1.0)], sensor, period=0.02, method="ab3").source()
    with pytest.raises(ParameterError, match=r"q\.std = 0: must be above 0"):
        Unknown(name="q", std=0.0)
    with pytest.raises(InputError, match="expected 1"):
        oscillator_filter().run([0.0], [[0.0, 1.0]], [[0.0]])
    with pytest.raises(InputError, match="finite in every row"):
        oscillator_filter().run([0.0], [[np.nan]], [[0.0]])


def test_estimate_that_blows_up_stops_with_its_time() -> None:
    with pytest.raises(StepError, match=r"not finite at 0\.04 s"):
        oscillator_filter().run([0.0, 0.02, 0.04], np.zeros((3, 1)), [[0.0], [0.0], [np.inf]])


@pytest.mark.parametrize("compiled", [True, False])
def test_iterations_end_at_the_most_likely_state(compiled: bool) -> None:
    """A start 0.2 rad off and a sensor 1000 times better than it: once leaves 80 standard deviations of error."""
    first, std, sensor, true = 1.25, 0.3, 1e-4, 1.05
    reading = 2 * np.cos(true / 2)

    def after(iterations: int):
        made = Filter(bent(), [Unknown(name="q", std=std)], [Measured(name="y0", std=sensor)], period=0.1, method="rk4",
                      iterations=iterations, compiled=compiled)
        return made.run([0.0], [[]], [[reading]], start={"q": first}).final()["q"]

    likely = minimize_scalar(lambda q: ((q - first) / std) ** 2 + ((reading - 2 * np.cos(q / 2)) / sensor) ** 2,
                             bounds=(0.8, 1.4), method="bounded", options={"xatol": 1e-13}).x
    mean, width = after(1)
    assert abs(mean - likely) > 30 * width
    mean, width = after(2)
    assert abs(mean - likely) < 3 * width
    assert after(6)[0] == pytest.approx(likely, abs=1e-8)


@pytest.mark.parametrize("compiled", [True, False])
def test_one_of_a_group_tells_of_the_others(compiled: bool) -> None:
    """Three equal parts, each 1 off of which 0.1 its own; x0 alone is measured: the others follow by 0.99 of it."""
    still = linear(0, 3, 3)
    x = still.x
    ode = dataclasses.replace(still, blocks=(Block("b", (0, 1, 2), ca.SX(3, 1)),), y=x)
    parts = [Unknown(name=f"x{k}", std=1.0, group="parts", own=0.1) for k in range(3)]
    made = Filter(ode, parts, [Measured(name="y0", std=0.1)], period=0.1, method="rk4", compiled=compiled)
    assert made.model.start_covariance == pytest.approx(np.where(np.eye(3) > 0, 1.0, 0.99))
    found = made.run([0.0], [[0.0]], [[2.0]])
    assert found.mean[0] == pytest.approx([2.0 / 1.01, 1.98 / 1.01, 1.98 / 1.01])
    assert found.std[0, 1] ** 2 == pytest.approx(1 - 0.99**2 / 1.01)


def test_groups_that_make_no_sense() -> None:
    with pytest.raises(ParameterError, match=r"q: group = 'parts' and own = None must be given together"):
        Unknown(name="q", std=1.0, group="parts")
    with pytest.raises(ParameterError, match=r"q\.own = 2"):
        Unknown(name="q", std=1.0, group="parts", own=2.0)
