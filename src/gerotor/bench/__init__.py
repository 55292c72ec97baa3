"""Speed and accuracy, measured side by side with peers in one run. `gerotor bench [NAME]`."""

from gerotor.bench.base import Result, Row, host

__all__ = ["Result", "Row", "host"]
