PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready

.PHONY: help play test clean

help:
	@echo "make play   play in the terminal"
	@echo "make test   check style, types and behaviour"
	@echo "make clean  remove everything that was set up or built"
	@echo "PYTHON=...  another Python than python3 (3.11 or newer)"

play: $(READY)
	@$(VENV)/bin/sixfold play

test: $(READY)
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest -n 2 --dist loadgroup

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sixfold needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,arena]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
