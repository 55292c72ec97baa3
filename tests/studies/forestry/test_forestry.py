"""The crane's study in parts: the loading cycle, the continuity probe, the picture's geometry, the claims on a short run."""

from functools import lru_cache

import numpy as np
import pytest

from gerotor.core.evaluate import evaluate
from gerotor.machines import load_machine
from gerotor.studies import find_study
from gerotor.studies.forestry.claims import boom_pressure, ripple, stick_error, stick_pressure
from gerotor.studies.forestry.experiment import drift, largest_jump
from gerotor.studies.forestry.picture import _eyes, _poses, loading_animation
from gerotor.studies.forestry.scenes import GRIP, JOINTS, LOG, crane, loading_cycle, rms, stick_sine


@lru_cache
def cycle():
    return loading_cycle({lines: crane(lines) for lines in ("full", "reduced")}).run(1e-3, record_period=0.02)


def test_loading_cycle_moves_all_joints_with_the_log_between_grip_and_drop():
    run = cycle()
    assert set(np.unique(run["full.log.mass"])) >= {0.0, LOG}
    carried = run.time[run["full.log.mass"] > 0]
    assert GRIP[0] <= carried[0] < GRIP[0] + 0.03 and GRIP[1] < carried[-1] < GRIP[1] + 0.6
    for n in JOINTS:
        assert np.ptp(run[f"full.arm.q.{n}"]) > 0.4
        errors = [run[f"ref.q.{n}"] - run[f"{k}.arm.q.{n}"] for k in ("full", "reduced")]
        assert np.degrees(rms(errors[0])) < 5
        assert rms(errors[0] - errors[1]) < 0.02 * rms(errors[0])


def test_states_are_continuous_at_switches():
    jump, switches = largest_jump(stick_sine({"": crane("full")}), 6.0)
    assert switches > 1 and jump < 1e-9


def test_measures_on_the_stick_sine():
    run = stick_sine({lines: crane(lines) for lines in ("full", "reduced")}, 24.0).run(1e-3, record_period=0.005)
    full, reduced = stick_error(run)
    assert rms(full - reduced) < 0.01 * rms(full)
    swing, ours, printed = boom_pressure(run)
    assert ours < 0.1 * swing < printed
    assert 15 < ripple(run)[0] < 27
    later, near = stick_pressure(run)
    assert later < 0.2e5 < near


def test_drift_falls_with_the_root_of_the_resistance():
    found = drift()
    np.testing.assert_allclose(found[1e18] / found[1e20], 10, rtol=0.05)


@pytest.mark.parametrize("pose", [(0.0, 0.35, -1.2), (0.9, 0.15, -1.05), (-0.7, 0.7, -1.7)])
def test_drawn_cylinders_have_the_length_of_the_model(pose):
    machine = load_machine("forestry-crane")
    made = machine.assemble()
    for k, joint in enumerate(JOINTS):
        if joint != "swing":
            base, rod = _eyes(machine, _poses(machine, pose), joint)
            length = evaluate(made.system.parts[f"{joint}.linkage"].component, q=pose[k])["l"]
            assert np.linalg.norm(rod - base) == pytest.approx(length, rel=1e-9)


def test_animation_has_a_frame_a_time():
    run, every = cycle(), slice(None, None, 400)
    q = np.column_stack([run[f"full.arm.q.{n}"][every] for n in JOINTS])
    figure = loading_animation(load_machine("forestry-crane"), run.time[every], q, run["full.log.mass"][every])
    assert len(figure.frames) == len(run.time[every])


def test_study_is_found_by_name():
    assert find_study("forestry").source == "[papadopoulos2002]"
