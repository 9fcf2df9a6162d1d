// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bench: times of collectives over block sizes, beside those of the MPI library, in one run.
//
// Both take turns: a batch of calls of one, then of the other, several times. The time of a batch is that of
// the slowest rank; the table has the medians of batches, and the median of the ratios between the two
// batches of a turn, which share whatever else the machine was doing. With --machine it also has what the
// links of that machine take at least, and our median over that.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/bandwidth_bound.hpp"

#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/mpi/commands.hpp"
#include "app/mpi/job.hpp"
#include "app/size.hpp"
#include "isotrope/mpi/communicator.hpp"

namespace isotrope::app {
namespace {

using schedule::Collective;

constexpr std::array every_collective{Collective::broadcast, Collective::scatter,        Collective::gather,
                                      Collective::reduce,    Collective::allgather,      Collective::alltoall,
                                      Collective::allreduce, Collective::reduce_scatter, Collective::barrier};

// Buffers for any collective with blocks of `bytes` bytes, and the two ways to call it.
class Contest {
 public:
  Contest(mpi::Communicator& ours, Collective collective, std::uint64_t bytes)
      : ours_(ours), collective_(collective), count_(static_cast<int>(bytes)) {
    const auto size = static_cast<std::uint64_t>(job_size());
    const bool many_out = collective == Collective::scatter || collective == Collective::alltoall ||
                          collective == Collective::reduce_scatter;
    const bool many_in = collective == Collective::gather || collective == Collective::allgather ||
                         collective == Collective::alltoall;
    send_.resize(bytes * (many_out ? size : 1), 1);
    receive_.resize(bytes * (many_in ? size : 1));
  }

  void our_call() { check(ours()); }
  void library_call() { check(library()); }

 private:
  static void check(int code) {
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
  }

  int ours() {
    switch (collective_) {
      case Collective::broadcast:
        return ours_.broadcast(send_.data(), count_, MPI_BYTE, 0);
      case Collective::scatter:
        return ours_.scatter(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE, 0);
      case Collective::gather:
        return ours_.gather(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE, 0);
      case Collective::reduce:
        return ours_.reduce(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM, 0);
      case Collective::allgather:
        return ours_.allgather(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE);
      case Collective::alltoall:
        return ours_.alltoall(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE);
      case Collective::allreduce:
        return ours_.allreduce(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM);
      case Collective::reduce_scatter:
        return ours_.reduce_scatter(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM);
      default:
        return ours_.barrier();
    }
  }

  int library() {
    switch (collective_) {
      case Collective::broadcast:
        return MPI_Bcast(send_.data(), count_, MPI_BYTE, 0, MPI_COMM_WORLD);
      case Collective::scatter:
        return MPI_Scatter(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE, 0,
                           MPI_COMM_WORLD);
      case Collective::gather:
        return MPI_Gather(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE, 0,
                          MPI_COMM_WORLD);
      case Collective::reduce:
        return MPI_Reduce(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
      case Collective::allgather:
        return MPI_Allgather(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE,
                             MPI_COMM_WORLD);
      case Collective::alltoall:
        return MPI_Alltoall(send_.data(), count_, MPI_BYTE, receive_.data(), count_, MPI_BYTE,
                            MPI_COMM_WORLD);
      case Collective::allreduce:
        return MPI_Allreduce(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      case Collective::reduce_scatter:
        return MPI_Reduce_scatter_block(send_.data(), receive_.data(), count_ / 4, MPI_FLOAT, MPI_SUM,
                                        MPI_COMM_WORLD);
      default:
        return MPI_Barrier(MPI_COMM_WORLD);
    }
  }

  mpi::Communicator& ours_;
  Collective collective_;
  int count_;
  std::vector<char> send_, receive_;
};

// Seconds a call on the slowest rank.
double batch(unsigned calls, const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (unsigned i = 0; i < calls; ++i) call();
  double seconds = (MPI_Wtime() - begin) / calls;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

struct Timing {
  double ours;
  double library;
  double ratio;
};

Timing time_both(Contest& contest, unsigned turns) {
  const auto our_call = [&] { contest.our_call(); };
  const auto library_call = [&] { contest.library_call(); };
  batch(1, our_call);
  batch(1, library_call);
  constexpr double batch_seconds = 0.02;
  const double slower = std::max(batch(2, our_call), batch(2, library_call));
  const auto calls = static_cast<unsigned>(std::clamp(batch_seconds / slower, 1.0, 1000.0));
  std::vector<double> ours, library, ratios;
  for (unsigned turn = 0; turn < turns; ++turn) {
    ours.push_back(batch(calls, our_call));
    library.push_back(batch(calls, library_call));
    ratios.push_back(ours.back() / library.back());
  }
  return {median(ours), median(library), median(ratios)};
}

// Seconds that the busiest link takes at least to carry its share of blocks of `bytes` bytes, which may be
// cut as finely as one likes; 0 where nothing is known to have to be carried.
double link_seconds(const network::Network& network, Collective collective, std::uint64_t bytes,
                    const cost::Machine& machine) {
  constexpr std::uint32_t parts = 5040;  // divided by most degrees
  const auto bound =
      bandwidth_bound(network, {.collective = collective, .parts = parts}, schedule::PortModel::all());
  if (!bound) return 0;
  const double blocks = collective == Collective::allreduce ? network.order() : 1;  // in a vector
  return static_cast<double>(bound->value) / parts * static_cast<double>(bytes) / blocks *
         machine.byte_time_s;
}

std::vector<std::uint64_t> sizes(const Options& options, Collective collective) {
  if (collective == Collective::barrier) return {0};
  const std::uint64_t from = options.from.empty() ? 8 : parse_size(options.from);
  const std::uint64_t to = options.upto.empty() ? std::uint64_t{1} << 20 : parse_size(options.upto);
  if (from > to || from < 4 || to > (std::uint64_t{1} << 30)) {
    throw Error(fmt::format("sizes from {} to {}: give 4 B to 1 GiB in ascending order", format_size(from),
                            format_size(to)));
  }
  std::vector<std::uint64_t> result;
  for (std::uint64_t size = from; size < to; size *= 4) result.push_back(size);
  result.push_back(to);
  return result;
}

std::vector<Collective> chosen_collectives(const Options& options) {
  if (options.collective.empty()) return {every_collective.begin(), every_collective.end()};
  const Collective collective = schedule::parse_collective(options.collective);
  if (std::ranges::find(every_collective, collective) == every_collective.end())
    throw Error(fmt::format("--collective {}: give one of MPI's, such as allreduce", options.collective));
  return {collective};
}

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version(text.data(), static_cast<std::size_t>(length));
  return version.starts_with("Open MPI") ? "Open MPI" : version.starts_with("MPICH") ? "MPICH" : "library";
}

unsigned turns(const Options& options) {
  if (options.runs.empty()) return 9;
  const std::uint64_t number = number_option("--runs", options.runs);
  if (number >= 1 && number <= 10000) return static_cast<unsigned>(number);
  throw Error(fmt::format("--runs {}: give 1 to 10000 turns", options.runs));
}

}  // namespace

int mpi_bench_command(const Options& options) {
  const auto collectives = on_all_ranks([&] { return chosen_collectives(options); });
  const auto repeated = on_all_ranks([&] { return turns(options); });
  on_all_ranks([&] { return sizes(options, Collective::alltoall); });
  const auto machine = on_all_ranks([&] { return chosen_machine(options, mpi::shared_memory()); });
  mpi::Communicator ours = on_all_ranks(
      [&] { return mpi::Communicator(MPI_COMM_WORLD, chosen_network(options), {.machine = machine}); });
  const std::string library = library_name();
  const bool bounded = !options.machine.empty();
  Json all = Json::array();
  if (!options.json) say(fmt::format("# {}, {} ranks, {}\n", ours.network().name(), job_size(), library));
  for (const Collective collective : collectives) {
    const std::string name = to_string(schedule::Task{.collective = collective});
    if (!options.json) {
      say(fmt::format("\n# {}\n# {:<12}{:>16}{:>16}{:>10}{}\n", name, "Size (B)", "isotrope (us)",
                      library + " (us)", "Ratio",
                      bounded ? fmt::format("{:>16}{:>12}", "links (us)", "over links") : ""));
    }
    for (const std::uint64_t bytes : sizes(options, collective)) {
      Contest contest(ours, collective, bytes);
      const Timing timing = time_both(contest, repeated);
      const double links = bounded ? link_seconds(ours.network(), collective, bytes, machine) : 0;
      if (options.json) {
        all.push_back({{"collective", name},
                       {"bytes", bytes},
                       {"isotrope_s", timing.ours},
                       {"library_s", timing.library},
                       {"ratio", timing.ratio}});
        if (links > 0) all.back()["links_s"] = links;
      } else {
        say(fmt::format(
            "{:<14}{:>16.2f}{:>16.2f}{:>10.2f}{}\n", bytes, timing.ours * 1e6, timing.library * 1e6,
            timing.ratio,
            links > 0 ? fmt::format("{:>16.2f}{:>12.2f}", links * 1e6, timing.ours / links) : ""));
      }
    }
  }
  if (options.json) {
    say(dump({{"network", ours.network().name()},
              {"ranks", job_size()},
              {"library", library},
              {"turns", repeated},
              {"times", std::move(all)}}));
  }
  return 0;
}

}  // namespace isotrope::app
