"""The public names are frozen: a change here is a change for every user."""

import gerotor

NAMES = {
    "INTEGRATORS", "Block", "BuildError", "Component", "DeviceError", "Entry", "GerotorError", "InputError", "Integrator",
    "Layout", "Machine", "NoSolutionError", "Ode", "ParameterError", "Part", "Recording", "Sampled", "Signal", "Signals",
    "Simulation", "StepError", "System", "Table", "WiringError", "integrator", "load_machine", "param", "prepare", "quantity",
    "read_scenario", "reference_machines", "signals",
}


def test_public_names_are_as_promised():
    assert set(gerotor.__all__) == NAMES
    assert all(hasattr(gerotor, n) for n in NAMES)
