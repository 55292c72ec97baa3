"""Gerotor: real-time simulation of hydraulic and electric manipulators.

A machine is written once, as CasADi expressions built from small components; from that one model
come the simulator (compiled C), its exact Jacobians, the linearised model and the filters.
"""

from gerotor.lazy import lazy

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy(__name__)
