# Every target prepares .venv by itself: Python 3.11 or newer, pip and make are all that is needed.
# Another interpreter: `rm -rf .venv && make test PYTHON=python3.13`.

PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready
VERSION = $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'
RECENT = -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null

# Where this is set no bytecode is cached, and every start takes two to three times as long.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help train cluster test check registry bench mutants forged

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

train: $(READY) ## train on the file of a made-up clinic, test on rows held out, save the model
	$(BIN)/python examples/write_clinic.py build/clinic.csv
	$(BIN)/python -m suffice train build/clinic.csv --target diagnosis --identifier patient \
	    --kinds 'notes=text,severity=mild<moderate<severe' --out build/clinic.suffice

cluster: $(READY) ## learn from files on a cluster of two processes, one of which is killed
	$(BIN)/python examples/cluster.py

# One thread of BLAS and OpenMP a process: each of JOBS has a processor, and threads that wait for another's spin.
test: export OMP_NUM_THREADS = 1
test: export OPENBLAS_NUM_THREADS = 1
test: check ## run the checks, then every test and every example in a docstring
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

check: $(READY) ## check format, lint, types, the direction of imports and the list of saved classes
	@$(BIN)/python -m suffice.testing.registry --check
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-logo

registry: $(READY) ## write the list of saved classes anew, from the sources
	$(BIN)/python -m suffice.testing.registry

bench: $(READY) ## compare speed and memory with the best peers
	$(BIN)/python -m benchmarks

mutants: $(READY) ## small changes to the sources, each of which a test should notice; takes hours, can be taken up again
	nice $(BIN)/python -m tests.mutants map
	nice $(BIN)/python -m tests.mutants run
	$(BIN)/python -m tests.mutants report

forged: $(READY) ## 20,000 model files forged with a right checksum: refused when read, or they answer
	SUFFICE_FORGED=20000 $(BIN)/python -m pytest tests/persistence/test_forged_models.py -k refused_or_answer -s --timeout=0

# The stamp is touched last, so an interrupted installation is taken up again. A machine may have pip but lack
# ensurepip, which venv needs (Debian packs it apart): then the machine's pip puts pip into a bare environment.
$(READY): pyproject.toml
	@$(BIN)/python $(RECENT) && $(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	    $(PYTHON) $(RECENT) || { \
	        echo "suffice needs Python 3.11 or newer, but $(PYTHON) is $$($(VERSION) 2>/dev/null || echo 'not there')."; \
	        echo "Name a newer one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)"; \
	        exit 1; \
	    } >&2; \
	    echo "Making .venv ..."; \
	    $(PYTHON) -m venv --clear .venv >/dev/null 2>&1 || { \
	        $(PYTHON) -m venv --clear --without-pip .venv && \
	        $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; \
	    }; \
	}
	@echo "Installing suffice and its tools into .venv (the first time takes a minute or two) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
