# Kongbox: `make run` opens the page, `make test` runs the tests.
# PYTHON names the interpreter that makes the environment, HOST and PORT where the page is served.

# A pipe fails where any part of it does.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

SYSTEM_PACKAGES := libgl1 libglib2.0-0
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --no-compile
# What is locked is checked: each file must have one of the hashes in requirements/. Only wheels are
# taken, since a source package would fetch tools to build it that nobody has locked.
LOCKED := $(INSTALL) --require-hashes --only-binary :all:
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
TRAIN := $(VENV)/.train-installed

BABEL := $(BIN)/pybabel --quiet
CATALOGUES := webapp/translations

# Each process of the tests has one core to itself, and so has one thread.
TEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-strip-extras \
	--no-header --no-emit-index-url --no-emit-find-links
# What the wheel of torch in the ordinary index wants besides, and that without a card does not.
CUDA := sed -n "s/^\([a-z0-9-]*\)[=[].*sys_platform == 'linux'.*/\1/p"
WANTED_BY_TRAINING := $(BIN)/python -c 'import tomllib; \
	extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
	print("\n".join(extras["train"]))'

# What onnxruntime wants on Windows besides, which not every computer has: msvcp140.dll. Later versions
# have no wheel for Python 3.11, which the installer carries.
WANTED_ON_WINDOWS := msvc-runtime<14.45

.PHONY: run test coverage scorer-coverage check audit arm64 bench wheel installers pictures format messages train-deps lock clean help

help:
	@echo "make run         open the page on http://$(HOST):$(PORT)"
	@echo "make test        run the tests"
	@echo "make coverage    run the tests and print which lines they leave out; a third longer"
	@echo "make scorer-coverage   run the scorer's tests, which must take every branch"
	@echo "make bench       time scoring, reading of photos and cameras, starting, and the page with 50 phones;"
	@echo "                 kill the server and look whether anything is lost"
	@echo "make pictures    take the screenshots in docs anew"
	@echo "make wheel       make the wheel for uv and pipx, and the list of locked versions, in dist/"
	@echo "make installers  make the installers for Windows and Macs, in dist/"
	@echo "make check       check style, formatting and types"
	@echo "make audit       hold what is locked against the known holes of other people's packages"
	@echo "make arm64       install and try the wheel in an emulated Debian for 64-bit ARM; as root"
	@echo "make matrix      ask for each system and Python whether all that is locked comes as wheels"
	@echo "make format      put the code into the house's format"
	@echo "make messages    take the page's words into the catalogues and compile them"
	@echo "make train-deps  install what training the models needs"
	@echo "make lock        write the locked versions in requirements/ anew"
	@echo "make clean       remove the environment and everything that is built"

run: $(RUNTIME)
	@$(BIN)/kongbox serve --host $(HOST) --port $(PORT)

test: $(DEV)
	$(TEST) $(OPTIONS)

coverage: $(DEV)
	$(TEST) -m "not no_cover" --cov --cov-report=term-missing:skip-covered

scorer-coverage: $(DEV)
	$(TEST) tests/scorer -m "not no_cover" --hypothesis-profile=repeatable --cov=scorer --cov-branch \
		--cov-report=term-missing:skip-covered --cov-fail-under=100

bench: $(DEV)
	$(BIN)/python -m benchmarks.speed.scoring
	$(BIN)/python -m benchmarks.speed.reading
	$(BIN)/python -m benchmarks.speed.watch
	$(BIN)/python -m benchmarks.page.starting
	$(BIN)/python -m benchmarks.page.load
	$(BIN)/python -m benchmarks.page.strangers
	$(BIN)/python -m benchmarks.page.durability --kills 3

# The list is for pip's constraints, which take no hashes for a wheel of one's own.
wheel: $(BIN)/python
	@$(LOCKED) -r requirements/build.txt
	@rm -rf build
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@rm -rf build
	@sed -n '/^[a-z]/s/ *\\$$//p' requirements/runtime.txt > dist/versions.txt
	@ls -l dist/kongbox-*.whl dist/versions.txt

installers: $(DEV)
	@$(BIN)/python -m supply.installers

pictures: $(DEV)
	$(BIN)/python -m tests.webapp.browser.screenshots
	$(BIN)/python -m tests.webapp.browser.book_screenshots

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if $(BIN)/python -c "import torch" 2>/dev/null; then \
		echo "$(BIN)/mypy"; $(BIN)/mypy --num-workers auto; \
	else \
		echo "torch is not installed: types of models/ are left out (make train-deps adds it)"; \
		$(BIN)/mypy scorer vision webapp datasets supply \
			tests/scorer tests/vision tests/webapp tests/datasets tests/house; \
	fi

audit: $(DEV)
	@$(BIN)/python -m supply.audit

# In an emulated Debian, made anew in a folder for the while; ARM64 names a folder to keep it in.
arm64: $(DEV)
	supply/arm64.sh $(ARM64)

matrix: $(DEV)
	@$(LOCKED) -r requirements/lock.txt
	@$(BIN)/python -m supply.matrix

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

messages: $(DEV)
	$(BABEL) extract --mapping babel.cfg --keywords "lazy_gettext noted note" --no-location \
		--sort-output --project kongbox --output $(VENV)/messages.pot .
	$(BABEL) update --input-file $(VENV)/messages.pot --output-dir $(CATALOGUES) \
		--no-fuzzy-matching --ignore-obsolete --width 100
	$(BABEL) compile --directory $(CATALOGUES)

train-deps: $(TRAIN)

lock: $(DEV)
	$(LOCKED) -r requirements/lock.txt
	echo "setuptools" | $(COMPILE) --output-file requirements/build.txt -
	echo "uv" | $(COMPILE) --output-file requirements/lock.txt -
	echo "$(WANTED_ON_WINDOWS)" | $(COMPILE) --output-file requirements/windows.txt -
	$(COMPILE) --output-file requirements/runtime.txt pyproject.toml
	$(COMPILE) --extra dev --constraint requirements/runtime.txt \
		--output-file requirements/dev.txt pyproject.toml
	$(COMPILE) --extra association --constraint requirements/dev.txt \
		--output-file requirements/association.txt pyproject.toml
	$(WANTED_BY_TRAINING) | $(COMPILE) --constraint requirements/dev.txt \
		--output-file requirements/cuda.txt -
	$(WANTED_BY_TRAINING) | $(COMPILE) --constraint requirements/dev.txt \
		$$($(CUDA) requirements/cuda.txt | sed "s/^/--no-emit-package /") \
		--no-emit-package torch --output-file requirements/train.txt -

clean:
	rm -rf $(VENV) build dist ./*.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "Kongbox needs Python 3.11 or newer, and $(PYTHON) was not found." >&2; \
		echo "On Debian or Ubuntu: sudo apt-get install python3 python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Kongbox needs Python 3.11 or newer; this is $$("$(PYTHON)" --version 2>&1)." >&2; \
		echo "Install a newer one (on Debian or Ubuntu: sudo apt-get install python3.11 python3.11-venv)" >&2; \
		echo "and name it: make run PYTHON=python3.11" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt-get install python3-venv" >&2; \
		exit 1; }
	@"$(PYTHON)" -m venv $(VENV)

# What is installed is compiled where it is first imported: most of it never is, and what the first page
# needs is imported here. Verbose and quiet together print what pip usually does.
define INSTALL_KONGBOX
	@echo "Installing Kongbox into $(VENV); the first time this takes a minute or two."
	@$(LOCKED) --verbose $(addprefix -r ,$(filter requirements/%,$^)) | \
		$(BIN)/python -m supply.progress $(filter requirements/%,$^)
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -c "import cv2" 2>/dev/null || { \
		echo "OpenCV cannot start: system libraries are missing." >&2; \
		echo "On Debian or Ubuntu: sudo apt-get install $(SYSTEM_PACKAGES)" >&2; exit 1; }
	@echo "Getting it ready for the first start."
	@$(BIN)/python -c "import webapp.cli.serve, webapp.server, vision.shipped"
endef

$(RUNTIME): $(BIN)/python requirements/build.txt requirements/runtime.txt pyproject.toml
	$(INSTALL_KONGBOX)
	@touch $@

$(DEV): $(BIN)/python requirements/build.txt requirements/runtime.txt requirements/dev.txt pyproject.toml
	$(INSTALL_KONGBOX)
	@touch $(RUNTIME) $@

# Where the wheel of torch that needs no graphics card is on offer, it is taken; else the one of
# the ordinary index, with CUDA.
$(TRAIN): $(DEV) requirements/train.txt requirements/torch-cpu.txt requirements/cuda.txt
	$(LOCKED) --no-deps -r requirements/train.txt
	@$(LOCKED) --no-deps -r requirements/torch-cpu.txt 2>/dev/null || \
		$(LOCKED) --no-deps -r requirements/cuda.txt
	@touch $@
