// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bench: times of collectives over block sizes, beside those of the MPI library, in one run.
//
// Isotrope and the library take turns: a batch of calls of one, then of the other, several times. The time of
// a batch is that of the slowest rank. The table shows the medians over batches, and the median of the ratios
// between the two batches of a turn, which are disturbed alike by other work on the machine. With --machine
// the table also shows the lower bound that the links of that machine set, and the median over that bound.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/bandwidth.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/mpi/job.hpp"
#include "app/subject.hpp"
#include "app/values.hpp"
#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/library.hpp"

namespace isotrope::app {
namespace {

using schedule::Collective;

constexpr std::array every_collective{Collective::broadcast, Collective::scatter,        Collective::gather,
                                      Collective::reduce,    Collective::allgather,      Collective::alltoall,
                                      Collective::allreduce, Collective::reduce_scatter, Collective::scan,
                                      Collective::exscan,    Collective::barrier};

// A call of a collective with blocks of `bytes` bytes, by Isotrope and by the MPI library.
class LibraryComparison {
 public:
  LibraryComparison(mpi::Communicator& comm, Collective collective, std::uint64_t bytes) : comm_(comm) {
    const auto size = static_cast<std::uint64_t>(job_size());
    const bool sends_all = collective == Collective::scatter || collective == Collective::alltoall ||
                           collective == Collective::reduce_scatter;
    const bool receives_all = collective == Collective::gather || collective == Collective::allgather ||
                              collective == Collective::alltoall;
    send_.resize(bytes * (sends_all ? size : 1), 1);
    receive_.resize(bytes * (receives_all ? size : 1));
    const bool floats = collective != Collective::barrier && reduces(collective);
    const auto count = static_cast<MPI_Count>(floats ? bytes / sizeof(float) : bytes);
    const MPI_Datatype type = floats ? MPI_FLOAT : MPI_BYTE;
    arguments_ = {.collective = collective,
                  .send = {send_.data(), count, type},
                  .receive = {receive_.data(), count, type},
                  .op = floats ? MPI_SUM : MPI_OP_NULL};
  }

  void call_isotrope() { check(comm_.run(arguments_)); }
  void call_library() { check(library_code()); }

 private:
  static void check(int code) {
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
  }

  int library_code() {
    const auto& [collective, from, to, root, op] = arguments_;
    const int count = static_cast<int>(to.count);
    const MPI_Datatype type = to.type;
    const MPI_Comm world = MPI_COMM_WORLD;
    switch (collective) {
      case Collective::broadcast:
        return MPI_Bcast(to.address, count, type, root, world);
      case Collective::scatter:
        return MPI_Scatter(from.address, count, type, to.address, count, type, root, world);
      case Collective::gather:
        return MPI_Gather(from.address, count, type, to.address, count, type, root, world);
      case Collective::reduce:
        return MPI_Reduce(from.address, to.address, count, type, op, root, world);
      case Collective::allgather:
        return MPI_Allgather(from.address, count, type, to.address, count, type, world);
      case Collective::alltoall:
        return MPI_Alltoall(from.address, count, type, to.address, count, type, world);
      case Collective::allreduce:
        return MPI_Allreduce(from.address, to.address, count, type, op, world);
      case Collective::reduce_scatter:
        return MPI_Reduce_scatter_block(from.address, to.address, count, type, op, world);
      case Collective::scan:
        return MPI_Scan(from.address, to.address, count, type, op, world);
      case Collective::exscan:
        return MPI_Exscan(from.address, to.address, count, type, op, world);
      default:
        return MPI_Barrier(world);
    }
  }

  mpi::Communicator& comm_;
  std::vector<char> send_, receive_;
  mpi::Arguments arguments_;
};

// Medians over turns.
struct ComparedTimes {
  double isotrope;  // seconds of a call
  double library;   // seconds of a call
  double ratio;     // of the former to the latter
};

ComparedTimes time_both(LibraryComparison& comparison, unsigned turns) {
  const auto isotrope_call = [&] { comparison.call_isotrope(); };
  const auto library_call = [&] { comparison.call_library(); };
  slowest_seconds(1, isotrope_call);
  slowest_seconds(1, library_call);
  constexpr double batch_seconds = 0.02;
  const double slower = std::max(slowest_seconds(2, isotrope_call), slowest_seconds(2, library_call));
  const auto calls = static_cast<unsigned>(std::clamp(batch_seconds / slower, 1.0, 1000.0));
  std::vector<double> isotrope, library, ratios;
  for (unsigned turn = 0; turn < turns; ++turn) {
    isotrope.push_back(slowest_seconds(calls, isotrope_call));
    library.push_back(slowest_seconds(calls, library_call));
    ratios.push_back(isotrope.back() / library.back());
  }
  return {median(isotrope), median(library), median(ratios)};
}

// A lower bound: the seconds that the busiest link needs to carry its share of blocks of `bytes` bytes, cut
// into segments of any size. 0 if no bound is known.
double link_seconds(const mpi::Communicator& comm, Collective collective, std::uint64_t bytes,
                    const cost::Machine& machine) {
  constexpr std::uint32_t parts = 5040;  // divided by most degrees
  const schedule::Task task{.collective = collective, .parts = parts};
  const auto bound = bound::bandwidth_bound(
      schedule::Problem{.network = comm.network(), .failed = comm.lacks(), .task = task});
  if (!bound) return 0;
  const double blocks = collective == Collective::allreduce ? comm.network().order() : 1;  // in a vector
  return static_cast<double>(bound->value) / parts * static_cast<double>(bytes) / blocks *
         machine.byte_time_s;
}

std::vector<std::uint64_t> sizes(const BenchOptions& options, Collective collective) {
  if (collective == Collective::barrier) return {0};
  const std::uint64_t from = options.from.value_or(8), to = options.upto.value_or(std::uint64_t{1} << 20);
  if (from > to || from < 4 || to > (std::uint64_t{1} << 30)) {
    throw Error(fmt::format("sizes from {} to {}: give 4 B to 1 GiB in ascending order", format_size(from),
                            format_size(to)));
  }
  return sizes_between(from, to, 4);
}

std::vector<Collective> chosen_collectives(const BenchOptions& options) {
  if (options.collective.empty()) return {every_collective.begin(), every_collective.end()};
  const Collective collective = schedule::parse_collective(options.collective);
  if (std::ranges::find(every_collective, collective) == every_collective.end())
    throw Error(fmt::format("--collective {}: give one of MPI's, such as allreduce", options.collective));
  return {collective};
}

}  // namespace

int mpi_bench_command(const BenchOptions& options) {
  const auto collectives = on_all_ranks([&] { return chosen_collectives(options); });
  const auto repeated = static_cast<unsigned>(options.runs);
  on_all_ranks([&] { return sizes(options, Collective::alltoall); });
  const auto machine = on_all_ranks([&] { return chosen_machine(options, mpi::shared_memory()); });
  mpi::Communicator comm = on_all_ranks(
      [&] { return mpi::Communicator(MPI_COMM_WORLD, chosen_named_network(options), {.machine = machine}); });
  const std::string library = mpi::MpiLibrary::of_process().name;
  const bool bounded = !options.machine.empty();
  Json all = Json::array();
  if (!options.json) say(fmt::format("# {}, {} ranks, {}\n", comm.network().name(), job_size(), library));
  for (const Collective collective : collectives) {
    const std::string name = to_string(schedule::Task{.collective = collective});
    if (!options.json) {
      say(fmt::format("\n# {}\n# {:<12}{:>16}{:>16}{:>10}{}\n", name, "Size (B)", "isotrope (us)",
                      library + " (us)", "Ratio",
                      bounded ? fmt::format("{:>16}{:>12}", "links (us)", "over links") : ""));
    }
    for (const std::uint64_t bytes : sizes(options, collective)) {
      LibraryComparison comparison(comm, collective, bytes);
      const ComparedTimes timing = time_both(comparison, repeated);
      const double links = bounded ? link_seconds(comm, collective, bytes, machine) : 0;
      if (options.json) {
        all.push_back({{"collective", name},
                       {"bytes", bytes},
                       {"isotrope_s", timing.isotrope},
                       {"library_s", timing.library},
                       {"ratio", timing.ratio}});
        if (links > 0) all.back()["links_s"] = links;
      } else {
        say(fmt::format(
            "{:<14}{:>16.2f}{:>16.2f}{:>10.2f}{}\n", bytes, timing.isotrope * 1e6, timing.library * 1e6,
            timing.ratio,
            links > 0 ? fmt::format("{:>16.2f}{:>12.2f}", links * 1e6, timing.isotrope / links) : ""));
      }
    }
  }
  if (options.json) {
    say(answer("bench", {{"network", comm.network().name()},
                         {"ranks", job_size()},
                         {"library", library},
                         {"turns", repeated},
                         {"times", std::move(all)}}));
  }
  return 0;
}

}  // namespace isotrope::app
