"""A joint driven into its soft end stop stays near its range and comes to rest against it."""

import pytest
import yaml

from gerotor.machines import load_machine, reference_machines
from gerotor.simulation.simulation import Simulation


def test_slide_driven_into_its_stop_rests_on_the_pad(tmp_path):
    document = yaml.safe_load(reference_machines()["kaeri-arm"].read_text())
    document["joints"][1]["end_stop"] = {"stiffness": "20 MN/m", "damping": "200 kN*s/m", "width": "1 mm", "source": "test"}
    path = tmp_path / "arm.yaml"
    path.write_text(yaml.safe_dump(document))
    assembled = load_machine(path).assemble()
    run = Simulation(assembled.ode()).run(
        6.0, 1e-3, start=assembled.rest({"j2": 0.35}), inputs={"j2.i": 0.02},
        record=["arm.q.j2", "arm.v.j2", "j2.line_1.p", "j2.line_2.p"],
    )
    assert abs(run["arm.v.j2"][-1]) < 1e-6
    # at rest the full supply pushes: depth = F / k + w / 2 (a pad that is soft over its first millimetre)
    ratio = 2 * 3.141592653589793 / 0.005
    force = 0.79 * ratio * 40e-6 / (2 * 3.141592653589793) * (run["j2.line_1.p"][-1] - run["j2.line_2.p"][-1])
    depth = run["arm.q.j2"][-1] - 0.4
    assert force == pytest.approx(0.79 * ratio * 40e-6 / 6.283185307 * 140e5, rel=0.01)
    assert depth == pytest.approx(force / 20e6 + 0.5e-3, rel=0.1)
