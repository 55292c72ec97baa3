"""The twin experiment of [khadim2021]: a real model that is measured, an estimation model that is not told its curves.

    x' = [theta, theta', p_p, p_1, p_2 | k_p, k_0, c_a, c_b, c_c, c_d],   L = 7 + 4 (points - 2)   (1)
    o = [s, p_p - p_atm, p_1 - p_atm] + noise                                                      (2)
    RMSE = 100 / (c_max - c_min) root mean square of the curve's error at 201 spool positions      (3)

The source estimates s and s'; here the crank angle stands for s, variances divided by the lever
ds/dtheta squared. As a function of the angle the sensor of s is bent: at the start, 0.11 m off, the
bend is 8 mm, seven times its noise, so every sample is taken in twice. (3) is ours: the source does
not define its percentage. Ports a, b, c, d are the edges s1, 2t, s2, 1t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.estimation.estimate import Estimate
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.machines import load_machine
from gerotor.machines.assembled import Assembled
from gerotor.machines.machine import Machine
from gerotor.maths.bspline import BSpline
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation

Array = NDArray[np.float64]
PORTS = {"a": "s1", "b": "2t", "c": "s2", "d": "1t"}
SITES = {3: (0.0, 0.5, 1.0), 4: (0.0, 0.33, 0.66, 1.0), 5: (0.0, 0.25, 0.5, 0.75, 1.0), 6: (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)}
CURVES = {  # assumed: the source shows its true curves in figures only
    1: {3: (0.60,), 4: (0.48, 0.76), 5: (0.40, 0.63, 0.80), 6: (0.35, 0.58, 0.72, 0.83)},
    2: {3: (0.30,), 4: (0.12, 0.50), 5: (0.08, 0.35, 0.80), 6: (0.06, 0.16, 0.52, 0.85)},
}
TOP = 0.95
STEP, DURATION, ATMOSPHERE = 1e-3, 5.0, 1e5
LENGTH, SPEED = "crank.geometry.l", "crank.geometry.v"
PRESSURES = ("crank.pump_line.p", "crank.side_1.p", "crank.side_2.p")
STATES = ("arm.q.crank", "arm.v.crank", *PRESSURES)


@dataclass(frozen=True)
class Tuning:
    """Standard deviations at the start (m, m/s, Pa, Pa), noise per step, sensors.

    `acceleration` is a density in m^2/s^3, `pressure` a variance a step in Pa^2. `own` is how far the
    curves of the four edges differ from each other; without it nothing is known of that.
    """

    name: str
    position_std: float
    speed_std: float
    pressure_std: float
    modulus_std: float
    acceleration: float
    pressure: float
    quieter: float = 1.0
    own: float | None = None

    @property
    def sensors(self) -> tuple[float, float, float]:
        return 1.12e-3 / self.quieter, 1.5e5 / self.quieter, 1.5e5 / self.quieter


PRINTED = Tuning("printed", 1e-2, 1e-2, math.sqrt(22.5e7), 1e7, 0.8, 259.81e7)
TUNED = Tuning("T", 0.15, 1e-2, 2e6, 1e7, 1e-4, 1e6)
QUIET = Tuning("T, sensors 10 times quieter", 0.15, 1e-2, 2e6, 1e7, 1e-5, 1e5, quieter=10.0)
OWN = Tuning("own", 0.15, 1e-2, 2e6, 1e8, 1e-6, 1e2)  # start as far off as it is, noise as small as the model's error
OWN_QUIET = Tuning("own, sensors 10 times quieter", 0.15, 1e-2, 2e6, 1e8, 1e-6, 1e2, quieter=10.0)
# the four edges of one spool are cut alike: to 5 um a mm of stroke, assumed
ALIKE = Tuning("own, edges alike", 0.15, 1e-2, 2e6, 1e8, 1e-6, 1e2, own=0.005)


def ordinate(port: str, k: int) -> str:
    return f"crank.actuator.valve.{PORTS[port]}.ordinates[{k}]"


def variant(over: dict[str, Any]) -> Machine:
    """The four-bar with parts of its file replaced."""
    return load_machine("four-bar").varied(over)


@dataclass(frozen=True)
class Twin:
    """Curves of so many points, splines of that order; one model serves as real and estimation model."""

    points: int
    order: int = 3
    cycles: int = 1

    @cached_property
    def times(self) -> Array:
        return np.asarray(np.arange(round(self.cycles * DURATION / STEP) + 1) * STEP)

    @cached_property
    def command(self) -> Array:
        """Relative spool command, one row a step."""
        return np.asarray(np.sin(0.4 * np.pi * self.times)[:, None])

    @property
    def ordinates(self) -> list[str]:
        return [ordinate(port, k) for port in PORTS for k in range(1, self.points - 1)]

    @cached_property
    def machine(self) -> Assembled:
        line = [TOP * s for s in SITES[self.points]]
        curves = {edge: {"sites": list(SITES[self.points]), "ordinates": line} for edge in PORTS.values()}
        return variant({
            "oil": {"bulk_modulus": "1500 MPa", "bulk_modulus_slope": 0.4},
            "tunable": ["oil.bulk_modulus", "oil.bulk_modulus_slope", *self.ordinates],
            "joints": [{"name": "crank", "actuator": {"valve": {"order": self.order, **curves}}}],
        }).assemble()

    @cached_property
    def ode(self) -> Any:
        return self.machine.ode()

    @property
    def commands(self) -> Table:
        return Table("command", STEP, self.command, Layout((Entry("crank.u"),)))

    @cached_property
    def simulation(self) -> Simulation:
        return Simulation(self.ode, tables=[self.commands], method="trapezoid")

    def truth(self, curve: int, apart: float = 0.0, seed: int = 0) -> dict[str, float]:
        """Parameters of the real model, whose edges differ from the curve by the standard deviation `apart`."""
        inner = np.array(CURVES[curve][self.points] * 4)
        inner += apart * np.random.default_rng(5000 + seed).normal(size=inner.shape)
        values = dict(zip(self.ordinates, map(float, inner), strict=True))
        return {"oil.bulk_modulus": 1.6e9, "oil.bulk_modulus_slope": 0.5, **values}

    @cached_property
    def real_start(self) -> dict[str, float]:
        return self.machine.balance(given={"crank.side_1.p": 1e6})

    @cached_property
    def start(self) -> dict[str, float]:
        """Of the estimation and the simulation model: 1.62 m, 5.6 and 2 MPa."""
        found = self.machine.balance(q={"crank": 2 * math.acos(1.62 / 2)}, given={"crank.side_1.p": 2e6})
        return found | {"crank.pump_line.p": 5.6e6}

    def real(self, curve: int) -> Recording:
        """The real model, recorded at every step."""
        return self.run_real(self.truth(curve))

    def run_real(self, parameters: dict[str, float]) -> Recording:
        """The same with other parameters."""
        return self._run(self.real_start, parameters)

    def simulated(self) -> Recording:
        """The estimation model without measurements: the source's simulation model."""
        return self._run(self.start, {})

    def _run(self, start: dict[str, float], parameters: dict[str, float]) -> Recording:
        record = [*STATES, LENGTH, SPEED, "crank.spool.x"]
        return self.simulation.run(
            self.cycles * DURATION, STEP, start=start, parameters=parameters, record=record, record_period=STEP,
        )

    def filter(self, tuning: Tuning, kind: Literal["extended", "unscented"] = "extended", *, ordinate_std: float = 0.30,
               slope_std: float = 10.0) -> Filter:
        lever = math.sin(math.acos(1.62 / 2))
        unknowns = [
            Unknown(name="arm.q.crank", std=tuning.position_std / lever),
            Unknown(name="arm.v.crank", std=tuning.speed_std / lever, noise=math.sqrt(tuning.acceleration) / lever),
            *[Unknown(name=n, std=tuning.pressure_std, noise=math.sqrt(tuning.pressure / STEP)) for n in PRESSURES],
            Unknown(name="oil.bulk_modulus", std=tuning.modulus_std),
            Unknown(name="oil.bulk_modulus_slope", std=slope_std),
            *[self._edge(port, k, ordinate_std, tuning.own) for port in PORTS for k in range(1, self.points - 1)],
        ]
        s, p, _ = tuning.sensors
        measured = [
            Measured(name=LENGTH, std=s),
            *[Measured(name=n, std=p, offset=ATMOSPHERE) for n in PRESSURES[:2]],
        ]
        return Filter(self.ode, unknowns, measured, period=STEP, kind=kind)

    @staticmethod
    def _edge(port: str, k: int, std: float, own: float | None) -> Unknown:
        return Unknown(name=ordinate(port, k), std=std, own=own, group=f"point {k}" if own else "")

    def sensed(self, real: Recording, tuning: Tuning, rng: np.random.Generator) -> Array:
        """(2)"""
        o = np.column_stack([real[LENGTH], real[PRESSURES[0]] - ATMOSPHERE, real[PRESSURES[1]] - ATMOSPHERE])
        return np.asarray(o + rng.normal(size=o.shape) * np.array(tuning.sensors))

    def run(self, made: Filter, real: Recording, tuning: Tuning, seed: int, **options: Any) -> Estimate:
        """Measure the real model and estimate."""
        o = self.sensed(real, tuning, np.random.default_rng(seed))
        return made.run(self.times, self.command, o, start=self.start, **options)

    def predicted_error(self, estimate: Estimate, port: str) -> float:
        """(3) as the filter's own covariance expects it, in percent."""
        where = [estimate.index(ordinate(port, k)) for k in range(1, self.points - 1)]
        y = ca.SX.sym("y", self.points)
        slope = ca.Function("slope", [y], [ca.jacobian(_spline(self.points, self.order)(y), y)])
        J = np.array(ca.densify(slope(np.zeros(self.points))))[:, 1:-1]
        return float(100 / TOP * np.sqrt(np.mean(np.sum((J @ estimate.covariance[np.ix_(where, where)]) * J, axis=1))))

    def curve(self, inner: Any) -> Array:
        """The curve at 201 spool positions."""
        return np.asarray(_spline(self.points, self.order)(np.array([0.0, *inner, TOP]))).ravel()

    def error(self, estimate: Estimate, truth: dict[str, float], port: str) -> float:
        """(3) at the end of the run, in percent."""
        names = [ordinate(port, k) for k in range(1, self.points - 1)]
        gap = self.curve([estimate[n][-1] for n in names]) - self.curve([truth[n] for n in names])
        return float(100 / TOP * np.sqrt(np.mean(gap**2)))  # (3)


@cache
def _spline(points: int, order: int) -> Any:
    y = ca.SX.sym("y", points)
    spline = BSpline(SITES[points], ca.vertsplit(y), order)
    return ca.Function("curve", [y], [ca.vertcat(*[spline(x) for x in np.linspace(0, 1, 201)])])
