# make run   the table: a real camera if there is one, the simulated one otherwise
# make test  everything that checks Brehon
# Both set up .venv first; nothing outside this folder is touched. make clean removes it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.DEFAULT_GOAL := run
.PHONY: run demo test check clean

run: $(VENV)/run.done
	@$(BIN)/brehon run $(ARGS)

demo: $(VENV)/run.done
	@$(BIN)/brehon demo $(ARGS)

test: $(VENV)/test.done
	$(BIN)/ruff check table vision models firmware tests
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ARGS)

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

# A Raspberry Pi's camera and pins come with its system as Debian packages, so the environment sees those too.
$(VENV)/made.done: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: sudo apt-get install -y python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "Brehon needs Python 3.11 to 3.13, and this is $$($(PYTHON) -V): sudo apt-get install -y python3.11 python3.11-venv, then make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: sudo apt-get install -y python3-venv"; exit 1; }
	@if grep -qs Raspberry /proc/device-tree/model; then \
	  $(PYTHON) -c 'import picamera2' 2>/dev/null || echo "For the Pi's own camera: sudo apt-get install -y python3-picamera2, then make clean run"; \
	  $(PYTHON) -m venv --system-site-packages $(VENV); \
	else $(PYTHON) -m venv $(VENV); fi
	@touch $@
