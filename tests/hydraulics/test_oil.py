import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.errors import ParameterError
from gerotor.hydraulics.oil import Oil


def test_pressure_dependent_modulus() -> None:
    oil = Oil(bulk_modulus=1600e6, bulk_modulus_slope=0.5, density=869)
    assert oil.modulus(7.6e6) == pytest.approx(1603.8e6)  # khadim2021, eq. 8 with table 1


def test_one_percent_of_air_at_atmosphere_and_at_100_bar() -> None:
    oil = Oil(bulk_modulus=1.5e9, density=870, air_share=0.01, air_exponent=1.0, atmosphere=1e5)
    assert float(oil.modulus(1e5)) == pytest.approx(1 / (0.99 / 1.5e9 + 0.01 / 1e5), rel=1e-12)
    r = 1e5 / 1e7
    assert float(oil.modulus(1e7)) == pytest.approx((0.99 + 0.01 * r) / (0.99 / 1.5e9 + 0.01 * r / 1e7), rel=1e-12)


def test_air_model_equals_the_slope_of_its_own_volume_curve() -> None:
    oil = Oil(bulk_modulus=1.5e9, density=870, air_share=0.02, air_exponent=1.4, atmosphere=1e5)
    p, h = 3e6, 1e2

    def volume(q: float) -> float:
        return 0.98 * (1 - (q - p) / 1.5e9) + 0.02 * (1e5 / q) ** (1 / 1.4)

    slope = (volume(p + h) - volume(p - h)) / (2 * h)
    assert float(oil.modulus(p)) == pytest.approx(-volume(p) / slope, rel=1e-6)


@given(st.floats(-1e12, 1e12), st.sampled_from([0.0, 0.01]))
def test_modulus_is_positive_and_finite(p: float, air: float) -> None:
    value = float(Oil(bulk_modulus=1e9, bulk_modulus_slope=5.0, density=870, air_share=air).modulus(p))
    assert 0 < value < 1e14


def test_impossible_oil_is_refused() -> None:
    with pytest.raises(ParameterError, match="bulk_modulus = -1 Pa: must be above 0"):
        Oil(bulk_modulus=-1.0, density=870)
