"""Estimation: filters over any Ode and integrator, smoothing, what data can tell."""
