// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bench: times of collectives over block sizes, beside those of the MPI library, in one run.
//
// Isotrope and the library take turns: a batch of calls of one, then of the other, several times. The time of
// a batch is that of the slowest rank. The table shows the medians over batches, and the median of the ratios
// between the two batches of a turn, which are disturbed alike by other work on the machine. With --machine
// the table also shows the lower bound that the links of that machine set, and the median over that bound.
// Before the turns both carry out a call, and must leave the same data; exit status 1 if they do not.
//
// With --counts, the blocks of one collective have the sizes of the file.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/median.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/cost/link_times.hpp"

#include "isotrope/planner/time_bound.hpp"

#include "app/commands.hpp"
#include "app/counts.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/mpi/compared_call.hpp"
#include "app/mpi/job.hpp"
#include "app/mpi/unequal_call.hpp"
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

// Medians over turns.
struct ComparedTimes {
  double isotrope;  // seconds of a call
  double library;   // seconds of a call
  double ratio;     // of the former to the latter
};

ComparedTimes time_both(ComparedCall& call, unsigned turns) {
  const auto isotrope_call = [&] { call.call_isotrope(); };
  const auto library_call = [&] { call.call_library(); };
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

void require_same_data(ComparedCall& call, const std::string& what) {
  std::optional<std::string> error;
  if (!call.gives_same_data())
    error =
        fmt::format("{}: rank {} has other data from Isotrope than from the MPI library", what, job_rank());
  constexpr int check_failed = 1;
  end_on_error(error, check_failed);
}

// A lower bound: the seconds that the busiest link needs to carry its share of blocks of `bytes` bytes, cut
// into segments of any size; if links have different times, the time bound. 0 if no bound is known.
double link_seconds(const mpi::Communicator& comm, Collective collective, std::uint64_t bytes,
                    const cost::Machine& machine) {
  constexpr std::uint32_t parts = 5040;  // divided by most degrees
  const schedule::Task task{.collective = collective, .parts = parts};
  const schedule::Problem problem{.network = comm.network(), .failed = comm.lacks(), .task = task};
  if (!cost::LinkTimes(comm.network(), comm.lacks(), machine).alike())
    return planner::TimeBounds(problem, machine).at(bytes).seconds;
  const auto bound = bound::bandwidth_bound(problem);
  if (!bound) return 0;
  const double blocks = collective == Collective::allreduce ? comm.network().order() : 1;  // in a vector
  return static_cast<double>(bound->value) / parts * static_cast<double>(bytes) / blocks *
         machine.byte_time_s;
}

// Of the fastest link: what a bound in bytes takes at least, on whichever link.
double least_byte_time_s(const mpi::Communicator& comm, const cost::Machine& machine) {
  return cost::LinkTimes(comm.network(), comm.lacks(), machine).least().byte_time_s;
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
  require_equal_blocks(options.collective);
  if (options.collective.empty()) return {every_collective.begin(), every_collective.end()};
  const Collective collective = schedule::parse_collective(options.collective);
  if (std::ranges::find(every_collective, collective) == every_collective.end())
    throw Error(fmt::format("--collective {}: give one of MPI's, such as allreduce", options.collective));
  return {collective};
}

std::optional<Counts> counts_of(const BenchOptions& options) {
  if (options.counts.empty()) return std::nullopt;
  Counts counts = chosen_counts(options);
  require_suitable_for_mpi(counts, options.counts);
  return counts;
}

// The same blocks by the ranks that stand on the nodes of the file.
Counts of_ranks(Counts counts, const network::RankMap& ranks) {
  counts.root = ranks.rank_of(static_cast<network::Node>(counts.root));
  for (schedule::SizedBlock& block : counts.exchange) {
    block.from = ranks.rank_of(block.from);
    block.to = ranks.rank_of(block.to);
  }
  const std::vector<std::uint64_t> by_node = counts.by_node;
  for (std::size_t node = 0; node < by_node.size(); ++node)
    counts.by_node[ranks.rank_of(static_cast<network::Node>(node))] = by_node[node];
  return counts;
}

// Of --machine, and of the other options that give times; without a file the memory of one host.
mpi::JobMachine machine_of_links(const BenchOptions& options) {
  mpi::JobMachine result{options.machine, chosen_machine(options, options, mpi::shared_memory())};
  if (!options.machine.empty()) result.nodes = machine_file(options.machine).nodes;
  return result;
}

// Whether the links of a machine set a bound.
bool is_bounded(const BenchOptions& options) {
  return !options.machine.empty();
}

// What a row of the table is about.
struct TimedSubject {
  std::string collective;
  std::uint64_t bytes;
  double bound_s;                 // 0 without a bound
  std::optional<Json> more = {};  // members of the JSON answer
};

// Checks and times calls, and prints a row for each as it is measured, or all as JSON at the end.
class Table {
 public:
  Table(const BenchOptions& options, const mpi::Communicator& comm) : options_(options), comm_(comm) {
    print(fmt::format("# {}, {} ranks{}, {}\n", comm.network().name(), job_size(),
                      comm.ranks().is_identity() ? "" : " by a rank map", library_));
  }

  void begin(const std::string& what) {
    print(fmt::format("\n# {}\n# {:<12}{:>16}{:>16}{:>10}{}\n", what, "Size (B)", "isotrope (us)",
                      library_ + " (us)", "Ratio",
                      is_bounded(options_) ? fmt::format("{:>16}{:>12}", "links (us)", "over links") : ""));
  }

  void add(const TimedSubject& subject, ComparedCall& call) {
    const auto& [collective, bytes, bound_s, more] = subject;
    require_same_data(call, fmt::format("{} of {}", collective, format_size(bytes)));
    const ComparedTimes timing = time_both(call, turns());
    const bool has_bound = bound_s > 0;
    print(fmt::format(
        "{:<14}{:>16.2f}{:>16.2f}{:>10.2f}{}\n", bytes, timing.isotrope * 1e6, timing.library * 1e6,
        timing.ratio,
        has_bound ? fmt::format("{:>16.2f}{:>12.2f}", bound_s * 1e6, timing.isotrope / bound_s) : ""));
    rows_.push_back({{"collective", collective},
                     {"bytes", bytes},
                     {"isotrope_s", timing.isotrope},
                     {"library_s", timing.library},
                     {"ratio", timing.ratio}});
    if (has_bound) rows_.back()["links_s"] = bound_s;
    if (more) rows_.back().update(*more);
  }

  void end() {
    if (!options_.json) return;
    say(answer("bench", {{"network", comm_.network().name()},
                         {"ranks", job_size()},
                         {"library", library_},
                         {"turns", turns()},
                         {"times", std::move(rows_)}}));
  }

 private:
  void print(const std::string& text) const {
    if (!options_.json) say(text);
  }
  unsigned turns() const { return static_cast<unsigned>(options_.runs); }

  const BenchOptions& options_;
  const mpi::Communicator& comm_;
  std::string library_ = mpi::MpiLibrary::of_process().name;
  Json rows_ = Json::array();
};

}  // namespace

int mpi_bench_command(const BenchOptions& options) {
  const std::optional<Counts> counts = on_all_ranks([&] { return counts_of(options); });
  const auto collectives =
      on_all_ranks([&] { return counts ? std::vector<Collective>() : chosen_collectives(options); });
  on_all_ranks([&] { return sizes(options, Collective::alltoall); });
  const mpi::JobMachine links = on_all_ranks([&] { return machine_of_links(options); });
  const mpi::PlacedJob job = on_all_ranks(
      [&] { return placed_job(options, options, links.nodes.ranks_per_node.value_or(0), links); });
  const cost::Machine& machine = job.machine;
  mpi::Communicator comm = on_all_ranks([&] {
    const auto& [named, ranks] = job.network;
    return mpi::Communicator(
        MPI_COMM_WORLD, named,
        {.machine = machine, .nodes = ranks.nodes(named.network.order()), .ranks_per_node = 1});
  });
  Table table(options, comm);
  if (counts) {
    const bound::LinkBytes bound = bound_of(*counts);
    table.begin(fmt::format("{}\n# link bytes: {}", payload_in_words(*counts), in_words(bound)));
    UnequalCall call(comm, of_ranks(*counts, comm.ranks()));
    const double bound_s = is_bounded(options) ? bound.link_bytes * least_byte_time_s(comm, machine) : 0;
    table.add({counts->collective, counts->bytes(), bound_s, facts_of(*counts)}, call);
  }
  for (const Collective collective : collectives) {
    const std::string name = to_string(schedule::Task{.collective = collective});
    table.begin(name);
    for (const std::uint64_t bytes : sizes(options, collective)) {
      EqualCall call(comm, collective, bytes);
      const double bound_s = is_bounded(options) ? link_seconds(comm, collective, bytes, machine) : 0;
      table.add({name, bytes, bound_s}, call);
    }
  }
  table.end();
  return 0;
}

}  // namespace isotrope::app
