"""Machine files -> Ode. One reference machine a folder: the file and a README with its sources."""

from gerotor.machines.assembled import Assembled
from gerotor.machines.load import reference_machines
from gerotor.machines.machine import Machine, load_machine

__all__ = ["Assembled", "Machine", "load_machine", "reference_machines"]
