"""Frequency response of a linear model between named signals, for Bode plots.

    H(jw) = C (jw - A)^-1 B + D                                                           (1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gerotor.core.linearise import StateSpace
from gerotor.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Response:
    """H at angular frequencies: frequencies x outputs x inputs."""

    frequency: Array  # rad/s
    value: NDArray[np.complex128]
    inputs: list[str]
    outputs: list[str]

    def of(self, output: str, input: str) -> NDArray[np.complex128]:
        """H from one input to one output."""
        return np.asarray(self.value[:, self.outputs.index(output), self.inputs.index(input)])

    def magnitude(self, output: str, input: str) -> Array:
        """In dB."""
        return np.asarray(20 * np.log10(np.maximum(np.abs(self.of(output, input)), 1e-300)))

    def phase(self, output: str, input: str) -> Array:
        """In degrees, unwrapped."""
        return np.degrees(np.unwrap(np.angle(self.of(output, input))))


def frequency_response(
    model: StateSpace, frequency: ArrayLike, inputs: list[str] | None = None, outputs: list[str] | None = None
) -> Response:
    """H at `frequency` in rad/s; outputs may also be states."""
    w = np.atleast_1d(np.asarray(frequency, dtype=float))
    if not (np.isfinite(w).all() and (w >= 0).all()):
        raise InputError("frequency: must be finite and at least 0 rad/s")
    m = model.pick(inputs, outputs)
    shifted = 1j * w[:, None, None] * np.eye(len(m.states)) - m.A
    try:
        inner = np.linalg.solve(shifted, np.broadcast_to(m.B.astype(complex), (len(w), *m.B.shape)))
    except np.linalg.LinAlgError:
        raise InputError("frequency: the model has a pole on one of the frequencies; leave it out (0 rad/s, say)") from None
    return Response(w, np.asarray(m.C @ inner + m.D, dtype=np.complex128), m.inputs.names, m.outputs.names)  # (1)


def to_control(model: StateSpace) -> Any:
    """The model as a StateSpace of python-control, with signal names."""
    try:
        import control
    except ImportError:
        raise InputError("python-control is not installed: pip install gerotor[analysis]") from None
    names = {"inputs": model.inputs.names, "outputs": model.outputs.names, "states": model.states.names}
    return control.ss(model.A, model.B, model.C, model.D, **{k: [n.replace(".", "_") for n in v] for k, v in names.items()})
