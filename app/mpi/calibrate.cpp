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
// Each time is the median over batches of calls. Its spread is this median over the shortest call: 1 to 5 on an idle
// machine, and far more if other work, or more ranks than cores, make messages wait. The largest spread goes to the
// machine file, and a large one to standard error.
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/machine_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/mpi/job.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

constexpr std::uint64_t small_bytes = 8, medium_bytes = std::uint64_t{64} << 10,
                        large_bytes = std::uint64_t{512} << 10;

class Exchange {
 public:
  explicit Exchange(const network::MappedNetwork& machine)
      : network_(machine.named.network),
        ranks_(machine.ranks),
        send_(large_bytes * network_.degree(), 1),
        receive_(send_.size()) {}

  /// Seconds of T(ports, bytes), on the slowest rank.
  double time(network::Port ports, std::uint64_t bytes) {
    return time(network_.generators().first(ports), bytes);
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
      times.push_back(slowest_seconds(calls, [&] {
        const double begin = MPI_Wtime();
        exchange(offsets, bytes);
        shortest = std::min(shortest, MPI_Wtime() - begin);
      }));
    }
    MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double result = median(std::move(times));
    spread_ = std::max(spread_, result / std::max(shortest, MPI_Wtick()));
    return result;
  }

  void exchange(std::span<const network::Node> offsets, std::uint64_t bytes) {
    requests_.clear();
    const network::Node own = ranks_.node_of(static_cast<network::Rank>(job_rank()));
    const auto count = static_cast<int>(bytes);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto from = static_cast<int>(ranks_.rank_of(network_.group().subtract(own, offsets[i])));
      MPI_Irecv(receive_.data() + i * large_bytes, count, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto to = static_cast<int>(ranks_.rank_of(network_.group().add(own, offsets[i])));
      MPI_Isend(send_.data() + i * large_bytes, count, MPI_BYTE, to, 0, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  const network::Network& network_;
  const network::RankMap& ranks_;
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

io::NamedMachine measured(const network::MappedNetwork& placed) {
  const network::Network& network = placed.named.network;
  Exchange exchange(placed);
  const network::Port ports = network.degree();
  exchange.time(ports, medium_bytes);
  const auto slope = [&](network::Port k) {
    const double difference = exchange.time(k, large_bytes) - exchange.time(k, medium_bytes);
    return std::max(difference, 0.0) / static_cast<double>(large_bytes - medium_bytes);
  };
  const double near = exchange.time(1, small_bytes), far = exchange.time_to_farthest(small_bytes);
  const Split starting = split(near, exchange.time(ports, small_bytes), ports);
  const Split bytes = split(slope(1), slope(ports), ports);
  return {.name = fmt::format("{} ranks as {}", job_size(), network.name()),
          .machine = {.startup_s = starting.rest,
                      .byte_time_s = bytes.rest,
                      .ports = schedule::PortModel::all(),
                      .overhead_s = starting.per_port,
                      .overhead_byte_s = bytes.per_port,
                      .cut_through = true,
                      .hop_time_s = std::max(far - near, 0.0) / std::max(network.diameter() - 1, 1U)},
          .spread = exchange.spread()};
}

void warn_of_spread(const io::NamedMachine& measured) {
  constexpr double acceptable = 10;
  if (job_rank() != 0 || measured.spread <= acceptable) return;
  fmt::print(stderr,
             "isotrope: calibrate: times spread, median to shortest {:.1f} to 1 (start-up {:.3g} us): this "
             "machine does other work, or has more ranks than cores; measure again on an idle machine\n",
             measured.spread, (measured.machine.startup_s + measured.machine.overhead_s) * 1e6);
}

}  // namespace

int mpi_calibrate_command(const CalibrateOptions& options) {
  const network::Network network = on_all_ranks([&] {
    if (ranks_per_node(options) > 1)
      throw Error("several ranks a node: calibrate measures links between nodes; start one rank on each");
    network::Network chosen = chosen_network(options);
    if (static_cast<int>(chosen.order()) != job_size()) {
      throw Error(fmt::format("{} on {} ranks: start as many ranks as it has nodes, as in mpirun -n {}",
                              chosen.name(), job_size(), chosen.order()));
    }
    if (chosen.degree() == 0) throw Error(fmt::format("{} has no links to measure", chosen.name()));
    return chosen;
  });
  network::RankMap ranks = on_all_ranks([&] { return ranks_of_plan(options, options, network); });
  const io::NamedMachine result = measured({{network}, std::move(ranks)});
  const cost::Machine& machine = result.machine;
  warn_of_spread(result);
  on_all_ranks([&] {
    if (job_rank() == 0 && !options.output.empty()) io::write_machine(options.output, result);
    return true;
  });
  if (options.json) {
    say(answer("calibrate", {{"name", result.name},
                             {"startup_s", machine.startup_s},
                             {"byte_time_s", machine.byte_time_s},
                             {"overhead_s", machine.overhead_s},
                             {"overhead_byte_s", machine.overhead_byte_s},
                             {"cut_through", machine.cut_through},
                             {"hop_time_s", machine.hop_time_s},
                             {"spread", result.spread}}));
  } else {
    say(fmt::format("{}\n{}{}", result.name, line("machine", in_words(machine)),
                    line("spread", fmt::format("median to shortest time, {:.1f} to 1", result.spread))));
    if (!options.output.empty()) say(line("written to", options.output));
  }
  return 0;
}

}  // namespace isotrope::app
