"""`python -m gerotor`."""

from gerotor.cli import main

main()
