"""What can go wrong, in words for people: path, value with unit, what is allowed, what to do."""

from __future__ import annotations

from typing import Any


class GerotorError(Exception):
    """Base of every error a user can cause or should hear about."""


class InputError(GerotorError):
    """A file, option or scenario that cannot be used."""


class ParameterError(GerotorError):
    """A parameter outside its allowed range or of the wrong kind."""


class WiringError(GerotorError):
    """A signal that is not connected, connected twice, unknown, or part of an algebraic loop."""


class BuildError(GerotorError):
    """Code generation or compilation failed."""


class NoSolutionError(GerotorError):
    """A pose out of reach, an impossible assembly, an equilibrium that does not exist."""


class StepError(GerotorError):
    """A run that had to stop; `recording` holds everything recorded until then."""

    def __init__(self, message: str, recording: Any = None) -> None:
        super().__init__(message)
        self.recording = recording


class DeviceError(GerotorError):
    """A socket, clock or file of the real-time side failed."""


def unknown(kind: str, name: str, known: list[str]) -> str:
    """One line naming what was asked for and the nearest of what exists."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=5, cutoff=0.4) or sorted(known)[:12]
    more = f" (of {len(known)})" if len(near) < len(known) else ""
    return f"unknown {kind} {name!r}; known: {', '.join(near)}{more}"
