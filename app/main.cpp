// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program `isotrope`. Exit status: 0, 1 if a check failed, 2 for bad usage, bad input or output that cannot be
// written (one line on stderr).
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/mpi_backend.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/version.hpp"

namespace isotrope::app {
namespace {

constexpr ProgramDescription isotrope_program{
    .summary = "Collective communication on symmetric direct networks: planned, proved, executed.",
    .version = version_text,
    .footer =
        "Networks:    hypercube:6  torus:4x4x8  ring:9  hexmesh:4  twisted-torus:4x4x8  circulant:13:1,5\n"
        "             complete:8  twisted-torus:8,0/3,8  cayley:4x6:1,0/3,0/0,1/0,5  line:8  mesh:4x8\n"
        "             products: line:8xring:16  torus:4x4xcomplete:4  TPU slices: tpu:v5e-4x8  FILE.json\n"
        "             faster links: torus:8x8x8@2,2,1 (a rate an axis)  ring:8@2  line:4xring:8@2\n"
        "Collectives: broadcast scatter gather reduce allgather alltoall reduce-scatter allreduce scan\n"
        "             exscan barrier neighborhood:1:2 isotropic:FILE (lines: relative destination, "
        "blocks)\n"
        "             task:FILE (lines: source, destination, blocks)\n"
        "Exit status: 0, 1 if a check failed, 2 for bad usage, bad input or output that cannot be written\n"
        "Try:         isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB"};

// Planning takes megabytes for one schedule after the other. If glibc returned them to the kernel in between, page faults would
// take a seventh of a comparison.
void keep_freed_memory() {
#ifdef __GLIBC__
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs yet
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

const std::vector<CommandEntry> commands{
    entry("plan", "Plan a collective, prove the plan, write it to a file",
          "isotrope plan --network hypercube:10 --collective alltoall -o plan.cbor", plan_command),
    entry("verify", "Check a plan and its claims with the independent checker", "isotrope verify plan.cbor",
          verify_command),
    entry("bound", "Print the lower bounds on the rounds of a collective, with reasons",
          "isotrope bound --network torus:4x4x8 --collective alltoall --ports one", bound_command),
    entry("run", "Execute a plan on real buffers and check every byte",
          "isotrope run --network hypercube:6 --collective alltoall --bytes 64KiB", run_command),
    entry("network", "Print the properties of a network", "isotrope network hexmesh:4 --node 11 --to 5",
          network_command),
    entry("catalog", "List the algorithms, their sources and claims",
          "isotrope catalog --network hypercube:6 --collective scatter", catalog_command),
    entry("cost", "Predict how long a plan takes on a machine, message by message",
          "isotrope cost --network hypercube:6 --collective broadcast --bytes 60KiB --packet 1KiB",
          cost_command),
    entry("compare-algorithms", "Predict the time of every algorithm over a range of sizes",
          "isotrope compare-algorithms --network hypercube:6 --collective broadcast -o times.svg",
          compare_algorithms_command),
    entry("reproduce", "Measure the tables and figures of the papers again", "isotrope reproduce --all",
          reproduce_command),
    entry("simulate", "Route packets online, by a policy instead of a plan, over many seeds",
          "isotrope simulate --network hypercube:6 --collective alltoall --policy symmetric-random",
          simulate_command),
    entry("compare", "Compare networks: their graphs, and the rounds of collectives on them",
          "isotrope compare hypercube:7 hexmesh:7 torus:11x11 star:127", compare_command, "compare-networks"),
    entry("optimality", "Print which collectives are planned optimally on which networks",
          "isotrope optimality -o docs/optimality.md", optimality_command, "optimality-table"),
    entry("route", "Show a shortest route between two nodes, around failures if any",
          "isotrope route hexmesh:4 11 5 --failed-nodes 21", route_command),
    entry("map", "Propose which node every rank of a Cartesian program should be",
          "isotrope map --network torus:4x4x4 --grid 8x8 -o ranks.txt", map_command),
    entry("draw", "Draw a network, a route on it, or the hops of a plan",
          "isotrope draw hexmesh:4 --route 11:5 -o route.svg", draw_command),
    entry("view", "Write a page that plays a plan, and proves it while you watch",
          "isotrope view --network hypercube:4 --collective alltoall -o plan.html", view_command),
    entry("export", "Write a network or a verified plan in the format of another program",
          "isotrope export --network hypercube:3 --collective allgather --format msccl -o gather.xml",
          export_command),
    entry<BenchOptions>("bench", "Time collectives over MPI beside those of the MPI library",
                        "mpirun -n 16 isotrope bench --network hypercube:4 --collective allreduce",
                        [](const BenchOptions&) { return hand_over_to_mpi("bench"); }),
    entry<CalibrateOptions>("calibrate", "Measure what messages cost over MPI, for a machine file",
                            "mpirun -n 16 isotrope calibrate --network hypercube:4 -o machine.json",
                            [](const CalibrateOptions&) { return hand_over_to_mpi("calibrate"); }),
    entry("machine", "Say in words, and draw, what a machine file describes",
          "isotrope machine check machine.json -o machine.svg", machine_command),
    entry<DiscoverOptions>("discover", "Find out over MPI which network the hosts form",
                           "mpirun -n 16 --map-by node isotrope discover -o machine.json",
                           [](const DiscoverOptions&) { return hand_over_to_mpi("discover"); }),
    entry("choices", "Print what the drop-in measured: the times of both libraries",
          "isotrope choices choices.json", choices_command),
    entry("completion", "Print the completion of commands and options for a shell",
          "isotrope completion bash > ~/.local/share/bash-completion/completions/isotrope",
          completion_command),
    entry("manual", "Print the manual page of a command", "isotrope manual plan | man -l -", manual_command),
};

int fail(const std::string& message) {
  if (prints_errors())
    fmt::print(stderr, "isotrope: {}\n", excerpt(message.substr(0, message.find('\n')), std::string::npos));
  return 2;
}

int run_program(int argc, char** argv) {
  try {
    const CommandCall command = named_command(isotrope_program, commands, argc, argv);
    const int status = command ? command() : 0;
    finish_output();
    return status;
  } catch (const Error& error) {
    return fail(error.what());
  } catch (const Interrupted& interrupted) {
    end_by(interrupted);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for this plan: choose a smaller network or fewer parts");
  } catch (const std::system_error& error) {
    return fail(error.what());
  }
}

}  // namespace
}  // namespace isotrope::app

int main(int argc, char** argv) {
  isotrope::app::keep_freed_memory();
  isotrope::app::prepare_output();
  return isotrope::app::run_program(argc, argv);
}
