# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# From a bare Debian 12 with git and make to a program, tests and checks. Every target installs just what it lacks
# (packages.txt) and builds with CMake presets; whoever prefers CMake needs none of this.
#
# Benchmarks and tests, once asked for, stay switched on in build/release: switching them off would make ninja delete
# their objects, and the next `make test` would compile them again.

JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

# More arguments for every configuration, such as -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
CONFIGURE ?=
configure = cmake --log-level=NOTICE $(CONFIGURE) --preset

CORPUS = tests/fuzz/corpus
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := build
.PHONY: build run test mpi test-mpi bench bench-mpi testbed judge judge-full lint lint-all fuzz coverage clean help

# What the first configuration of build/release installs besides `build`.
test: sections = test
bench: sections = bench
mpi: sections = mpi
test-mpi: sections = test mpi

build: build/release/build.ninja  ## build build/release/bin/isotrope
	@tools/install-packages build
	@cmake --build --preset release --target isotrope

run: build  ## build, then plan, check and run a total exchange on a hypercube of 64 nodes
	build/release/bin/isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB

test: build/release/build.ninja  ## build and run all tests
	@tools/install-packages build test
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON
	@cmake --build --preset release
	@ctest --preset release --parallel 2

mpi: build/release/build.ninja  ## build the MPI jobs too: isotrope-openmpi and isotrope-mpich in build/release/bin
	@tools/install-packages build mpi
	@$(configure) release -DISOTROPE_BUILD_MPI=ON
	@cmake --build --preset release --target isotrope isotrope-openmpi isotrope-mpich

test-mpi: build/release/build.ninja  ## build and run the tests over MPI, with Open MPI and MPICH
	@tools/install-packages build test mpi
	@$(configure) release -DISOTROPE_BUILD_TESTS=ON -DISOTROPE_BUILD_MPI=ON
	@cmake --build --preset release
	@ctest --preset release --label-regex mpi

bench: build/release/build.ninja  ## build and run the benchmarks
	@tools/install-packages build bench
	@$(configure) release -DISOTROPE_BUILD_BENCHMARKS=ON
	@cmake --build --preset release --target isotrope_bench
	build/release/bin/isotrope_bench

bench-mpi: mpi  ## time collectives over Open MPI beside its own, 8 and 16 ranks on this machine
	tests/mpi/run openmpi 8 build/release/bin/isotrope bench --network hypercube:3
	tests/mpi/run openmpi 16 build/release/bin/isotrope bench --network hypercube:4

testbed: mpi  ## time collectives on a network of 16 hosts made on this machine, and draw figures from it (10 min)
	@tools/install-packages testbed
	@cmake --build --preset release --target testbed_yield testbed_charts
	testbed/run --network hypercube:4 --rate 50mbit --once -- testbed/compare
	testbed/figures build/testbed

judge: simgrid  ## time collectives in SimGrid beside the best of its own algorithms (10 min)
	bench/simgrid/judge.py build/release/bin --csv build/release/judge.csv

judge-full: simgrid  ## the same beside all of its algorithms, which takes an hour or more
	bench/simgrid/judge.py build/release/bin --all --csv build/release/judge-full.csv

.PHONY: simgrid
simgrid: build/release/build.ninja
	@tools/install-packages build simgrid
	@$(configure) release -DISOTROPE_BUILD_SIMGRID=ON
	@cmake --build --preset release --target simgrid_platform simgrid_judge

lint:  ## check layers, licence lines, format, headers, and with clang-tidy what is built for users (7 min)
	@tools/install-packages build test bench mpi lint
	@$(configure) lint
	@tools/lint build/lint

lint-all:  ## the same with all checks of clang-tidy, and the tests (20 min)
	@tools/install-packages build test bench mpi lint
	@$(configure) lint
	@tools/lint build/lint all

fuzz:  ## feed the plan reader mutated files for FUZZ_SECONDS=60
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

clean:  ## remove everything built
	rm -rf build

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

build/release/build.ninja:
	@tools/install-packages build $(sections)
	@$(configure) release -DISOTROPE_BUILD_TESTS=OFF -DISOTROPE_BUILD_BENCHMARKS=OFF
