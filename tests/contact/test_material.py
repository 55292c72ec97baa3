import math

import pytest

from gerotor.contact.material import MATERIALS, Material, material
from gerotor.errors import ParameterError


def test_specific_forces_by_hand() -> None:
    """880 MPa / (sin 25 cos 50) = 3239 MPa; times cos 25 and sin 25."""
    k_t, k_n = material("stainless steel").pressures
    assert k_t / 1e6 == pytest.approx(2936, abs=1)
    assert k_n / 1e6 == pytest.approx(1369, abs=1)


def test_every_material_has_a_source_and_resists() -> None:
    for m in MATERIALS.values():
        assert m.source
        assert m.pressures[0] > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [({"shear_angle": math.radians(70)}, "95 deg"), ({"shear_stress": 0.0}, "shear_stress"),
     ({"shear_angle": 0.0}, "shear_angle"), ({"friction_angle": float("nan")}, "friction_angle")],
)
def test_impossible_numbers_are_refused(change: dict[str, float], words: str) -> None:
    numbers = {"shear_stress": 880e6, "shear_angle": 0.4, "friction_angle": math.radians(35), "rake_angle": math.radians(10)}
    with pytest.raises(ParameterError, match=words):
        Material(**{**numbers, **change})


def test_unknown_material_lists_the_known() -> None:
    with pytest.raises(ParameterError, match="stainless steel"):
        material("stainles steel")
