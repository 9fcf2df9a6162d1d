// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope calibrate: measures the cost of messages between neighbours, and writes a machine file.
//
// All ranks exchange messages of B bytes over k of their links at once (neighbour_times.hpp). In the cost model
// (cost/machine.hpp) an exchange takes
//
//     T(k, B) = k (o + B g) + tau + B t_c
//
// Four measurements determine o, g, tau and t_c: k = 1 and all ports, with small and with large messages. With
// one port per node, the costs of processor and link cannot be separated, and tau and t_c hold both. Link classes of axes that a given
// machine file has are measured each by itself, T(1, B) with the o and g of the other links.
//
// If long messages take less time in pieces (best_piece()), over one link or over all at once, the file says so: largest_message.
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
#include <span>
#include <string>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"
#include "isotrope/network/losses.hpp"
#include "isotrope/network/nodes_left.hpp"
#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"

#include "isotrope/io/machine_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/json.hpp"
#include "app/machine.hpp"
#include "app/mpi/job.hpp"
#include "app/mpi/neighbour_times.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

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
  std::uint64_t largest_message;
  std::array<cost::LinkTime, cost::most_link_classes> classes;
};

// Whether a port of the network leads along an axis of the class.
NeighbourTimes::Ports ports_of(const network::Network& network, std::uint64_t axes) {
  return [&network, axes](network::Port port) {
    const auto axis = network::axis_of(network, port);
    return axis && *axis < cost::most_class_axes && (axes >> *axis & 1) != 0;
  };
}

// Links of no class, or else all.
NeighbourTimes::Ports usual_ports(const network::Network& network, std::span<const cost::LinkClass> classes,
                                  const NeighbourTimes& times) {
  std::uint64_t axes = 0;
  for (const cost::LinkClass& links : classes) axes |= links.axes;
  const NeighbourTimes::Ports in_class = ports_of(network, axes);
  const NeighbourTimes::Ports usual = [in_class](network::Port port) { return !in_class(port); };
  if (times.has_links(usual)) return usual;
  return [](network::Port) { return true; };
}

Times times_of_links(MPI_Comm comm, const network::NamedNetwork& nodes,
                     std::span<const cost::LinkClass> classes) {
  constexpr std::uint64_t small = NeighbourTimes::small_bytes;
  NeighbourTimes times(comm, nodes);
  const NeighbourTimes::Ports usual = usual_ports(nodes.network, classes, times);
  const Partners one = times.over_one_link(usual), all = times.over_all_links(usual);
  const network::Port ports = times.most_links(usual);
  times.time(all, NeighbourTimes::medium_bytes);
  const double near = times.time(one, small), far = times.time(times.farthest(), small);
  const Split starting = split(near, times.time(all, small), ports);
  const Split bytes = split(times.byte_time(one), times.byte_time(all), ports);
  Times result{.startup_s = starting.rest,
               .byte_time_s = bytes.rest,
               .overhead_s = starting.per_port,
               .overhead_byte_s = bytes.per_port,
               .hop_time_s = std::max(far - near, 0.0) / std::max(times.diameter() - 1, 1U),
               .spread = 1,
               .largest_message = times.best_piece(std::array{one, all}),
               .classes = {}};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Partners of_class = times.over_one_link(ports_of(nodes.network, classes[i].axes));
    result.classes.at(i) = {std::max(times.time(of_class, small) - starting.per_port, 0.0),
                            std::max(times.byte_time(of_class) - bytes.per_port, 0.0)};
  }
  result.spread = times.spread();
  return result;
}

// In all nodes at once, of the slowest; the overheads of `links` are those of every message.
io::MemoryTimes times_of_memory(MPI_Comm memory, std::uint32_t ranks, Times& links) {
  NeighbourTimes times(memory, {network::complete(ranks)});
  const Partners next = times.over_one_link([](network::Port) { return true; });
  times.time(next, NeighbourTimes::medium_bytes);
  std::array<double, 3> found{times.time(next, NeighbourTimes::small_bytes) - links.overhead_s,
                              times.byte_time(next) - links.overhead_byte_s, times.spread()};
  MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  links.spread = std::max(links.spread, found[2]);
  return {std::max(found[0], 0.0), std::max(found[1], 0.0)};
}

// @param given the machine file of the options, which names the network if `is_of_file`
io::NamedMachine measured(const mpi::PlacedJob& job, const network::NamedNetwork& nodes,
                          const io::NamedMachine& given, bool is_of_file) {
  const Levels levels(job);
  const auto classes = given.machine.link_classes();
  Times times{};
  if (levels.nodes() != MPI_COMM_NULL) times = times_of_links(levels.nodes(), nodes, classes);
  meet_quietly();
  MPI_Bcast(&times, sizeof(times), MPI_BYTE, static_cast<int>(job.network.ranks.rank_of(0)), MPI_COMM_WORLD);
  io::NamedMachine result{.name = fmt::format("{} ranks as {}{}", job_size(), nodes.network.name(),
                                              losses(nodes.network, nodes.lacks)),
                          .machine = {}};
  if (is_of_file) result.nodes = given.nodes;
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
                    .hop_time_s = times.hop_time_s,
                    .largest_message = times.largest_message};
  for (std::size_t i = 0; i < classes.size(); ++i)
    result.machine.listed_classes.at(i) = {classes[i].axes, times.classes.at(i).startup_s,
                                           times.classes.at(i).byte_time_s};
  result.machine.link_class_count = static_cast<std::uint32_t>(classes.size());
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
             {"largest_message", machine.largest_message},
             {"spread", measured.spread}};
  if (const io::MemoryTimes& memory = measured.nodes.memory; memory.startup_s) {
    facts["ranks_per_node"] = *measured.nodes.ranks_per_node;
    facts["memory"] = {{"startup_s", *memory.startup_s}, {"byte_time_s", *memory.byte_time_s}};
  }
  return facts;
}

network::NamedNetwork nodes_to_measure(const CalibrateOptions& options, const io::NamedMachine& given) {
  network::NamedNetwork result = chosen_nodes(options);
  const network::SurvivingNetwork left(result.network, result.lacks);
  const std::string name = result.network.name() + losses(result.network, result.lacks);
  if (left.links() == 0) throw Error(fmt::format("{} has no links to measure", name));
  network::require_connected(result);
  const cost::LinkTimes classes(result.network, result.lacks,
                                given.machine);  // refuses those of other networks
  for (const cost::LinkClass& links : given.machine.link_classes()) {
    const auto along = ports_of(result.network, links.axes);
    if (std::ranges::none_of(
            left.nodes(), [&](network::Node node) { return std::ranges::any_of(left.ports(node), along); }))
      throw Error(fmt::format("{} has no link along the axes of a link class of {}: leave the class out",
                              name, options.machine));
  }
  return result;
}

}  // namespace

int mpi_calibrate_command(const CalibrateOptions& options) {
  const io::NamedMachine given = on_all_ranks(
      [&] { return options.machine.empty() ? io::NamedMachine{} : machine_file(options.machine); });
  const network::NamedNetwork nodes = on_all_ranks([&] { return nodes_to_measure(options, given); });
  const mpi::PlacedJob job =
      on_all_ranks([&] { return placed_job(options, options, given.nodes.ranks_per_node.value_or(0)); });
  const bool is_of_file = options.network.empty() && options.subject.empty();
  const io::NamedMachine result = measured(job, nodes, given, is_of_file);
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
