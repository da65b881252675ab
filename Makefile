# The lab portal. `make run` and `make test` are all a newcomer needs.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# Tests start hundreds of processes, each of which would otherwise compile the code again.
export PYTHONDONTWRITEBYTECODE :=
UI_SOURCES := $(shell find ui/src ui/public ui/index.html ui/vite.config.ts ui/tsconfig.json -type f 2>/dev/null)

.PHONY: run dev desktop package test test-quick test-slow torture hazards check check-python check-ui format bench contract revision lock ui tools clean

run: $(VENV)/.server ui/dist/index.html  ## start the portal with the demo lab
	@PORTAL_LOG_LEVEL=$${PORTAL_LOG_LEVEL:-WARNING} exec $(BIN)/python -m app serve

desktop: $(VENV)/.desktop ui/dist/index.html  ## start the desktop app (PORTAL_URL names the portal)
	@PORTAL_URL=$${PORTAL_URL:-http://127.0.0.1:8000} exec $(BIN)/python -m app desktop

dev: $(VENV)/.dev ui/node_modules/.ready  ## the portal and the interface, both reloading on save
	@exec $(BIN)/python -m tests.tools.dev

test: $(VENV)/.dev ui/dist/index.html tools check  ## everything that a change must pass
	npm --prefix ui run --silent test -- --maxWorkers=100%
	$(BIN)/python -m pytest -n 3 --dist loadgroup --durations 10

test-quick: $(VENV)/.dev ui/node_modules/.ready  ## types, rules and units, within two minutes
	$(BIN)/mypy
	npm --prefix ui run --silent types
	npm --prefix ui run --silent test -- --maxWorkers=100% --exclude '**/*.test.tsx'
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations 10 tests/rules tests/contract tests/drawing

test-slow: $(VENV)/.dev ui/dist/index.html tools  ## checks that take long, before a release
	$(BIN)/python -m tests.tools.slow

torture: $(VENV)/.dev ui/dist/index.html tools  ## kill parts of two machines under load for ten minutes
	$(BIN)/python -m tests.torture --minutes 10

hazards: $(VENV)/.dev ui/dist/index.html tools  ## switch each safety control off, and show its test fail
	$(BIN)/python -m tests.tools.hazards

check: $(VENV)/.dev ui/node_modules/.ready  ## format, lint, types, imports, words, contract drift
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-python check-ui

check-python:
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m app check
	$(BIN)/python -m tests.server.check
	$(BIN)/python -m tests.tools.words
	$(BIN)/python -m app contract --check

check-ui:
	npm --prefix ui run --silent contract -- --check
	npm --prefix ui run --silent types
	npm --prefix ui run --silent lint

format: $(VENV)/.dev ui/node_modules/.ready
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .
	npm --prefix ui run --silent format

bench: $(VENV)/.dev ui/dist/index.html  ## ratios against the bare parts (BENCH_ROWS=5000000 for more)
	$(BIN)/python -m tests.bench

contract: $(VENV)/.dev ui/node_modules/.ready  ## write shared/ and the TypeScript made from it
	$(BIN)/python -m app contract
	npm --prefix ui run --silent contract

package: $(VENV)/.dev ui/dist/index.html  ## the desktop app for Linux: dist/*.deb and *.tar.xz
	@bash packaging/linux/system_packages.sh
	@PYTHONPATH=packaging $(BIN)/python -m lab_packaging

revision: $(VENV)/.dev  ## write a revision of the schema from changes of the models (NAME='add supplies')
	$(BIN)/python -m app revision $(NAME)

lock:  ## renew the pinned requirements (needs uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --extra server --extra desktop --group dev -o requirements/dev.lock
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --extra server -c requirements/dev.lock -o requirements/server.lock
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --extra desktop -c requirements/dev.lock -o requirements/desktop.lock

ui: ui/dist/index.html

tools: tests/drawing/zpl_renderer/node_modules/.ready
	@bash tests/tools/system_packages.sh

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Name another: make run PYTHON=python3.12"; exit 1; }
	@echo "  Making the virtual environment ..."
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing (Debian: apt-get install python3-venv)"; exit 1; }

$(VENV)/.server: requirements/server.lock | $(VENV)/pyvenv.cfg
	@echo "  Installing the server's packages ..."
	@$(PIP_INSTALL) -r requirements/server.lock
	@touch $@

$(VENV)/.desktop: requirements/desktop.lock | $(VENV)/pyvenv.cfg
	@echo "  Installing the desktop's packages ..."
	@$(PIP_INSTALL) -r requirements/desktop.lock
	@touch $@

$(VENV)/.dev: requirements/dev.lock | $(VENV)/pyvenv.cfg
	@echo "  Installing all packages, tests included ..."
	@$(PIP_INSTALL) -r requirements/dev.lock
	@touch $(VENV)/.server $(VENV)/.desktop $@

ui/node_modules/.ready: ui/package-lock.json
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || { echo "Node 20 or newer is needed."; exit 1; }
	@echo "  Installing the UI's packages ..."
	@npm --prefix ui ci --silent --no-audit --no-fund
	@touch $@

ui/dist/index.html: ui/node_modules/.ready $(UI_SOURCES)
	@echo "  Building the UI ..."
	@npm --prefix ui run --silent build > ui/.build.log 2>&1 || { cat ui/.build.log; exit 1; }
	@touch $@

tests/drawing/zpl_renderer/node_modules/.ready: tests/drawing/zpl_renderer/package-lock.json
	@npm --prefix tests/drawing/zpl_renderer ci --silent --no-audit --no-fund
	@touch $@

clean:
	rm -rf ui/dist ui/node_modules $(VENV) tests/drawing/zpl_renderer/node_modules
