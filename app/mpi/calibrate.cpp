// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope calibrate: measures the cost of messages between neighbours, and writes a machine file.
//
// All ranks exchange messages of B bytes with the neighbours on k of their ports at once. In the cost model
// (cost/machine.hpp) an exchange takes
//
//     T(k, B) = k (o + B g) + tau + B t_c
//
// Four measurements determine o, g, tau and t_c: k = 1 and all ports, with small and with large messages. With
// one port per node, the costs of processor and link cannot be separated, and tau and t_c hold both.
//
// MPI delivers messages to any rank, so the machine model is cut-through; small messages to the farthest
// nodes determine the cost of a link on the way.
//
// With several ranks a node, the first rank of every node measures the links, which then carry nothing else, while the others sleep. Then
// every rank sends to the next one of its node: T(1, B) with the o and g of before gives the tau and t_c of the memory.
//
// Each time is the median over batches of calls. Its spread is this median over the shortest call: 1 to 5 on an idle
// machine, and far more if other work, or more ranks than cores, make messages wait. The largest spread goes to the
// machine file, and a large one to standard error.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"

#include "isotrope/io/machine_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/json.hpp"
#include "app/machine.hpp"
#include "app/mpi/job.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

constexpr std::uint64_t small_bytes = 8, medium_bytes = std::uint64_t{64} << 10,
                        large_bytes = std::uint64_t{512} << 10;

// The ranks of a job by level. Movable only by reference: frees its communicators.
class Levels {
 public:
  explicit Levels(const mpi::PlacedJob& job) {
    const network::Node place = job.network.ranks.node_of(static_cast<network::Rank>(job_rank()));
    const auto node = static_cast<int>(place / job.ranks_per_node),
               own = static_cast<int>(place % job.ranks_per_node);
    MPI_Comm_split(MPI_COMM_WORLD, own == 0 ? 0 : MPI_UNDEFINED, node, &nodes_);
    MPI_Comm_split(MPI_COMM_WORLD, node, own, &memory_);
  }
  Levels(const Levels&) = delete;
  Levels& operator=(const Levels&) = delete;
  ~Levels() {
    if (nodes_ != MPI_COMM_NULL) MPI_Comm_free(&nodes_);
    MPI_Comm_free(&memory_);
  }

  /// The first ranks of all nodes, each with the number of its node; MPI_COMM_NULL on the others.
  MPI_Comm nodes() const { return nodes_; }
  /// The ranks of this node.
  MPI_Comm memory() const { return memory_; }

 private:
  MPI_Comm nodes_ = MPI_COMM_NULL, memory_ = MPI_COMM_NULL;
};

// Messages between the ranks of a communicator, each of which is the node of its number.
class Exchange {
 public:
  Exchange(MPI_Comm comm, network::Network network)
      : comm_(comm),
        network_(std::move(network)),
        send_(large_bytes * network_.degree(), 1),
        receive_(send_.size()) {
    int own = 0;
    MPI_Comm_rank(comm, &own);
    own_ = static_cast<network::Node>(own);
  }

  /// Seconds of T(ports, bytes), on the slowest rank.
  double time(network::Port ports, std::uint64_t bytes) {
    return time(network_.generators().first(ports), bytes);
  }
  /// Seconds that each further byte of a message adds on so many ports at once.
  double byte_time(network::Port ports) {
    const double difference = time(ports, large_bytes) - time(ports, medium_bytes);
    return std::max(difference, 0.0) / static_cast<double>(large_bytes - medium_bytes);
  }
  /// Seconds per message to the farthest node.
  double time_to_farthest(std::uint64_t bytes) {
    network::Node farthest = 0;
    for (network::Node node = 0; node < network_.order(); ++node) {
      if (network_.distance(0, node) > network_.distance(0, farthest)) farthest = node;
    }
    return time(std::span(&farthest, 1), bytes);
  }

  /// The largest spread of a time so far.
  double spread() const { return spread_; }

 private:
  // Exchanges messages with the nodes at these offsets from each rank.
  double time(std::span<const network::Node> offsets, std::uint64_t bytes) {
    const unsigned calls = bytes <= small_bytes ? 200 : 10;
    std::vector<double> times;
    double shortest = std::numeric_limits<double>::max();
    for (int batch = 0; batch < 9; ++batch) {
      const auto call = [&] {
        const double begin = MPI_Wtime();
        exchange(offsets, bytes);
        shortest = std::min(shortest, MPI_Wtime() - begin);
      };
      times.push_back(slowest_seconds(calls, call, comm_));
    }
    MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    const double result = median(std::move(times));
    spread_ = std::max(spread_, result / std::max(shortest, MPI_Wtick()));
    return result;
  }

  void exchange(std::span<const network::Node> offsets, std::uint64_t bytes) {
    requests_.clear();
    const auto count = static_cast<int>(bytes);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto from = static_cast<int>(network_.group().subtract(own_, offsets[i]));
      MPI_Irecv(receive_.data() + i * large_bytes, count, MPI_BYTE, from, 0, comm_,
                &requests_.emplace_back());
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto to = static_cast<int>(network_.group().add(own_, offsets[i]));
      MPI_Isend(send_.data() + i * large_bytes, count, MPI_BYTE, to, 0, comm_, &requests_.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  MPI_Comm comm_;
  network::Network network_;
  network::Node own_;
  double spread_ = 1;
  std::vector<char> send_, receive_;
  std::vector<MPI_Request> requests_;
};

// The cost of each further port, and the rest of the cost of the first port.
struct Split {
  double per_port;
  double rest;
};

Split split(double one, double all, network::Port ports) {
  if (ports < 2) return {0, one};
  const double per_port = std::clamp((all - one) / (ports - 1), 0.0, one);
  return {per_port, one - per_port};
}

// What is measured of a machine; trivially copyable, as one rank tells it to all.
struct Times {
  double startup_s, byte_time_s, overhead_s, overhead_byte_s, hop_time_s, spread;
};

Times times_of_links(MPI_Comm nodes, const network::Network& network) {
  Exchange exchange(nodes, network);
  const network::Port ports = network.degree();
  exchange.time(ports, medium_bytes);
  const double near = exchange.time(1, small_bytes), far = exchange.time_to_farthest(small_bytes);
  const Split starting = split(near, exchange.time(ports, small_bytes), ports);
  const Split bytes = split(exchange.byte_time(1), exchange.byte_time(ports), ports);
  return {.startup_s = starting.rest,
          .byte_time_s = bytes.rest,
          .overhead_s = starting.per_port,
          .overhead_byte_s = bytes.per_port,
          .hop_time_s = std::max(far - near, 0.0) / std::max(network.diameter() - 1, 1U),
          .spread = exchange.spread()};
}

// In all nodes at once, of the slowest; the overheads of `links` are those of every message.
io::MemoryTimes times_of_memory(MPI_Comm memory, std::uint32_t ranks, Times& links) {
  Exchange exchange(memory, network::complete(ranks));
  exchange.time(1, medium_bytes);
  std::array<double, 3> times{exchange.time(1, small_bytes) - links.overhead_s,
                              exchange.byte_time(1) - links.overhead_byte_s, exchange.spread()};
  MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  links.spread = std::max(links.spread, times[2]);
  return {std::max(times[0], 0.0), std::max(times[1], 0.0)};
}

// @param network of the nodes
io::NamedMachine measured(const mpi::PlacedJob& job, const network::Network& network) {
  const Levels levels(job);
  Times times{};
  if (levels.nodes() != MPI_COMM_NULL) times = times_of_links(levels.nodes(), network);
  meet_quietly();
  MPI_Bcast(&times, sizeof(times), MPI_BYTE, static_cast<int>(job.network.ranks.rank_of(0)), MPI_COMM_WORLD);
  io::NamedMachine result{.name = fmt::format("{} ranks as {}", job_size(), network.name()), .machine = {}};
  if (job.ranks_per_node > 1) {
    result.name += fmt::format(", {} ranks a node", job.ranks_per_node);
    result.nodes.ranks_per_node = job.ranks_per_node;
    result.nodes.memory = times_of_memory(levels.memory(), job.ranks_per_node, times);
  }
  result.spread = times.spread;
  result.machine = {.startup_s = times.startup_s,
                    .byte_time_s = times.byte_time_s,
                    .ports = schedule::PortModel::all(),
                    .overhead_s = times.overhead_s,
                    .overhead_byte_s = times.overhead_byte_s,
                    .cut_through = true,
                    .hop_time_s = times.hop_time_s};
  return result;
}

void warn_of_spread(const io::NamedMachine& measured) {
  constexpr double acceptable = 10;
  if (job_rank() != 0 || measured.spread <= acceptable) return;
  fmt::print(stderr,
             "isotrope: calibrate: times spread, median to shortest {:.1f} to 1 (start-up {:.3g} us): this "
             "machine does other work, or has more ranks than cores; measure again on an idle machine\n",
             measured.spread, (measured.machine.startup_s + measured.machine.overhead_s) * 1e6);
}

// The times of the memory, if nodes have several ranks.
std::string memory_in_words(const io::NamedMachine& measured) {
  const io::MemoryTimes& memory = measured.nodes.memory;
  if (!memory.startup_s) return "";
  return line("memory", fmt::format("{:g} us per start-up, {:g} ns per byte", *memory.startup_s * 1e6,
                                    *memory.byte_time_s * 1e9));
}

Json facts_of(const io::NamedMachine& measured) {
  const cost::Machine& machine = measured.machine;
  Json facts{{"name", measured.name},
             {"startup_s", machine.startup_s},
             {"byte_time_s", machine.byte_time_s},
             {"overhead_s", machine.overhead_s},
             {"overhead_byte_s", machine.overhead_byte_s},
             {"cut_through", machine.cut_through},
             {"hop_time_s", machine.hop_time_s},
             {"spread", measured.spread}};
  if (const io::MemoryTimes& memory = measured.nodes.memory; memory.startup_s) {
    facts["ranks_per_node"] = *measured.nodes.ranks_per_node;
    facts["memory"] = {{"startup_s", *memory.startup_s}, {"byte_time_s", *memory.byte_time_s}};
  }
  return facts;
}

}  // namespace

int mpi_calibrate_command(const CalibrateOptions& options) {
  const network::Network network = on_all_ranks([&] {
    network::Network chosen = whole_network(chosen_nodes(options));
    if (chosen.degree() == 0) throw Error(fmt::format("{} has no links to measure", chosen.name()));
    return chosen;
  });
  const mpi::PlacedJob job = on_all_ranks([&] {
    const bool says = !options.machine.empty();
    const std::uint32_t ranks = says ? machine_file(options.machine).nodes.ranks_per_node.value_or(0) : 0;
    return placed_job(options, options, ranks);
  });
  const io::NamedMachine result = measured(job, network);
  warn_of_spread(result);
  on_all_ranks([&] {
    if (job_rank() == 0 && !options.output.empty()) io::write_machine(options.output, result);
    return true;
  });
  if (options.json) {
    say(answer("calibrate", facts_of(result)));
  } else {
    say(fmt::format("{}\n{}{}{}", result.name, line("machine", in_words(result.machine)),
                    memory_in_words(result),
                    line("spread", fmt::format("median to shortest time, {:.1f} to 1", result.spread))));
    if (!options.output.empty()) say(line("written to", options.output));
  }
  return 0;
}

}  // namespace isotrope::app
