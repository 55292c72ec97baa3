import numpy as np

from gerotor.core.layout import Entry, Layout
from gerotor.simulation.range_warnings import range_warnings

OUTPUTS = Layout((Entry("closure", "1", lower=0.05), Entry("speed", "m/s", upper=2.0)))


def test_names_first_and_worst_time() -> None:
    time = np.array([0.0, 0.1, 0.2, 0.3])
    values = np.array([[1.0, 0.0], [0.04, 1.0], [0.01, 2.0], [0.5, 1.0]])
    assert range_warnings(OUTPUTS, ["closure", "speed"], time, values) == [
        "closure left its range 0.05 to inf 1 at 0.1 s; worst 0.01 1 at 0.2 s"
    ]


def test_nothing_to_say() -> None:
    assert range_warnings(OUTPUTS, [], np.array([0.0]), np.zeros((1, 0))) == []
