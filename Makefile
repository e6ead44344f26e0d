# Everything one does with a checkout. `make` alone lists it.
# Needs Python 3.11 - 3.13 and make; no root. Once the packages are installed nothing here uses the network.

PYTHON ?= python3
VENV   ?= .venv
# Test processes at a time; the tests leave half of what a small machine has to the programs they start.
JOBS   ?= 2
UV     ?= uv

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
# Both stamps are named after content, so that nothing is installed again but for a reason: a lock that changed or a folder
# that moved makes a new environment, a changed pyproject.toml or kernel only links the project and compiles anew.
fingerprint = $(shell { cat $(1); pwd; } | cksum | cut -d ' ' -f 1)
PACKAGES := $(VENV)/packages-$(call fingerprint,requirements/dev.txt)
KERNELS  := tools/build_kernel.py $(foreach types,$(wildcard src/thresher/*/*.pxd),$(types) $(types:.pxd=.py))
STAMP    := $(VENV)/project-$(call fingerprint,requirements/dev.txt pyproject.toml $(KERNELS))

COMPILE := $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --custom-compile-command 'make lock' $(UPGRADE)

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help: ## list what there is (this)
	@echo 'make TARGET, where TARGET is'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 12
	@echo 'Options: PYTHON=python3.13 (default $(PYTHON)), VENV=DIR (default $(VENV)), JOBS=N (default $(JOBS)).'

.PHONY: setup
setup: $(STAMP) ## make the environment in .venv
	@echo 'setup: $(BIN)/thresher is ready,' "$$($(BIN)/python --version)"

$(PACKAGES):
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo 'setup: thresher needs Python 3.11, 3.12 or 3.13; "$(PYTHON)" is none of them or not installed.'; \
	  echo 'setup: install one (Debian: apt install python3 python3-venv), or name it: make setup PYTHON=python3.13'; \
	  exit 1; } >&2
	@echo 'setup: making $(VENV) with' "$$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV) || { \
	  echo 'setup: this Python cannot make environments (Debian: apt install python3-venv)'; exit 1; } >&2
	@echo 'setup: installing the packages of requirements/dev.txt; a minute or two the first time'
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(STAMP): $(PACKAGES)
	@echo 'setup: linking thresher into $(VENV)'
	@$(PIP) --no-build-isolation --no-index --editable .
	@$(BIN)/python tools/build_kernel.py
	@$(BIN)/python -m compileall -q src
	@touch $@

.PHONY: demo
demo: $(STAMP) ## watch it learn made-up mail and sort it, then on the page
	@echo 'demo: learning a made-up mailbox, then filing the spam of a second one'
	@$(BIN)/thresher demo --page

.PHONY: test
test: $(STAMP) ## run all tests
	@echo 'test: pytest, $(JOBS) processes'
	@$(BIN)/python -m pytest -n $(JOBS)

.PHONY: check
check: $(STAMP) ## lint, formatting, types, import directions, documents
	@echo 'check: ruff check'
	@$(BIN)/ruff check
	@echo 'check: ruff format'
	@$(BIN)/ruff format --check
	@echo 'check: mypy'
	@$(BIN)/mypy
	@echo 'check: import directions'
	@$(BIN)/lint-imports
	@echo 'check: documents'
	@$(BIN)/python -m pytest --quiet tests/test_docs.py

.PHONY: bench
bench: $(STAMP) ## compare speed and accuracy with peers; CORPUS=DIR for real mail
	@echo 'bench: thresher, bogofilter and scikit-learn, interleaved'
	@$(BIN)/python bench/run.py $(if $(CORPUS),--corpus '$(CORPUS)')

.PHONY: figures
figures: $(STAMP) ## draw the figures of the documents into docs/figures
	@echo 'figures: docs/figures'
	@$(BIN)/thresher figures docs/figures

.PHONY: docs
docs: $(STAMP) ## write what docs/ has of the commands' help, the HTTP routes and the tests
	@echo 'docs: docs/cli.md, docs/openapi.json, docs/coverage.md'
	@$(BIN)/python tools/cli_reference.py docs/cli.md
	@$(BIN)/python tools/openapi.py docs/openapi.json
	@$(BIN)/python tools/coverage.py docs/coverage.md

.PHONY: lock
lock: ## pin all packages anew (needs uv; UPGRADE=--upgrade takes newer versions)
	@echo 'lock: requirements/runtime.txt, requirements/dev.txt'
	@$(COMPILE) --output-file requirements/runtime.txt
	@$(COMPILE) --all-extras --group dev --constraints requirements/runtime.txt --output-file requirements/dev.txt

.PHONY: clean
clean: ## remove the environment and all caches
	@echo 'clean: $(VENV) and caches'
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find src -name '*.so' -delete
	@find src tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
