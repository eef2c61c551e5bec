# Everything starts here: `make` alone lists the commands. Each sets up .venv by itself.
# Windows has no make: docs/INSTALL.md has the same commands to type.

# A name (python3.13, also one that only pyenv has) or a path.
PYTHON ?= python3
# Where the packages go. Another folder keeps two Pythons side by side:
# make test PYTHON=python3.13 VENV=.venv/3.13
VENV ?= .venv
# The versions that make pythons looks for.
PYTHONS ?= 3.10 3.11 3.12 3.13 3.14
PYTHONS_FLAGS ?=
# macOS and a GPU round differently in the last digits: there, make test NBVAL=--nbval-lax
NBVAL ?= --nbval
WORKERS ?= 2
LAB_FLAGS ?=
NOTEBOOK ?= chapters/00_start.ipynb
# Where make serve shows the web edition.
PORT ?= 8000
TESTS ?= chapters tests attnlib attnbook
# What can differ by Python, except tests marked thorough: the library with its doctests, the engine
# of the exercises, the builder and the figures of the book, packaging, and one notebook. (Each
# Python's own job of the workflow runs all tests.)
COMPATIBILITY ?= attnlib attnbook chapters/04_keys_and_values.ipynb tests/library \
	$(addprefix tests/exercises/test_,answers.py engine.py guard.py judging.py zoo.py) \
	$(addprefix tests/book/test_,build.py diagrams.py diagrams_in_browser.py views.py) \
	$(addprefix tests/project/test_,public.py wheel.py)
# Notebooks that need a downloaded corpus.
NEEDING ?= $(shell grep -l '"needs":' chapters/*.ipynb)
# What make e2e runs. It needs apt install chromium firefox-esr webkit2gtk-driver xvfb; a missing
# browser is skipped and named. CHROMIUM=path names a Chromium that is elsewhere.
E2E ?= tests/lab tests/web tests/book/test_live_views.py
# Options of make answers: --chapter 05, --exercise safe_softmax.
ANSWERS ?=

# Threads that wait for each other spin a thousand times and then sleep. Measured with two threads:
# spinning 100,000 times is 25 times slower than one thread on busy cores, sleeping at once 15 %
# slower than this on idle ones. (GOMP_SPINCOUNT is for torch on Linux.) Results are the same.
WAIT := OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=1000

BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_SITE := $(VENV)/.ready-site
READY_E2E := $(VENV)/.ready-e2e
PEERS := $(VENV)/peers
# pip before 25.3 reads the first for the build backend too, later ones read the second.
PIP_INSTALL := PIP_CONSTRAINT=.ci/constraints.txt PIP_BUILD_CONSTRAINT=.ci/constraints.txt \
	PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install

.DEFAULT_GOAL := help
.PHONY: help lab test thorough compatibility pythons lint answers book site serve release e2e bench \
	size lock clean same-python
.DELETE_ON_ERROR:

help: ## this list
	@echo "The first command sets up .venv (2 to 10 minutes, by the network); later ones start at once."
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml .ci/constraints.txt $(if $(filter command line,$(origin PYTHON)),| same-python)
	@echo "Setting up $(VENV): exact versions, 2 to 10 minutes by the network, only this once."
	@python=$$(.ci/python $(PYTHON)) || exit 1; \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "attnlib needs Python 3.10 or newer, and $(PYTHON) is not: install one and name it, for example make lab PYTHON=python3.12." >&2; \
	  exit 1; }; \
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $$python -m venv --clear $(VENV) || { \
	  echo "$(PYTHON) cannot make a virtual environment: on Debian and Ubuntu, apt install python3-venv." >&2; \
	  rm -rf $(VENV); exit 1; }
	@$(PIP_INSTALL) -e '.[test]'
	@touch $@
	@echo "Set up."

# Where PYTHON is named and .venv has another one, stop with an error.
same-python:
	@[ ! -x $(BIN)/python ] || python=$$(.ci/python $(PYTHON)) || exit 1; \
	[ ! -x $(BIN)/python ] || [ "$$($(BIN)/python -V)" = "$$($$python -V)" ] || { \
	  echo "$(VENV) has $$($(BIN)/python -V), and $(PYTHON) is $$($$python -V): make clean removes it, or VENV=$(VENV)/other keeps both." >&2; \
	  exit 1; }

$(READY_SITE): $(READY)
	@echo "Adding what the web edition needs to $(VENV): about half a minute, only this once."
	@$(PIP_INSTALL) -e '.[site]'
	@touch $@

$(READY_E2E): $(READY_SITE)
	@echo "Adding what tests in a browser need to $(VENV): about half a minute, only this once."
	@$(PIP_INSTALL) -e '.[e2e]'
	@touch $@

lab: $(READY) ## open JupyterLab on the first notebook (about 10 seconds)
	@echo "Opening JupyterLab on $(NOTEBOOK); Ctrl-C twice here closes it."
	@$(BIN)/python -m jupyterlab --config=docs/lab/config.py --LabApp.default_url=/lab/tree/$(NOTEBOOK) $(NOTEBOOK) $(LAB_FLAGS)

# No other file says how long this takes.
test: lint ## lint, types, tests, every notebook (8 to 20 minutes on two cores)
	@echo "Running the tests and notebooks; make alone says how long that takes."
	@$(WAIT) $(BIN)/python -m pytest $(NBVAL) -n $(WORKERS) --dist loadscope --no-loadscope-reorder -m "not thorough" $(TESTS)

thorough: $(READY) ## what make test leaves out: slow tests, and what needs Multi30k, downloaded once (15 minutes)
	@echo "Running slow tests of what rarely breaks, and what needs Multi30k or is skipped with a reason."
	@$(WAIT) $(BIN)/python -m pytest $(NBVAL) -n $(WORKERS) --dist loadscope --no-loadscope-reorder -m "thorough or network" $(NEEDING) tests

compatibility: $(READY) ## the tests that may differ by Python version (3 minutes on two cores)
	@echo "Running the tests that may differ by Python version: about 3 minutes on two cores."
	@$(WAIT) $(BIN)/python -m pytest $(NBVAL) -n $(WORKERS) --dist loadscope --no-loadscope-reorder -m "not thorough" $(COMPATIBILITY)

pythons: $(READY) ## make compatibility on every Python that is here (2 minutes each to set up, 3 to run)
	@PYTHONS="$(PYTHONS)" .ci/pythons $(PYTHONS_FLAGS)

lint: $(READY) ## ruff and mypy only (15 seconds)
	@echo "Checking style and types: about 15 seconds."
	@$(BIN)/python -m ruff check --quiet .
	@$(BIN)/python -m ruff format --check --quiet .
	@$(BIN)/python -m mypy --no-error-summary

answers: $(READY) ## judge 2,400 answers to the exercises, written without seeing the checks (1 minute)
	@$(BIN)/python tests/exercises/judge_answers.py $(ANSWERS)

book: $(READY) ## build the notebooks whose code or library changed (17 minutes for all)
	@echo "Building the notebooks from chapters/source: up to 17 minutes; those of which no code changed take seconds."
	@$(BIN)/python -m attnbook.papers chapters/source
	@$(BIN)/python -m attnbook.builder

site: $(READY_SITE) ## build the web edition into docs/_build (1 minute)
	@echo "Building the web edition from the notebooks and docstrings: about a minute."
	@$(BIN)/python -m docs.build

serve: site ## build the web edition and show it on http://localhost:8000 (PORT=8001 for another)
	@echo "The book is at http://localhost:$(PORT); Ctrl-C closes it. PORT=8001 takes another port."
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory docs/_build/html $(PORT)

release: $(READY_E2E) site ## write PDF, web edition, notebooks and checksums into dist/ (7 minutes)
	@$(BIN)/python -m docs.paper
	@$(BIN)/python -m docs.release

e2e: $(READY_E2E) site ## test JupyterLab and the web edition in Chromium, Firefox and WebKit (40 minutes)
	@echo "Testing JupyterLab and every page in the browsers that are here: 40 minutes to an hour on two cores."
	@ATTNLIB_LONG=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(E2E)

bench: $(PEERS)/.ready ## time and memory compared with other programs (35 minutes; BENCH=--quick for 2)
	@$(BIN)/python -m studies.peers $(BENCH)

# The programs that attnlib is compared with. A .pth file lets them see the packages of .venv, torch
# among them.
PACKAGES := "import sysconfig; print(sysconfig.get_path('purelib'))"
$(PEERS)/.ready: studies/peers/requirements.txt | $(READY)
	@echo "Installing the peers into $(PEERS): a few megabytes, only this once."
	@$(BIN)/python -m venv --clear $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --no-deps -r $<
	@$(BIN)/python -c $(PACKAGES) > "$$($(PEERS)/bin/python -c $(PACKAGES))/shared.pth"
	@touch $@

size: $(READY) ## lines of code by package, compared with the branch main, and notebook lengths
	@$(BIN)/python tests/count_lines.py

lock: ## choose new versions for .ci/constraints.txt (1 minute; needs a network)
	@echo "Choosing versions: about a minute."
	@$$(.ci/python $(PYTHON)) -m venv .venv/lock && .venv/lock/bin/python -m pip install --quiet uv
	@sed '/^[^#]/d' .ci/constraints.txt > .venv/lock/new
	@printf 'torch==2.13.0\n' > .venv/lock/torch && printf 'hatchling\neditables\n' > .venv/lock/build
	@.venv/lock/bin/uv pip compile --universal --python-version 3.10 --extra test --extra site --extra e2e \
	  --no-header --no-annotate --quiet pyproject.toml .venv/lock/build \
	  --constraint .venv/lock/torch > .venv/lock/all
	@grep -Ev '^(nvidia-|cuda-|triton|httpx2-jsfetch)' .venv/lock/all >> .venv/lock/new
	@for version in $(PYTHONS); do .venv/lock/bin/uv pip compile --no-build --python-version $$version \
	  --extra test --extra site --extra e2e --constraint .venv/lock/new --quiet pyproject.toml \
	  > /dev/null || { echo "These versions do not go together on Python $$version."; exit 1; }; done
	@mv .venv/lock/new .ci/constraints.txt && echo ".ci/constraints.txt is new: run make test."

clean: ## remove .venv and everything generated but the notebooks
	rm -rf .venv docs/_build .pytest_cache .ruff_cache .mypy_cache .hypothesis *.egg-info
	find attnlib attnbook tests studies docs data chapters -name __pycache__ -prune -exec rm -rf {} +
