"""Hydraulic components, one a file.

Sign of flows, the same everywhere:
- a storage part (chamber, accumulator) has one input Q: the sum of all flows into it;
- a valve, pump or line delivers: Q, Q1, Q2 leave it towards the line of that number; what it
  takes from its supply is Qs, what it returns to the tank Qt (so Qs = Q1 + Q2 + Qt);
- every other part takes: Q1, Q2 enter it at port 1, 2. A plain resistance has one flow Q, in at
  port 1 and out at port 2.

So the oil balance of a motor's line 1 reads as in the textbooks:
    chamber_1.connect(Q=valve.Q1 - motor.Q1 - leakage.Q)
    chamber_2.connect(Q=valve.Q2 - motor.Q2 + leakage.Q)

Ports: 1 and 2 work lines, s supply, t tank. Positive spool opens s to 1 and 2 to t. A positive
pressure difference p1 - p2 turns a motor forwards and pushes a rod out.

Pressures count from any common zero, except in the parts with gas in them (an oil with entrained
air, an accumulator), which need absolute pressure. All parts are finite for any pressure;
a run should stop where `lower` and `upper` of the pressure states say so.
"""

from gerotor.hydraulics.accumulator import Accumulator
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.check_valve import CheckValve
from gerotor.hydraulics.compensated_pump import CompensatedPump
from gerotor.hydraulics.cylinder import Cylinder
from gerotor.hydraulics.first_order_servo_valve import FirstOrderServoValve
from gerotor.hydraulics.leakage import LaminarLeakage, TurbulentLeakage
from gerotor.hydraulics.leaky_motor import LeakyMotor
from gerotor.hydraulics.line import Line
from gerotor.hydraulics.locked_cylinder import LockedCylinder
from gerotor.hydraulics.locked_motor import LockedMotor
from gerotor.hydraulics.metering_valve import MeteringValve
from gerotor.hydraulics.motor import HydraulicMotor
from gerotor.hydraulics.oil import Oil
from gerotor.hydraulics.orifice import Orifice
from gerotor.hydraulics.pump import Pump
from gerotor.hydraulics.relief_valve import ReliefValve
from gerotor.hydraulics.resistance_valve import ResistanceValve
from gerotor.hydraulics.resistive_line import ResistiveLine
from gerotor.hydraulics.resistive_motor import ResistiveMotor
from gerotor.hydraulics.servo_valve import ServoValve
from gerotor.hydraulics.spool_lag import SpoolLag
from gerotor.hydraulics.switched_chamber import SwitchedChamber
from gerotor.hydraulics.switched_line import SwitchedLine
from gerotor.hydraulics.two_bar import TwoBar
from gerotor.hydraulics.two_point import TwoPoint
from gerotor.hydraulics.variable_chamber import VariableChamber

__all__ = [
    "Accumulator",
    "Chamber",
    "CheckValve",
    "CompensatedPump",
    "Cylinder",
    "FirstOrderServoValve",
    "HydraulicMotor",
    "LaminarLeakage",
    "LeakyMotor",
    "Line",
    "LockedCylinder",
    "LockedMotor",
    "MeteringValve",
    "Oil",
    "Orifice",
    "Pump",
    "ReliefValve",
    "ResistanceValve",
    "ResistiveLine",
    "ResistiveMotor",
    "ServoValve",
    "SpoolLag",
    "SwitchedChamber",
    "SwitchedLine",
    "TurbulentLeakage",
    "TwoBar",
    "TwoPoint",
    "VariableChamber",
]
