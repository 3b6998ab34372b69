# Everything from nothing but Python 3.11+, make and a C++20 compiler: each target sets up what it needs in .venv,
# once. `make help` lists the targets.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
TESUJI := $(BIN)/tesuji
CLANG_FORMAT := $(BIN)/clang-format

# The first compiler there is, unless the caller names one: make's own default is g++ whether it exists or not.
ifeq ($(origin CXX),default)
CXX := $(firstword $(foreach name,c++ g++ clang++,$(if $(shell command -v $(name) 2>/dev/null),$(name))))
endif
export CXX

# As many compilers at once as there are processors (ninja alone would start more).
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Folders are among these: their date changes when a file comes or goes.
MODULE_SOURCES := CMakeLists.txt $(shell find cpp -not -path 'cpp/tests*' -not -name '.*')
CPP_FILES = $(shell find cpp -name '*.cpp' -o -name '*.hpp' -o -name '*.inc')
PYTHON_DIRS = $(wildcard src tests benchmarks docs/hooks.py examples)

# Prints the requirements of one list in pyproject.toml, a line each.
REQUIREMENTS = $(BIN)/python -c 'import functools, sys, tomllib; print(*functools.reduce(dict.get, sys.argv[1].split("."), tomllib.load(open("pyproject.toml", "rb"))), sep="\n")'

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two pips must not write to one environment at once; ninja does the parallel work.
.NOTPARALLEL:
.PHONY: help run test test-python test-native test-slow lint format docs stub bench sanitize sanitize-python build native clean check-compiler

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

# A run that was interrupted or killed goes on where it was; one that has ended begins anew the next time.
run: build ## the main job: Accelerated against plain UCT in three games, ending in a table and a plot (two minutes)
	@mkdir -p build
	@$(TESUJI) reproduce experiments/headline.toml --store build/headline.db --output build/headline
	@rm -f build/headline.db*

test: test-native test-python ## all quick tests, Python and native

# Many tests wait for processes of their own, so that more than four at once would ask for more memory than they save time.
PYTEST = $(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist worksteal

test-python: build $(VENV)/.test
	$(PYTEST)

# Twice, so that a machine with AVX2 tests the portable code as well.
test-native: native
	build/native/tesuji_tests
	TESUJI_CPU=portable build/native/tesuji_tests

test-slow: build $(VENV)/.test ## the Python tests that take longer
	$(PYTEST) -m slow

lint: build $(VENV)/.test $(VENV)/.lint ## ruff, mypy, clang-format, and whether the stub of _core is up to date
	$(BIN)/ruff check $(PYTHON_DIRS)
	$(BIN)/ruff format --check $(PYTHON_DIRS)
	$(BIN)/python -m mypy
	$(CLANG_FORMAT) --dry-run -Werror $(CPP_FILES)
	@$(BIN)/python -m nanobind.stubgen -q -m tesuji._core -o build/_core.pyi
	@diff -u src/tesuji/_core.pyi build/_core.pyi || { echo "src/tesuji/_core.pyi is out of date: run 'make stub'"; exit 1; }
	@echo "lint: nothing to complain about"

format: $(VENV)/.lint ## rewrites the sources as `make lint` wants them
	$(BIN)/ruff check --fix-only --quiet $(PYTHON_DIRS)
	$(BIN)/ruff format $(PYTHON_DIRS)
	$(CLANG_FORMAT) -i $(CPP_FILES)

docs: build $(VENV)/.docs ## the documentation as a site in build/site, in strict mode
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "the site is in build/site; '$(BIN)/mkdocs serve' shows it while you write"

stub: build ## writes src/tesuji/_core.pyi anew, after a change to the bindings
	$(BIN)/python -m nanobind.stubgen -q -m tesuji._core -o src/tesuji/_core.pyi

bench: build $(VENV)/.test ## speed of the core, then against OpenSpiel's search
	$(TESUJI) bench
	$(BIN)/python benchmarks/compare_openspiel.py

# The module for Python along with the tests: most of it is the same.
ADDRESS_SANITIZED = -DTESUJI_SANITIZE=address -DTESUJI_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python

# Both run at once, each on one core. The thread sanitizer finds nothing in the comparisons with slow references, which
# start no thread and take most of its time.
sanitize: $(VENV)/.tools $(VENV)/.test ## the native tests under address+undefined and under thread sanitizers; then Python's games
	$(call native_build,build/asan,$(ADDRESS_SANITIZED))
	$(call native_build,build/tsan,-DTESUJI_SANITIZE=thread)
	build/asan/tesuji_tests >build/asan/tests.txt 2>&1 & \
	build/tsan/tesuji_tests --test-suite-exclude="slow reference"; thread=$$?; \
	wait $$!; address=$$?; cat build/asan/tests.txt; [ $$thread -eq 0 ] && [ $$address -eq 0 ]
	@$(MAKE) --no-print-directory sanitize-python

# The module under the address sanitizer, which has to be there before Python is. -S leaves out the editable package.
# Python itself keeps some memory at its end: only what was asked for by the module is a leak of ours.
SANITIZED_PYTHON = PYTHONPATH=build/asan-package:.:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" $(BIN)/python -S

sanitize-python: $(VENV)/.tools $(VENV)/.test
	$(call native_build,build/asan,$(ADDRESS_SANITIZED))
	@rm -rf build/asan-package && mkdir -p build/asan-package && cp -R src/tesuji build/asan-package
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --install build/asan --prefix build/asan-package >/dev/null
	ASAN_OPTIONS=detect_leaks=0 $(SANITIZED_PYTHON) -m pytest -q -p no:cacheprovider \
	  tests/unit/test_own_games.py tests/unit/test_knowledge.py tests/unit/test_compiled_games.py tests/unit/test_own_rules.py
	ASAN_OPTIONS=detect_leaks=1:exitcode=0 PYTHONMALLOC=malloc $(SANITIZED_PYTHON) tests/sanitize/raise_often.py > build/leaks.txt 2>&1 \
	  || { cat build/leaks.txt; exit 1; }
	@! grep -B8 -A8 '_core\.' build/leaks.txt
	@echo "no leaks"

build: $(VENV)/.module ## the package, editable, in .venv

clean: ## removes .venv and everything built
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

native: $(VENV)/.tools
	$(call native_build,build/native,$(NATIVE_OPTIONS))

# $(1): the build folder; $(2): further options of CMake. A folder keeps the compiler that it was configured with.
define native_build
@PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B $(1) -G Ninja -DTESUJI_BUILD_PYTHON=OFF -DTESUJI_BUILD_TESTS=ON $(2) >/dev/null
@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build $(1)
endef

# --- set-up; each stamp file is younger than what it was made from ---------------------------------------------------

# Debian packs venv and the headers separately; asked for here, since a build would stop on them late and obscurely.
# The compiler is order-only: looked at before anything is downloaded, but no reason to set up again.
$(BIN)/python: | check-compiler
	@python=; for name in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "tesuji needs Python 3.11 or newer: apt install python3 python3-venv python3-dev (or dnf install python3-devel, brew install python)" >&2; exit 1; \
	fi; \
	if ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "tesuji needs the venv module of $$python: apt install python3-venv" >&2; exit 1; \
	fi; \
	if ! "$$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'; then \
	  echo "tesuji needs the headers of $$python: apt install python3-dev (or dnf install python3-devel)" >&2; exit 1; \
	fi; \
	echo "setting up $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear $(VENV)

check-compiler:
	@if [ -z "$(CXX)" ] || ! command -v $(firstword $(CXX)) >/dev/null; then \
	  echo "tesuji needs a C++20 compiler: apt install g++ (or dnf install gcc-c++, xcode-select --install)" >&2; exit 1; \
	fi; \
	if ! printf '#include <atomic>\n#include <concepts>\nstatic_assert(std::integral<int>);\nusing Ref = std::atomic_ref<long>;\n' | $(CXX) -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; then \
	  echo "tesuji needs a C++20 compiler, and $(CXX) is none: apt install g++ (version 11 or newer), or name another with CXX=..." >&2; exit 1; \
	fi

$(VENV)/.tools: pyproject.toml $(BIN)/python
	@echo "fetching the build tools"
	@$(REQUIREMENTS) build-system.requires > $(VENV)/requirements.txt
	@$(PIP) cmake ninja -r $(VENV)/requirements.txt
	@touch $@

$(VENV)/.module: $(VENV)/.tools $(MODULE_SOURCES)
	@echo "building tesuji (a minute the first time)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) --no-build-isolation --editable .
	@rm -f build/headline.db*  # games of another core
	@touch $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.docs: $(VENV)/.%: pyproject.toml $(BIN)/python
	@echo "fetching the $* tools"
	@$(REQUIREMENTS) project.optional-dependencies.$* > $(VENV)/requirements-$*.txt
	@$(PIP) -r $(VENV)/requirements-$*.txt
	@touch $@
