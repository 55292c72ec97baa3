"""Gerotor: real-time simulation of hydraulic and electric manipulators.

A machine is written once, as CasADi expressions built from small components; from that one model
come the simulator (compiled C), its exact Jacobians, the linearised model and the filters.
"""

from gerotor.assembly.system import Part, System
from gerotor.core.component import Component, Signal, Signals, param, signals
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Block, Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import (
    BuildError,
    DeviceError,
    GerotorError,
    InputError,
    NoSolutionError,
    ParameterError,
    StepError,
    WiringError,
)
from gerotor.integrators import INTEGRATORS, Integrator, integrator
from gerotor.machines import Machine, load_machine, reference_machines
from gerotor.simulation.recording import Recording
from gerotor.simulation.scenario import prepare, read_scenario
from gerotor.simulation.simulation import Simulation
from gerotor.units import quantity

__version__ = "0.1.0"

__all__ = [
    "INTEGRATORS", "Block", "BuildError", "Component", "DeviceError", "Entry", "GerotorError", "InputError", "Integrator",
    "Layout", "Machine", "NoSolutionError", "Ode", "ParameterError", "Part", "Recording", "Sampled", "Signal", "Signals",
    "Simulation", "StepError", "System", "Table", "WiringError", "integrator", "load_machine", "param", "prepare", "quantity",
    "read_scenario", "reference_machines", "signals",
]
