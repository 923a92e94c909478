PYTHON ?= python3
# It names the Python that sets up; everything after that uses the environment's own.
unexport PYTHON
PORT ?= 8000
VENV := .venv
# Training needs PyTorch, which is large: only where everything must be checked.
EXTRAS := dev,arena$(if $(filter true,$(CI)),$(shell printf ,)train)
# Playing does not need what the tests need.
PLAYING := server,wasm
WANTED := $(if $(filter test% check coverage hooks docs wheel release,$(MAKECMDGOALS)),$(EXTRAS),$(PLAYING))
# Python compiles what is used when it is first used, and keeps it, whatever is usual here: compiling all that is
# installed takes half a minute, and compiling it again in every process three times as long as running it.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(VENV)/bin/python -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
PACKAGES := web/node_modules/.ready
WARM := $(VENV)/.warm
WARM_RULES := $(VENV)/.warm-rules
PAGES := src/sixfold/server/pages/index.html
SITE := site/index.html
RULES := web/public/rules
# Types of the server's messages and of the compiled rules, generated for TypeScript.
SCHEMA := web/src/lib/schema.ts
INTERFACE := web/src/rules/interface.ts
MODULES := $(VENV)/.modules
COMPILED := $(shell find src/sixfold/games src/sixfold/engine src/sixfold/bots src/sixfold/wasm src/sixfold/solve src/sixfold/review -name '*.py')

.PHONY: help play terminal pages site docs check services test test-style test-python test-web-style test-web test-browser test-pythons coverage hooks wheel image release clean

help:
	@echo "make play      play in the browser, at http://127.0.0.1:$(PORT); PORT=... for another port"
	@echo "make terminal  play in the terminal"
	@echo "make pages     build the browser's pages"
	@echo "make site      write site/: plain files that any web space can serve, to play without a server and offline"
	@echo "make check     style, types and the quick tests, in less than a minute"
	@echo "make test      everything: style, types and behaviour, in a real browser too"
	@echo "make services  find or install Chromium, PostgreSQL and Redis, which the tests need"
	@echo "make hooks     check style and types before every commit"
	@echo "make test-pythons  the part of it that runs on every other Python that is here"
	@echo "make coverage  the Python tests, and which lines they reach"
	@echo "make wheel     build the wheel, with the browser's pages, into dist"
	@echo "make docs      build the documentation into dist/docs"
	@echo "make image     build a container with podman or docker"
	@echo "make release VERSION=...  run all checks, then write the version, the change log's heading, wheel, documentation and site"
	@echo "make clean     remove everything that was set up or built"
	@echo "PYTHON=...     another Python than python3 (3.11 or newer)"

# Only the rules are compiled before: the browser has bots of its own, and the server compiles its own while people play.
play:
	@$(MAKE) --no-print-directory -j 2 $(PAGES) $(WARM_RULES)
	@echo "Open http://127.0.0.1:$(PORT) in your browser; Ctrl+C ends the server."
	@$(VENV)/bin/sixfold serve --port $(PORT)

terminal: $(READY)
	@$(VENV)/bin/sixfold play

pages: $(PAGES) $(SCHEMA)

site: $(SITE)
	@echo "The site is in site/: put that folder anywhere on a web space, or try it with: python3 -m http.server -d site"

check: $(TOOLS)
	@VENV=$(VENV) tools/check.sh

services:
	@tools/services.sh

# What is set up, built and checked for style runs side by side, so that no core waits for another's unpacking. Then the
# Python tests have both cores, with a third worker, since those with servers of their own mostly wait; then the
# browser's, which wait for what they see, beside other Pythons.
test: services
	@$(MAKE) --no-print-directory -j 3 --output-sync=target test-web-style test-style test-web $(WARM) $(SITE)
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory -j 2 test-browser test-pythons

test-style: $(TOOLS)
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

test-python: $(TOOLS) $(PAGES) $(WARM)
	$(VENV)/bin/pytest -n 3 --dist loadgroup --no-loadscope-reorder

# Apart from the tests, because tracing takes half as long again.
coverage: $(TOOLS) $(PAGES) $(WARM)
	$(VENV)/bin/pytest -n 3 --dist loadgroup --no-loadscope-reorder --cov

test-web-style: $(PACKAGES) $(MODULES) $(SCHEMA)
	cd web && npm run --silent lint
	cd web && npm run --silent check

test-web: test-web-style $(TOOLS) $(PAGES)
	cd web && npm run --silent unit

test-browser: $(TOOLS) $(PAGES) $(SITE)
	cd web && npm run --silent browser

test-pythons: $(TOOLS)
	@tools/other_pythons.sh $(VENV)/bin/python

wheel: $(TOOLS) $(PAGES)
	rm -f dist/*.whl
	$(VENV)/bin/python -m build --wheel --no-isolation --outdir dist

docs: $(TOOLS)
	$(VENV)/bin/sphinx-build --fail-on-warning --fresh-env --quiet docs dist/docs
	@echo "The documentation is in dist/docs/index.html."

image: wheel
	$$(command -v podman || command -v docker || { echo "make image needs podman or docker" >&2; echo false; }) \
		build --file deploy/Containerfile --tag sixfold .

release: $(TOOLS)
	@test -n "$(VERSION)" || { echo "Name the version: make release VERSION=1.2.0"; exit 1; }
	@$(VENV)/bin/python tools/release.py $(VERSION) --look
	$(MAKE) test CI=true
	$(VENV)/bin/python tools/release.py $(VERSION)
	$(MAKE) wheel docs site
	@echo "Look at the change log and dist, then: git commit --all --message 'Version $(VERSION)' && git tag v$(VERSION)"

hooks: $(TOOLS)
	$(VENV)/bin/pre-commit install

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Sixfold needs Python 3.11 or newer; if it is installed under another name, say so: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot create environments; Debian, Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[$(WANTED)]'
	@touch $@ $(if $(filter-out $(PLAYING),$(WANTED)),$(TOOLS))

# Where everything was installed a moment ago, there is nothing left to do.
$(TOOLS): $(READY)
	@if [ ! -e $@ ] || [ $< -nt $@ ]; then set -x; $(PIP) -e '.[$(EXTRAS)]' && touch $@; fi

# Looking for what is not used any more would take a fifth of the time.
$(WARM): $(READY) $(shell find src/sixfold/games src/sixfold/engine src/sixfold/bots -name '*.py')
	@echo "Compiling the rules and the bots; this is done once and takes less than a minute."
	@$(VENV)/bin/python -c "from sixfold.games import packages; print(*packages())" | xargs -n 1 -P 2 $(VENV)/bin/python -c \
		"import gc, sys; gc.disable(); from sixfold.bots import levels; from sixfold.server import bot_runner; levels.warm_up(sys.argv[1]); bot_runner.warm_up(sys.argv[1])"
	@touch $@

$(WARM_RULES): $(READY) $(shell find src/sixfold/games src/sixfold/engine -name '*.py')
	@$(VENV)/bin/python -c "from sixfold.server import bot_runner; bot_runner.warm_up()"
	@touch $@

$(PACKAGES): web/package.json web/package-lock.json
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null && \
		command -v npm >/dev/null || \
		{ echo "Building the pages needs Node.js 20.19 or newer with npm; Debian 13, Ubuntu: apt-get install nodejs npm; macOS: brew install node"; exit 1; }
	cd web && npm install --no-save --silent
	@touch $@

$(MODULES): $(READY) $(COMPILED)
	@echo "Compiling the rules and the bots for the browser; this is done once and takes less than a minute."
	@$(VENV)/bin/sixfold wasm $(RULES) --types $(INTERFACE)
	@touch $@

$(SCHEMA): $(READY) $(PACKAGES) $(wildcard src/sixfold/server/*.py)
	cd web && npm run --silent types

$(PAGES): $(PACKAGES) $(MODULES) $(wildcard src/sixfold/languages/*.json) $(shell find web/src web/public src/sixfold/languages/rules -type f -not -path '$(RULES)/*' -not -path $(SCHEMA) -not -path $(INTERFACE)) web/index.html web/vite.config.ts web/vite.rules.config.ts
	cd web && npm run --silent rules -- --logLevel warn
	cd web && npm run --silent build -- --logLevel warn
	@touch $@

$(SITE): $(PAGES) $(wildcard web/site/*)
	cd web && npm run --silent site -- --logLevel warn
	@touch $@

clean:
	rm -rf $(VENV) .venv-3.* build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf web/node_modules src/sixfold/server/pages $(RULES) $(SCHEMA) $(INTERFACE) site screenshots
	find src lab tests -name __pycache__ -type d -prune -exec rm -rf {} +
