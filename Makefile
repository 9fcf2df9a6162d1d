# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the program, tests and checks on Debian 12 with git and make. Every target installs only the packages it lacks
# (packages.txt) and builds with CMake presets; the presets also work without this file.
#
# Once built, benchmarks and tests stay enabled in build/release: if a target disabled them, ninja would delete their
# objects, and the next `make test` would compile them again.

JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

# Additional arguments of every configuration, such as -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
CONFIGURE ?=
configure = cmake --log-level=NOTICE $(CONFIGURE) --preset

CORPUS = tests/fuzz/corpus
FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local
COMPONENT ?=

.DEFAULT_GOAL := build
.PHONY: build run install test mpi test-mpi python test-python pip-install bench bench-mpi viewer test-viewer testbed judge \
  judge-full judge-reproducible proof test-proof check-all lint lint-all fuzz coverage docs check-links packages test-packages clean help

# Sections of packages.txt that the first configuration of build/release installs, in addition to `build`.
test: sections = test
bench: sections = bench
mpi: sections = mpi
test-mpi: sections = test mpi
python: sections = python
test-python: sections = test python mpi
viewer: sections = viewer
test-viewer: sections = test viewer test-viewer

build: build/release/build.ninja  ## build build/release/bin/isotrope
	@tools/install-packages build
	@cmake --build --preset release --target isotrope

run: build  ## build, then plan, verify and execute a total exchange on a hypercube of 64 nodes
	build/release/bin/isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB

install: build/release/build.ninja  ## build and install into PREFIX=/usr/local, with the MPI runtime after `make mpi`; COMPONENT=cli for a part
	@tools/install-packages build
	@cmake --build --preset release --target isotrope_installed
	@cmake --install build/release --prefix "$(PREFIX)" $(addprefix --component ,$(COMPONENT))

test: build/release/build.ninja  ## build and run all tests
	@tools/install-packages build test
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON
	@cmake --build --preset release
	@ctest --preset release --parallel 2

mpi: build/release/build.ninja  ## build the MPI runtime, isotrope-openmpi and isotrope-mpich in build/release/bin
	@tools/install-packages build mpi
	@$(configure) release -DISOTROPE_BUILD_MPI=ON
	@cmake --build --preset release --target isotrope isotrope-openmpi isotrope-mpich

test-mpi: build/release/build.ninja  ## build and run the tests over MPI, with Open MPI and MPICH
	@tools/install-packages build test mpi
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON -DISOTROPE_BUILD_MPI=ON -DISOTROPE_MPI_TEST_RANKS=
	@cmake --build --preset release
	@ctest --preset release --label-regex mpi

python: build/release/build.ninja  ## build the Python package, in build/release/python
	@tools/install-packages build python
	@$(configure) release -DISOTROPE_BUILD_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3
	@cmake --build --preset release --target _isotrope

test-python: build/release/build.ninja  ## build and run the tests of the Python package, its notebooks and examples
	@tools/install-packages build test python mpi
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON -DISOTROPE_BUILD_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3 -DISOTROPE_BUILD_MPI=ON
	@cmake --build --preset release --target isotrope _isotrope _mpi
	@ctest --preset release --label-regex python

pip-install:  ## pip install the Python package into build/pip, from nothing (4 min)
	@tools/install-packages build python
	python/tests/pip_install $(CURDIR)/build/pip

bench: build/release/build.ninja  ## build and run the benchmarks
	@tools/install-packages build bench
	@$(configure) release -DISOTROPE_BUILD_BENCHMARKS=ON
	@cmake --build --preset release --target isotrope_bench port_map
	build/release/bin/isotrope_bench
	build/release/bin/port_map

bench-mpi: mpi  ## compare collectives with the MPI libraries' own, 8 and 16 ranks on this machine (10 min)
	@cmake --build --preset release --target drop_in
	bench/mpi/figures build/release
	tests/mpi/run openmpi 8 build/release/bin/isotrope bench --network hypercube:3
	tests/mpi/run openmpi 16 build/release/bin/isotrope bench --network hypercube:4

viewer: build/release/build.ninja  ## build the program with the checker for the pages of `isotrope view`
	@tools/install-packages build viewer
	@$(configure) release -DISOTROPE_BUILD_VIEWER=ON
	@cmake --build --preset release --target isotrope

test-viewer: build/release/build.ninja  ## test pages of plans in headless Chromium
	@tools/install-packages build test viewer test-viewer
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON -DISOTROPE_BUILD_VIEWER=ON
	@cmake --build --preset release --target isotrope
	@ctest --preset release --label-regex viewer --verbose

testbed: mpi  ## compare collectives on 16 emulated hosts on this machine, and draw figures (10 min)
	@tools/install-packages testbed
	@cmake --build --preset release --target testbed_hosts testbed_yield testbed_charts
	testbed/run --network hypercube:4 --rate 50mbit --once -- testbed/compare
	testbed/figures build/testbed

judge: simgrid  ## benchmark collectives in SimGrid: against a selection of its own algorithms, and against rivals
	bench/simgrid/judge.py build/release/bin --csv build/release/judge.csv

judge-reproducible: simgrid  ## time of reproducible sums over plain ones, in SimGrid
	bench/simgrid/reproducible.py build/release/bin

JUDGE_NETWORKS = torus:4x4,torus:8x8,torus:9x9,torus:3x5,torus:4x8,torus:4x4x4,torus:3x3x3,torus:8x8x8,ring:8,ring:9,ring:16,ring:27,hypercube:3,hypercube:4,hypercube:6,twisted-torus:4x4x8,hexmesh:3,hexmesh:5,circulant:29:1,5,12
JUDGE_SIZES = 8,64,256,1024,4096,16384,65536,262144,1048576,4194304,16777216

judge-full: simgrid  ## the same on more networks, against all of its algorithms (many hours; goes on after an interruption)
	bench/simgrid/judge.py build/release/bin --all --networks $(JUDGE_NETWORKS) --sizes $(JUDGE_SIZES) \
	  --csv build/release/judge-full.csv --resume

.PHONY: simgrid
simgrid: build/release/build.ninja
	@tools/install-packages build simgrid
	@$(configure) release -DISOTROPE_BUILD_SIMGRID=ON
	@cmake --build --preset release --target simgrid_platform simgrid_judge simgrid_reproducible simgrid_rivals simgrid_unequal

proof:  ## prove the theorems in Coq, and build build/proof/isotrope-checker from them (docs/proof.md)
	@tools/install-packages proof
	@$(MAKE) --no-print-directory -C proof all

test-proof: build proof  ## test the checker, check the proofs again with coqchk, and close twelve plans as theorems
	@$(MAKE) --no-print-directory -C proof check
	proof/tests/documented docs/proof.md proof/Theorems.v
	proof/tests/run build/proof/isotrope-checker build/release/bin/isotrope
	proof/tests/families build/proof build/release/bin/isotrope
	proof/gallery/run build/proof build/release/bin/isotrope

MUTATIONS ?= 100000
check-all: build python proof  ## both checkers on many plans, MPI jobs of up to 19 ranks, all tests under sanitizers (2 h)
	build/release/bin/isotrope optimality | diff docs/optimality.md -
	PYTHONPATH=build/release/python proof/tests/agree build/proof/isotrope-checker docs/optimality.md $(MUTATIONS)
	@tools/install-packages build test mpi
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON -DISOTROPE_BUILD_MPI=ON '-DISOTROPE_MPI_TEST_RANKS=1;2;3;4;7;8;9;16;19'
	@cmake --build --preset release
	@ctest --preset release --tests-regex '^mpi[.][a-z0-9]+[.][0-9]+$$'
	@tools/install-packages build test fuzz
	@$(configure) asan+ubsan
	@cmake --build --preset asan+ubsan
	@ctest --preset asan+ubsan --parallel 2

lint:  ## check layers, licence lines, format, headers, and installed code with clang-tidy (4 min)
	@tools/install-packages build test bench mpi lint
	@$(configure) lint -DCMAKE_UNITY_BUILD=ON
	@tools/lint build/lint

lint-all:  ## the same with all checks of clang-tidy, for tests and benchmarks too (20 min)
	@tools/install-packages build test bench mpi lint
	@$(configure) lint -DCMAKE_UNITY_BUILD=OFF
	@tools/lint build/lint all

fuzz:  ## run the plan reader on mutated files for FUZZ_SECONDS=60
	@tools/install-packages build fuzz
	@$(configure) fuzz
	@cmake --build --preset fuzz --target read_plan_fuzz
	@mkdir -p build/fuzz/corpus && cp -r $(CORPUS)/. build/fuzz/corpus
	build/fuzz/bin/read_plan_fuzz -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=512 -malloc_limit_mb=256 \
	  -artifact_prefix=build/fuzz/ build/fuzz/corpus

coverage:  ## line coverage of the tests: a summary, and pages in build/coverage/html
	@tools/install-packages build test coverage
	@$(configure) coverage
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel 2
	@mkdir -p build/coverage/html
	@gcovr --filter isotrope/ --filter app/ --exclude-throw-branches -j $(JOBS) --print-summary \
	  --html-details build/coverage/html/index.html build/coverage
	@echo "Pages: build/coverage/html/index.html"

docs: build  ## build the documentation site in build/docs/html; a warning is an error
	@tools/install-packages docs
	@tools/docs build/release

check-links: build  ## follow the links that leave the documentation site; needs the internet, and no CI runs it
	@tools/install-packages docs
	@tools/docs build/release linkcheck

# The packages are not for the archive of Debian; their libraries are in lib, as in other installations; with
# BUILD_SHARED_LIBS, CPack writes calls of ldconfig, and those for an MPI library are in its package.
LINTIAN_SUPPRESSED = initial-upload-closes-no-bugs,pkg-config-unavailable-for-cross-compilation,maintscript-calls-ldconfig,package-name-doesnt-match-sonames

packages: build/release/build.ninja  ## build Debian packages of program, MPI runtime, libraries and Python package in build/packages
	@tools/install-packages build mpi python packages
	@$(configure) release -DISOTROPE_BUILD_MPI=ON -DISOTROPE_BUILD_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3
	@cmake --build --preset release --target isotrope_installed
	@rm -rf build/packages
	@cpack --config build/release/CPackConfig.cmake -B build/packages
	@lintian --allow-root --fail-on error,warning --suppress-tags $(LINTIAN_SUPPRESSED) build/packages/*.deb

test-packages: packages  ## install the packages in a clean root, and use them there (as root, with network, 3 min)
	tests/packages/run build/packages

clean:  ## remove the build folder
	rm -rf build

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

build/release/build.ninja:
	@tools/install-packages build $(sections)
	@$(configure) release -DISOTROPE_BUILD_TESTS=OFF -DISOTROPE_BUILD_BENCHMARKS=OFF
