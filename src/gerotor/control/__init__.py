"""Controllers and set-points: one a file."""
