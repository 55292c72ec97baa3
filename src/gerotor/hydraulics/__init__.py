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

from gerotor.lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
