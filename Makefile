# make run   the table: a real camera if there is one, the simulated one otherwise
# make test  everything that checks Brehon
# Both set up .venv first, and make install does only that; nothing outside this folder is touched. make clean removes it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint $(VENV)/constraints.txt
PI := $(shell grep -aos 'Raspberry Pi' /proc/device-tree/model)

.DEFAULT_GOAL := run
.PHONY: run demo install test clean

run: $(VENV)/run.done
	@$(BIN)/brehon run $(ARGS)

demo: $(VENV)/run.done
	@$(BIN)/brehon demo $(ARGS)

test: $(VENV)/test.done
	$(BIN)/ruff check table vision models firmware tests
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ARGS)

install: $(VENV)/run.done

clean:
	rm -rf $(VENV) brehon.egg-info

$(VENV)/run.done: $(VENV)/made.done
	@echo "Installing what the table needs (a minute or two, once) ..."
	@$(PIP) --editable . || { echo "Installing failed; is there a network? It is needed this once only."; exit 1; }
	@touch $@

$(VENV)/test.done: $(VENV)/run.done
	@echo "Installing what the tests need ..."
	@$(PIP) --editable '.[dev]' || { echo "Installing failed; is there a network? It is needed this once only."; exit 1; }
	@touch $@

# A Raspberry Pi's camera and pins come with its system as Debian packages, so the environment sees those too. Bookworm's picamera2
# breaks on numpy 2, and OpenCV 5 on numpy 1.
$(VENV)/made.done: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: sudo apt-get install -y python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Brehon needs Python 3.11 to 3.13, and this is $$($(PYTHON) -V): sudo apt-get install -y python3.11 python3.11-venv, then make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: sudo apt-get install -y python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(if $(PI),--system-site-packages) $(VENV)
	@cp constraints.txt $(VENV)/constraints.txt
ifneq ($(PI),)
	@$(PYTHON) -c 'import picamera2' 2>/dev/null || echo "For the Pi's own camera: sudo apt-get install -y python3-picamera2, then make clean run"
	@$(PYTHON) -c 'import numpy, sys; sys.exit(numpy.__version__ >= "2")' 2>/dev/null && \
	  sed -i 's/^numpy==.*/numpy==1.26.4/; s/^opencv-python-headless==.*/opencv-python-headless==4.11.0.86/' $(VENV)/constraints.txt || true
endif
	@touch $@
