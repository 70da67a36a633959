# Everything a newcomer needs. `make demo` and `make test` set up what they use on
# a bare Debian 12 machine, quickly the second time. `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
BUILD ?= build
JOBS ?= $(shell nproc)

venv_bin := $(abspath $(VENV))/bin
stamps := .cache/stamps
export PYTHON
export PATH := $(venv_bin):$(abspath $(BUILD))/bin:$(PATH)
export PYTHONUNBUFFERED := 1
# Images of containers set it; without bytecode each start of Python compiles all of PyTorch anew.
unexport PYTHONDONTWRITEBYTECODE

cpp_files = $(shell git ls-files '*.cpp' '*.h' ':!python/tests/golden')

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

# --- set-up -------------------------------------------------------------------
# Packages first (seconds); then the Python environment (mostly download) beside
# the C++ build (mostly compute).

$(stamps)/debian: utils/debian-packages.txt utils/install-debian-packages.sh
ifndef SKIP_DEBIAN
	@utils/install-debian-packages.sh
endif
	@mkdir -p $(@D) && touch $@

$(VENV)/stamp: requirements/run.txt requirements/development.txt pyproject.toml \
               utils/install-python-packages.sh | $(stamps)/debian
	@utils/install-python-packages.sh $(VENV)
	@touch $@

$(BUILD)/build.ninja: CMakePresets.json | $(stamps)/debian
	@echo "Configuring the C++ build"
	@cmake --preset default -B $(BUILD) >$(stamps)/configure.log 2>&1 || { cat $(stamps)/configure.log; exit 1; }
	@touch $@

.PHONY: build
build: $(BUILD)/build.ninja ## build the C++ tools and unit tests
	@cmake --build $(BUILD) --parallel $(JOBS)

.PHONY: setup
setup: ## install everything and build
	@$(MAKE) --no-print-directory $(stamps)/debian
	@$(MAKE) --no-print-directory --jobs=2 build $(VENV)/stamp

# --- work ---------------------------------------------------------------------

.PHONY: demo
demo: setup ## a pretrained model answers through generated hardware code
	@$(venv_bin)/python -m streamtensor.demo --output demo-out

.PHONY: test
test: setup ## lints, C++ tests and Python tests
	@$(MAKE) --no-print-directory --keep-going --jobs=1 lint check-cpp check-python

.PHONY: check-cpp
check-cpp: build ## lit, GoogleTest and RapidCheck
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

.PHONY: check-python
check-python: build $(VENV)/stamp ## pytest
	@# Each worker has one core: with more threads PyTorch waits for the others. Files in their order, as those of few
	@# tests are the longest.
	OMP_NUM_THREADS=1 $(venv_bin)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_FLAGS)

.PHONY: fuzz
fuzz: setup ## random programs and types: N=300 SEED=1 NATIVE=60 PAIRS=0 MODULES=15 FAILURES=fuzz-failures COVERAGE= PATIENCE=1 OPTIMISE=O0
	PYTHONPATH=python:python/tests $(venv_bin)/python -m fuzz --count $(or $(N),300) --seed $(or $(SEED),1) \
	  $(if $(NATIVE),--native $(NATIVE)) $(if $(PAIRS),--pairs $(PAIRS)) $(if $(MODULES),--modules $(MODULES)) \
	  --failures $(or $(FAILURES),fuzz-failures) \
	  $(if $(COVERAGE),--coverage $(COVERAGE)) $(if $(PATIENCE),--patience $(PATIENCE)) \
	  $(if $(OPTIMISE),--optimise $(OPTIMISE))

.PHONY: mutate
mutate: setup ## wrong compilers, each seen by a test: RANDOM=40 SEED=1 NAMED=.*
	PYTHONPATH=utils $(venv_bin)/python -m mutation --named '$(or $(NAMED),.*)' --random $(or $(RANDOM),0) --seed $(or $(SEED),1)

.PHONY: golden
golden: build $(VENV)/stamp ## keep what the compiler makes of fixed designs now: see docs/golden.md; NAMES=module-gelu
	OMP_NUM_THREADS=1 PYTHONPATH=python:python/tests:benchmarks $(venv_bin)/python -m golden $(NAMES)

.PHONY: lint
lint: $(VENV)/stamp ## formatting and static checks
	$(venv_bin)/ruff check --quiet .
	$(venv_bin)/ruff format --check --quiet .
	clang-format-22 --dry-run -Werror $(cpp_files)
	$(venv_bin)/python utils/lint_filecheck.py test
	$(venv_bin)/python utils/lint_properties.py unittests
	$(venv_bin)/python utils/lint_links.py
	$(venv_bin)/python utils/lint_laws.py
	$(venv_bin)/python utils/lint_includes.py
	$(venv_bin)/python utils/lint_examples.py
	$(venv_bin)/python utils/figures.py

.PHONY: figures
figures: setup ## measure the figures of the documentation again and rewrite them (minutes); PROGRAMS=layer
	$(venv_bin)/python utils/figures.py --write $(PROGRAMS)

.PHONY: tidy
tidy: build ## clang-tidy over the C++ sources (minutes); FILES=... names some
	run-clang-tidy-22 -quiet -p $(BUILD) -j $(JOBS) $(or $(FILES),'$(abspath .)/(lib|tools)/.*\.cpp$$')

.PHONY: format
format: $(VENV)/stamp ## format C++ and Python in place
	$(venv_bin)/ruff format .
	clang-format-22 -i $(cpp_files)

.PHONY: clean
clean: ## remove builds and outputs, keep the Python environment
	rm -rf $(BUILD) build-wheel demo-out .cache
