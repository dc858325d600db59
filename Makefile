# The front door. Everything here is a short way to tools/ and CMake; `make` alone lists what there is.
# Variables: DEMO_SCENE, JOBS (compilers at once), TEST_JOBS (tests at once: one more than two cores, as some wait for browsers),
# WERROR=ON (warnings are errors), SETUP=no (never install packages), PREFIX (of make install), FUZZ_SECONDS (per fuzz test),
# MUTANTS, SEED, MUTATE_FILES, MUTATE_TESTS and MUTATE_SECONDS (of make mutate), COVERAGE (tests of make coverage, by names),
# TORTURE_MINUTES (of make torture), SCENES (of each kind and scheme, of make campaign), STAGES (of make check-all).
DEMO_SCENE ?= scenes/steel-chain.yaml
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TEST_JOBS ?= 3
FUZZ_SECONDS ?= 30
MUTANTS ?= 200
MUTATE_FILES ?=
MUTATE_TESTS ?=
MUTATE_SECONDS ?= 90
COVERAGE ?=
TORTURE_MINUTES ?= 5
SCENES ?= 400
SEED ?= 1
SETUP ?= yes
PREFIX ?= /usr/local
WERROR ?= OFF

MAKEFLAGS += --no-print-directory

# A new build folder is ninja's where there is one: make takes two minutes of processor time to look through 400 targets.
CMAKE := command -v ninja > /dev/null && export CMAKE_GENERATOR=Ninja; cmake --log-level=WARNING
CTEST := ctest --output-on-failure -j$(TEST_JOBS)
C_FILES = $(shell find include src papers cli examples tests bench python playground mpi -name '*.[ch]' 2>/dev/null)
setup = $(if $(filter yes,$(SETUP)),@tools/setup $(1))

.PHONY: help build demo install wheel playground deb tarball site test long asan tsan coverage fuzz mutate torture campaign \
	format check-style check-all docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

build: ## install what is missing, configure, build: the program is build/carom, the Python package build/python
	$(call setup,build)
	@$(CMAKE) --preset release -DCAROM_WERROR=$(WERROR) > /dev/null
	@cmake --build build --target carom_program carom_python -j$(JOBS)

demo: build ## build, run the default scene, show the summary
	@echo
	@echo "build/carom run $(DEMO_SCENE) -o build/demo.h5"
	@rm -f build/demo.h5
	@build/carom run $(DEMO_SCENE) -o build/demo.h5
	@echo
	@build/carom report build/demo.h5 -o build/demo.html --quiet
	@echo "The run as a page, for any browser:  file://$(CURDIR)/build/demo.html"
	@echo
	@echo "Next: look into the run file       build/carom show build/demo.h5"
	@echo "      make it a table              build/carom export build/demo.h5 --csv"
	@echo "      change the scene             cp $(DEMO_SCENE) my.yaml, edit, build/carom run my.yaml -o my.h5"
	@echo "      see what a scene may say     build/carom list laws, and docs/reference/"

test: ## install the test tools, build, run all tests but the long ones
	$(call setup,test)
	@$(CMAKE) --preset release -DCAROM_WERROR=$(WERROR) > /dev/null
	@cmake --build build -j$(JOBS)
	@cd build && $(CTEST) -LE '^long$$'

long: ## run the long tests
	$(call setup,test)
	@$(CMAKE) --preset release -DCAROM_WERROR=$(WERROR) > /dev/null
	@cmake --build build -j$(JOBS)
	@cd build && $(CTEST) -L '^long$$'

asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
tsan: ## the tests under ThreadSanitizer
asan tsan:
	$(call setup,test)
	@$(CMAKE) --preset $@ > /dev/null
	@cmake --build build/$@ -j$(JOBS)
	@ctest --preset $@ -j$(TEST_JOBS)

coverage: ## which lines of src/ and cli/ the tests reach
	$(call setup,test)
	@$(CMAKE) --preset coverage > /dev/null
	@cmake --build build/coverage -j$(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@GCOV_ERROR_FILE=$(CURDIR)/build/coverage/gcov.log ctest --preset coverage -j$(TEST_JOBS) $(if $(COVERAGE),-R '$(COVERAGE)'); status=$$?; tools/coverage build/coverage && exit $$status

fuzz: ## search for crashing inputs with libFuzzer, FUZZ_SECONDS each
	$(call setup,fuzz)
	@$(CMAKE) --preset fuzz > /dev/null
	@cmake --build build/fuzz --target fuzzers -j$(JOBS)
	@tools/fuzz build/fuzz $(FUZZ_SECONDS)

mutate: ## change the library in MUTANTS places, one at a time: do the tests notice?
	$(call setup,test)
	@$(CMAKE) --preset mutate > /dev/null
	@cmake --build build/mutate -j$(JOBS)
	@tools/mutate build/mutate --count $(MUTANTS) --seed $(SEED) --seconds $(MUTATE_SECONDS) --jobs $(JOBS) --files '$(MUTATE_FILES)' --tests '$(MUTATE_TESTS)'

torture: ## kill, starve and feed the commands with what strangers send, for TORTURE_MINUTES
	$(call setup,test)
	@$(CMAKE) --preset release > /dev/null
	@cmake --build build --target carom_program kill_at starve_at -j$(JOBS)
	@rm -rf build/torture; mkdir -p build/torture
	@cd build/torture && CAROM=$(CURDIR)/build/carom SOURCE=$(CURDIR) BUILD=$(CURDIR)/build PYTHONPATH=$(CURDIR)/tests \
		/usr/bin/python3 $(CURDIR)/tests/torture.py $(TORTURE_MINUTES)

campaign: build ## SCENES random scenes of each of 55 pairs of kind of body and scheme, looked at from several sides
	$(call setup,test)
	@JOBS=$(JOBS) PYTHONPATH=build/python /usr/bin/python3 tests/campaign/every_kind.py $(SCENES) $(SEED)

install: build ## install program, library, headers, Python package, manual page and completion under PREFIX
	@cmake --build build --target carom carom_shared -j$(JOBS)
	@cmake --install build --prefix $(PREFIX) > /dev/null
	@echo "installed under $(PREFIX): bin/carom, the library with its headers, man page, completion, papers, scenes, import carom"

wheel: ## a wheel for every Python from 3.9 on, in build/wheel: module, libcarom and program in one file
	$(call setup,wheel)
	@$(CMAKE) --preset release -DCAROM_WERROR=$(WERROR) > /dev/null
	@cmake --build build --target carom_program carom_python carom carom_shared -j$(JOBS)
	@tools/make-wheel build build/wheel

playground: ## the library in a web page, with an editor: build/playground/index.html, for any browser
	$(call setup,playground)
	@$(CMAKE) -S playground -B build/wasm -DCAROM_WERROR=$(WERROR) > /dev/null
	@cmake --build build/wasm -j$(JOBS)
	@mkdir -p build/playground-packages && cp -R playground/package.json playground/package-lock.json playground/build.mjs playground/page build/playground-packages
	@cd build/playground-packages && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline > /dev/null
	@node build/playground-packages/build.mjs build/wasm/carom.wasm . build/playground

deb: ## Debian packages of the last commit, in build/deb, looked at by lintian
	$(call setup,deb)
	@JOBS=$(JOBS) tools/make-deb build/deb

tarball: ## the sources of the last commit with their checksum, in build/dist
	$(call setup,tarball)
	@tools/make-tarball build/dist

site: build playground ## a static site in build/site: manual with search, gallery, verdicts of the papers, playground
	$(call setup,site)
	@tools/make-site build build/site
	@echo "The site:  file://$(CURDIR)/build/site/index.html"

format: ## lay out all C files with clang-format
	$(call setup,style)
	@clang-format -i $(C_FILES)

check-style: ## layout, heads, lengths, folder order
	$(call setup,style)
	@clang-format --dry-run --Werror $(C_FILES)
	@tools/check-style
	@tools/check-layers

check-all: ## format, warnings of three compilers, cppcheck, clang-tidy, -fanalyzer, sanitizers, valgrind: STAGES=... for some
	$(call setup,check)
	@tools/check-all --jobs $(JOBS) $(STAGES)

docs: build ## write docs/reference/ from the tables in the code
	@tools/make-reference build/carom

clean: ## remove build/
	@rm -rf build
