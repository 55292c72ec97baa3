# make demo: the main job. make test: all checks and tests. Both set everything up themselves.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test bench check clean

demo: .venv/demo
	$(BIN)/gerotor study pipe-cutting --report out

test: .venv/test
	sh tools/system.sh
	$(MAKE) check
	$(BIN)/python -m pytest -n auto
	GEROTOR_NO_COMPILER=1 $(BIN)/python -m pytest -n auto -m vm

check: .venv/test
	$(BIN)/ruff check src tests
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: .venv/test
	$(BIN)/gerotor bench step
	$(BIN)/gerotor bench work-precision
	$(BIN)/gerotor bench step-range
	$(BIN)/gerotor bench realtime
	$(BIN)/gerotor bench cold-start

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("gerotor needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

.venv/demo: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	$(BIN)/python -m compileall -q src
	touch $@

.venv/test: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test]'
	$(BIN)/python -m compileall -q src
	touch $@ .venv/demo

clean:
	rm -rf .venv out build src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
