# `make run` shows the compiler at work, `make test` checks everything; both set up .venv first.
# Needs Python 3.11 or later, and a C++ compiler or the `zig` extra.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: run test smoke hostile fuzz docs bench bench-full clean lit lit-canary lit-refresh

run: $(VENV)/installed-run
	$(BIN)/python -m tamale.tools.demo

test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lit -sv -j$(JOBS) tests/lit
	$(BIN)/pytest -q -n $(JOBS) --dist loadgroup

lit: $(VENV)/installed-dev
	$(BIN)/lit -sv -j$(JOBS) tests/lit

# Replaces every check of every lit file by nonsense, in turn; each file must then fail.
lit-canary: $(VENV)/installed-dev
	$(BIN)/python tests/lit/canary.py

# Brings checks that no longer match up to date: make lit-refresh FILES=tests/lit/passes/simplify.mlir
lit-refresh: $(VENV)/installed-dev
	$(BIN)/python tests/lit/refresh.py $(FILES)

# Wheel and sdist, each in an environment of its own; the wheel with each Python that is here.
smoke: $(VENV)/installed-dev
	$(BIN)/python tests/packaging/smoke.py

# Damaged files and arrays, ten thousand of them; `make test` tries a few.
hostile: $(VENV)/installed-dev
	$(BIN)/python tests/hostile/run.py --count 10000

# Texts and modules that nobody would write, a hundred thousand of them; `make test` tries a few.
fuzz: $(VENV)/installed-dev
	$(BIN)/python tests/fuzzing/run.py --count 100000

# The documentation as a site, in build/site.
docs: $(VENV)/installed-dev
	$(BIN)/mkdocs build -q --strict

# Peers that the package index does not have are named as missing. PyTorch is large, and has an extra of its own, `bench-torch`.
bench: $(VENV)/installed-dev
	-$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks

# The same on all that there is in the data folder, with more samples: an hour.
bench-full: $(VENV)/installed-dev
	-$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks --full

clean:
	rm -rf $(VENV) build dist src/*.egg-info tests/lit/.lit .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "tamale needs Python 3.11 or later; $(PYTHON) is `$(PYTHON) --version 2>&1`."; \
		echo "Name another one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp says for which pyproject.toml the environment was made.
$(VENV)/installed-run: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[examples]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/installed-run
