import numpy as np
import pytest
from filterpy.kalman import rts_smoother  # type: ignore[attr-defined]

from gerotor.errors import InputError
from gerotor.estimation.smoother import smooth
from tests.estimation.test_filter import build, filterpy_run, oscillator_data, oscillator_filter, samples


def test_equals_filterpy() -> None:
    made = build(4)
    t, u, o = samples(4, 80, missing=0.2)
    u = 0 * u
    found = smooth(made.run(t, u, o, keep=True))
    mean, cov = filterpy_run(made, u, o)
    F = made.run(t, u, o, keep=True).history.slope[1]
    expected, spread, *_ = rts_smoother(mean, cov, [F] * len(t), [made.model.process_covariance] * len(t))
    np.testing.assert_allclose(found.mean, expected, atol=1e-9)
    np.testing.assert_allclose(found.std, np.sqrt(np.einsum("kii->ki", spread)), atol=1e-9)


def test_smoothing_narrows_and_improves() -> None:
    t, u, o, truth = oscillator_data(800, 9)
    found = oscillator_filter().run(t, u, o, keep=True)
    better = smooth(found)
    assert (better.std <= found.std + 1e-12).all()
    assert np.abs(better["v"] - truth[:, 1])[:-20].mean() < np.abs(found["v"] - truth[:, 1])[:-20].mean()
    with pytest.raises(InputError, match="keep=True"):
        smooth(better)
