# make run    the table: a real camera if there is one, the simulated one otherwise
# make lint   what a look at the code finds: ruff, mypy, and for the page's JavaScript oxfmt and deno
# make fast   the tests that read no picture, but for slow ones: under a minute
# make test   everything that checks Brehon
# Tests run in three processes of up to 1.5 GB; make test WORKERS=6 uses more of a large computer
# make bench  what a reading costs on this machine
# make lock   the hashed locks in requirements/, written anew; ARGS=--upgrade moves on to newer versions
# All of them set up .venv first, and make install does only that; make install EXTRA=train adds what an extra needs.
# Nothing outside this folder is touched. make clean removes it.

PYTHON ?= python3
WORKERS ?= 3
VENV := .venv
BIN := $(VENV)/bin
EXTRA ?= run
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
DENO := DENO_DIR=$(VENV)/deno DENO_NO_UPDATE_CHECK=1 $(BIN)/deno
PAGE := $(wildcard table/page/static/*.js table/page/static/*.d.ts)
FAST := tests/common tests/rules tests/games tests/referee tests/log tests/firmware tests/systemd tests/test_imports.py tests/test_documented.py tests/test_locks.py \
  $(patsubst %,tests/vision/test_%.py,choosing fusion ground_plane holding mains motion_jpeg nets pacing picamera2 picture_folder \
  stderr_capture tracker tray_region v4l2 video watchdog webcam zones)
PI := $(shell grep -aos 'Raspberry Pi' /proc/device-tree/model)

# Raspberry Pi OS Bookworm comes with numpy 1, and its picamera2 breaks on numpy 2.
NUMPY_1 := $(if $(PI),$(shell $(PYTHON) -c 'import numpy; print("yes" if numpy.__version__ < "2" else "")' 2>/dev/null))
LOCKS := requirements$(if $(NUMPY_1),/bookworm)

.DEFAULT_GOAL := run
.PHONY: run demo install lint fast test bench lock clean

run: $(VENV)/run.done
	@$(BIN)/brehon run $(ARGS)

demo: $(VENV)/run.done
	@$(BIN)/brehon demo $(ARGS)

bench: $(VENV)/run.done
	@$(BIN)/brehon bench $(ARGS)

lint: $(VENV)/dev.done
	$(BIN)/ruff check table vision models firmware tests requirements
	$(BIN)/ruff format --check table vision models firmware tests requirements
	$(BIN)/mypy
	$(BIN)/oxfmt --check $(PAGE)
	$(DENO) lint
	$(DENO) check $(PAGE)

fast: $(VENV)/dev.done
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(FAST) $(ARGS)

test: lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

install: $(VENV)/$(EXTRA).done

lock: $(VENV)/run.done
	@$(PIP) uv==0.13.9
	@$(BIN)/python requirements/lock.py $(ARGS)

clean:
	rm -rf $(VENV) brehon.egg-info

# The project itself has no hash that a lock could hold, so it is installed last and alone.
$(VENV)/%.done: $(LOCKS)/%.txt $(VENV)/made.done
	@echo "Installing what is listed in $< (a minute or two, once) ..."
	@$(PIP) --require-hashes --requirement $< && $(PIP) --no-deps --no-build-isolation --editable . || \
	  { echo "Installing failed; is there a network? It is needed this once only."; exit 1; }
	@touch $@

# A Raspberry Pi's camera and pins come with its system as Debian packages, so the environment sees those too.
$(VENV)/made.done: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: sudo apt-get install -y python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Brehon needs Python 3.11 to 3.13, and this is $$($(PYTHON) -V): sudo apt-get install -y python3.11 python3.11-venv, then make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: sudo apt-get install -y python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(if $(PI),--system-site-packages) $(VENV)
ifneq ($(PI),)
	@$(PYTHON) -c 'import picamera2' 2>/dev/null || echo "For the Pi's own camera: sudo apt-get install -y python3-picamera2, then make clean run"
endif
	@touch $@
