# The two commands of the README are `make demo` and `make test`; each installs what it needs.
PY  ?= python3
BIN := .venv/bin
PARALLEL := --numprocesses auto --dist worksteal
OURS := bot schemas adapters simbroker sandbox strategies tests

# Tests make and drop thousands of small files. Where memory has room for them, they are made there.
ROOMY := $(shell awk '$$2 == "/dev/shm" && $$4 !~ /noexec/' /proc/mounts 2>/dev/null | grep -q . \
  && [ -w /dev/shm ] && [ "$$(df --output=avail /dev/shm | tail -n 1)" -gt 6000000 ] && echo /dev/shm)
ifneq ($(ROOMY),)
export TMPDIR ?= $(ROOMY)
endif

.DEFAULT_GOAL := help
.PHONY: help install lock bench bench-json bench-sandbox bench-cancel bench-twin bench-draft emulator format check test cover demo walkthrough site axe sandbox-image hostile bench-flow \
        mutants red under-load soak stories schemas clean

help:  ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: .venv/installed  ## put everything into .venv

.venv/installed: requirements.lock pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Stratbot needs Python 3.11 or newer; run: make PY=python3.11 install"; exit 1; }
	@echo "Putting packages into .venv: a minute or two, the first time only."
	$(PY) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lock:  ## choose new versions and write the three lock files
	$(PY) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-emit-find-links --no-header --extra dev \
	  pyproject.toml --output-file requirements.lock
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-emit-find-links --no-header --extra bench --extra fast \
	  pyproject.toml --output-file requirements-bench.lock
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-emit-find-links --no-header --constraints requirements.lock \
	  sandbox/requirements.in --output-file sandbox/requirements.lock
	rm -rf .venv-lock

.venv-bench/installed: requirements-bench.lock
	$(PY) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --require-hashes --requirement requirements-bench.lock
	@touch $@

bench: .venv-bench/installed  ## compare speed with other engines (a quarter of an hour, nothing else running)
	.venv-bench/bin/python -m tests.bench

bench-json: .venv-bench/installed  ## the same, and write bench.json
	.venv-bench/bin/python -m tests.bench --json bench.json

format: install  ## rewrite our files in our format
	$(BIN)/ruff format $(OURS)
	$(BIN)/ruff check --fix --quiet $(OURS)

hook:  ## check before each commit: once for your clone
	git config core.hooksPath .ci/hooks

check: install  ## format, lint, types, security: no tests
	$(BIN)/ruff format --check --quiet $(OURS)
	$(BIN)/ruff check --quiet $(OURS)
	$(BIN)/flake8 $(OURS)
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive bot schemas adapters simbroker sandbox strategies

EMULATOR := tests/twin/emulator
emulator:  ## put the GitHub that others made beside ours, if npm is there
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(EMULATOR)/node_modules/installed; \
	else echo "no npm: the tests against the other GitHub are skipped"; fi

$(EMULATOR)/node_modules/installed: $(EMULATOR)/package-lock.json
	npm ci --prefix $(EMULATOR) --silent --no-audit --no-fund
	@touch $@

AXE := tests/pages/axe
axe:  ## put the judge of our pages beside them, if npm is there
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(AXE)/node_modules/installed; \
	else echo "no npm: what a screen reader meets on our pages is not tested"; fi

$(AXE)/node_modules/installed: $(AXE)/package-lock.json
	npm ci --prefix $(AXE) --silent --no-audit --no-fund
	@touch $@

test: check emulator axe  ## everything that must hold
	$(BIN)/pytest $(PARALLEL) --durations 20

cover: install  ## the same tests, and which lines they reach (slower)
	$(BIN)/pytest $(PARALLEL) --cov --cov-report term:skip-covered

sandbox-image: install  ## build the image that strategies are tested in, if its inputs changed
	@$(BIN)/python -m sandbox.image

bench-sandbox: install  ## how long the gate takes, against no container
	@$(BIN)/python -m sandbox.bench

bench-cancel: install  ## how long a cancelled run takes to end, in each check
	@$(BIN)/python -m tests.sandbox.stuck

bench-twin: install  ## 50 clients, 5,000 writes against the twin (a minute, nothing else running)
	@$(BIN)/python -m tests.twin.bench

bench-flow: install  ## what a request asks of GitHub, and many at once (ARGS="--requests 100")
	@$(BIN)/python -m tests.flow.bench $(ARGS)

bench-draft: install  ## how long a request takes from words to files
	@$(BIN)/python -m tests.requests.bench

demo: install  ## one request on a local GitHub, up to a delivery to review (REQUEST=file.md ARGS=--break)
	@$(BIN)/stratbot demo $(if $(REQUEST),--request $(REQUEST)) $(ARGS)

walkthrough: install  ## record a demo for the README: a film and pictures (ten minutes; needs chromium)
	@$(BIN)/python -m tests.walkthrough

site: install  ## pages about every strategy and request, in results/site
	@$(BIN)/stratbot site --out results/site

mutants: install  ## break each safety line; the tests must notice
	$(BIN)/python -m tests.mutants

hostile: install  ## every hostile submission against the real sandbox (ARGS="--only r01 --no-intake")
	$(BIN)/python -m tests.hostile $(ARGS)

red: install  ## run a commit's tests on its parent's code, where they must fail (COMMIT=abc TEST=tests/x.py)
	@$(BIN)/python -m tests.red $(COMMIT) $(TEST)

under-load: install  ## tests beside busy processes (LOAD=8 TIMES=100 TEST=tests/x.py)
	@$(BIN)/python -m tests.under_load $(if $(LOAD),--load $(LOAD)) $(if $(TIMES),--times $(TIMES)) $(TEST)

soak: install stories  ## the long tests
	$(BIN)/pytest $(PARALLEL) -m soak

STORIES := happy failures interference stops words
stories: install  ## every story of a request again, with act running the real workflow files
	$(BIN)/pytest --numprocesses auto --dist loadfile -m "soak or not soak" --executor act \
	  $(STORIES:%=tests/flow/test_%.py)

schemas: install  ## write the JSON Schemas that the types generate
	$(BIN)/python -m schemas

clean:  ## remove what the other commands made
	rm -rf .demo .venv .venv-lock .venv-bench $(EMULATOR)/node_modules $(AXE)/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* *.egg-info
