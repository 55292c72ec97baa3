"""Extended and unscented Kalman filters over any Ode: the loop over all samples is one C call."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import resources
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gerotor.codegen.compiler import find_compiler, load
from gerotor.codegen.source import generated
from gerotor.core.component import check_range
from gerotor.core.ode import Ode
from gerotor.errors import InputError, StepError
from gerotor.estimation.estimate import Estimate, History
from gerotor.estimation.model import FilterModel
from gerotor.estimation.plain import PlainFilter, ud
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.integrators import Integrator, integrator

Array = NDArray[np.float64]
_P, _I, _D = ctypes.c_void_p, ctypes.c_longlong, ctypes.c_double


class CFilter(ctypes.Structure):
    """Mirrors `Filter` of filter.c."""

    _fields_ = [
        ("rows", _I), ("t", _P), ("u", _P), ("o", _P), ("x", _P), ("p", _P), ("held", _P), ("U", _P), ("D", _P),
        ("g", _P), ("q", _P), ("r", _P), ("lower", _P), ("upper", _P), ("mean", _P), ("std", _P), ("innovation", _P),
        ("innovation_std", _P), ("nis", _P), ("slope", _P), ("prior", _P), ("prior_cov", _P), ("posterior_cov", _P),
        ("last", _D), ("begun", _I), ("frozen", _I), ("unscented", _I), ("kappa", _D), ("iterations", _I),
    ]


class Filter:
    """Finds `unknowns` of an Ode from `measured` signals, one sample every `period`.

    The prediction is `substeps` steps of the integrator `method`, its slopes are exact. `kind` is
    "extended" or "unscented" (with sigma points at sqrt(n + kappa) deviations, kappa >= 0). The extended
    filter takes in a sample `iterations` times, each with the slopes at the estimate just found: where a
    start is far off and a sensor bends, one time would leave an error the covariance does not know of.
    Without a C compiler the same filter runs in NumPy.
    """

    def __init__(self, ode: Ode, unknowns: Sequence[Unknown], measured: Sequence[Measured], *, period: float,
                 method: str | Integrator = "trapezoid", substeps: int = 1,
                 kind: Literal["extended", "unscented"] = "extended", kappa: float = 0.0, iterations: int = 2,
                 compiled: bool | None = None) -> None:
        if kind not in ("extended", "unscented"):
            raise InputError(f"filter kind {kind!r}: must be extended or unscented")
        check_range("kappa", kappa, "1", {"least": 0})
        check_range("iterations", iterations, "1", {"least": 1, "most": 100})
        chosen = integrator(method) if isinstance(method, str) else method
        self.model = FilterModel(ode, tuple(unknowns), tuple(measured), period, chosen, substeps)
        self.kind, self.kappa, self.iterations = kind, float(kappa), int(iterations)
        self.compiled = find_compiler() is not None if compiled is None else compiled

    @cached_property
    def _call(self) -> Any:
        library = load(self.source())
        call = library.gerotor_filter
        call.argtypes, call.restype = [_P], _I
        return call

    @cached_property
    def plain(self) -> PlainFilter:
        """The same filter in NumPy, by the textbook."""
        return PlainFilter(self.model, self.kind, self.kappa, self.iterations)

    def source(self) -> str:
        """The filter as one C file with the entry gerotor_filter."""
        model, functions = self.model, self.model.functions()
        sizes = {
            "N_X": len(model.ode.states), "N_U": len(model.ode.inputs), "N_P": len(model.ode.parameters), "N_Z": model.size,
            "N_S": len(model.states), "N_H": model.moving, "N_O": len(model.measured), "N_G": model.noise[0].shape[1],
            "SZ_ARG": max(f.sz_arg() for f in functions.values()) + 8, "SZ_RES": max(f.sz_res() for f in functions.values()) + 8,
            "SZ_IW": max(f.sz_iw() for f in functions.values()) + 1, "SZ_W": max(f.sz_w() for f in functions.values()) + 1,
        }
        lists = {"STATE_INDEX": model.states, "PARAMETER_INDEX": model.parameters}
        lines = [f"#define {name} {value}" for name, value in sizes.items()]
        lines += [f"#define {name} {{{', '.join(map(str, value or [0]))}}}" for name, value in lists.items()]
        text = (resources.files("gerotor.estimation") / "filter.c").read_text()
        return "\n".join((generated(functions), *lines, text))

    def begin(self, *, start: Mapping[str, float] | None = None, parameters: Mapping[str, float] | None = None,
              covariance: Any = None) -> FilterState:
        """The filter before its first sample; `covariance` replaces the one of the unknowns' own words."""
        return FilterState(self, start, parameters, covariance)

    def run(self, time: Any, inputs: Any, measured: Any, *, start: Mapping[str, float] | None = None,
            parameters: Mapping[str, float] | None = None, covariance: Any = None, keep: bool = False,
            frozen: bool = False) -> Estimate:
        """Take in all samples; `keep` what a smoother needs. `inputs` and `measured` have one row a sample,
        columns in the order of the Ode's inputs and of the measured signals, NaN for a missing sample."""
        state = self.begin(start=start, parameters=parameters, covariance=covariance)
        return state.take(time, inputs, measured, keep=keep, frozen=frozen)


class FilterState:
    """A filter at work: `take` samples, many or one at a time."""

    def __init__(self, owner: Filter, start: Mapping[str, float] | None, parameters: Mapping[str, float] | None,
                 covariance: Any = None) -> None:
        model = owner.model
        self.owner, self.model = owner, model
        self.x, self.p = model.ode.states.pack(start), model.ode.parameters.pack(parameters)
        self.held = np.zeros(max(1, len(model.ode.inputs)))
        n = model.size
        given = model.start_covariance if covariance is None else np.asarray(covariance, float)
        if given.shape != (n, n) or not np.allclose(given, given.T, rtol=1e-9) or np.linalg.eigvalsh(_unit(given)).min() <= 0:
            raise InputError(f"covariance: must be {n} x {n}, symmetric and positive definite")
        self.U, self.D = ud(given)
        self.g, self.q = np.ascontiguousarray(model.noise[0]), model.noise[1]
        self.r = np.array([m.std**2 for m in model.measured])
        self.lower, self.upper = (np.array([getattr(u, k) for u in model.unknowns]) for k in ("lower", "upper"))
        self.last, self.begun = 0.0, False

    @property
    def covariance(self) -> Array:
        """P of the unknowns."""
        return np.asarray((self.U * self.D) @ self.U.T)

    def take(self, time: Any, inputs: Any, measured: Any, *, keep: bool = False, frozen: bool = False) -> Estimate:
        """Go on with these samples."""
        model = self.model
        t = np.ascontiguousarray(np.atleast_1d(np.asarray(time, float)))
        u = _table(inputs, len(t), len(model.ode.inputs), "inputs")
        o = _table(measured, len(t), len(model.measured), "measured signals")
        if not np.isfinite(u).all():
            raise InputError(f"{model.ode.name}: inputs must be finite in every row; hold the last where one is missing")
        n, rows = model.size, len(t)
        out = {
            "mean": np.empty((rows, n)), "std": np.empty((rows, n)), "innovation": np.empty(o.shape),
            "innovation_std": np.empty(o.shape), "nis": np.empty(rows),
        }
        kept = {"slope": np.tile(np.eye(n), (rows, 1, 1)), "prior": np.empty((rows, n)), "prior_cov": np.empty((rows, n, n)),
                "posterior_cov": np.empty((rows, n, n))} if keep else {}
        done = self._run((t, u, o), out, kept, frozen)
        history = History(**kept) if keep else None
        estimate = Estimate(model.names, model.units, [m.name for m in model.measured], t[:done],
                            **{k: v[:done] for k, v in out.items()}, covariance=self.covariance, history=history)
        if done < rows:
            raise StepError(f"{model.ode.name}: not finite at {t[done]:.6g} s; check start, std and noise", estimate)
        return estimate

    def _run(self, samples: tuple[Array, Array, Array], out: dict[str, Array], kept: dict[str, Array], frozen: bool) -> int:
        if not self.owner.compiled:
            return self.owner.plain.run(self, samples, out, kept, frozen)
        t, u, o = samples
        c = CFilter(rows=len(t), last=self.last, begun=self.begun, frozen=frozen, unscented=self.owner.kind == "unscented",
                    kappa=self.owner.kappa, iterations=1 if frozen else self.owner.iterations)
        arrays = {"t": t, "u": u, "o": o, **out, **kept}
        for name in ("x", "p", "held", "U", "D", "g", "q", "r", "lower", "upper"):
            arrays[name] = getattr(self, name)
        for name, array in arrays.items():
            setattr(c, name, array.ctypes.data)
        done = int(self.owner._call(ctypes.addressof(c)))
        self.last, self.begun = c.last, bool(c.begun)
        return done


def _unit(P: Array) -> Array:
    """P as correlations, so that sizes of units do not matter."""
    std = np.sqrt(np.maximum(np.diag(P), 1e-300))
    return np.asarray(P / np.outer(std, std))


def _table(values: Any, rows: int, columns: int, what: str) -> Array:
    table = np.ascontiguousarray(np.asarray(values, float).reshape(rows, -1)) if columns else np.zeros((rows, 0))
    if table.shape != (rows, columns):
        raise InputError(f"{what}: {table.shape[1]} columns, expected {columns}")
    return table
