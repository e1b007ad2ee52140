# Everything a person does here, one word each. Every verb sets up what it needs by itself.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/ready
GAMES ?= 1000
SEED ?= 1944
RULEBOOKS = $(shell $(BIN)/python -c "import games; print(*games.titles())")

.DEFAULT_GOAL := test
.PHONY: setup test demo lint bench fuzz campaigns versions migration

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Fieldpost needs Python 3.11 or newer.')"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

test: $(READY)   # by files: what the tests of one share, such as a browser, is made once
	$(BIN)/pytest -n 2 --dist loadfile tests

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash docs/demo.sh

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/pbem bench

fuzz: $(READY)
	@set -e; for game in $(RULEBOOKS); do $(BIN)/pbem fuzz $$game --games $(GAMES) --seed $(SEED); done

campaigns: $(READY)   # plays the campaigns in tests/campaigns again
	@sh tests/campaigns/again.sh

versions: $(READY)   # notes what the rules of each version are; refuses rules that changed under an old one (SAME=...)
	$(BIN)/pytest -n 0 tests/test_versions.py --update-golden $(if $(SAME),--same-rules=$(SAME))

migration: $(READY)   # begins the next migration of the tables (NAME="what it is about"); read it before you keep it
	$(BIN)/python -m pbem.workshop.new_migration $(NAME)
	$(BIN)/ruff check --quiet --fix pbem/store/migrations
	$(BIN)/ruff format --quiet pbem/store/migrations
