# Two targets are all the set-up there is: `make demo` and `make test`.
# Everything goes into .venv; Debian packages are installed where they are missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint types unit install clean

demo: install
	@$(BIN)/skolemate oracle 'hein(9)' -d 7 || [ $$? -eq 10 ]

test: lint types unit

lint: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .

types: install
	@$(BIN)/mypy

unit: install
	@$(BIN)/pytest -n auto --dist worksteal

install: $(INSTALLED)

$(INSTALLED): pyproject.toml Makefile
	@bash tools/need-debian $(PYTHON) python3-venv
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@echo "Installing Skolemate into $(VENV) ..."
	@$(BIN)/pip install -qq --disable-pip-version-check --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
