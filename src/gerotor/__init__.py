"""Gerotor: real-time simulation of hydraulic and electric manipulators."""
