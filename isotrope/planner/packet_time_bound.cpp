// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/packet_time_bound.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/cost/link_times.hpp"

#include "isotrope/planner/chain_bound.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

using schedule::Problem;

// The time of a packet over links along some axes, and how many links side by side share it.
struct PacketTime {
  double seconds;
  std::uint32_t rate;

  auto operator<=>(const PacketTime&) const = default;
};

// A machine with a class for every packet time, as `set(class, time)` says; nothing if these are too many, or some axis has several.
template <class Set>
std::optional<cost::Machine> with_class_times(const Problem& problem, const cost::LinkTimes& times,
                                              std::uint64_t packet_bytes, cost::Machine machine,
                                              const Set& set) {
  machine.link_class_count = 0;
  machine.listed_classes = {};
  const std::vector<std::uint32_t> rates = network::port_rates(problem.network);
  std::map<PacketTime, std::uint64_t> axes;
  for (network::Port port = 0; port < problem.network.degree(); ++port) {
    const auto axis = network::axis_of(problem.network, port);
    if (!axis || *axis >= cost::most_class_axes) return std::nullopt;
    axes[{times.message_time(times.of(port), packet_bytes), rates[port]}] |= std::uint64_t{1} << *axis;
  }
  std::uint64_t taken = 0;
  for (const auto& [time, of_time] : axes) {
    if ((taken & of_time) != 0 || machine.link_class_count == cost::most_link_classes) return std::nullopt;
    taken |= of_time;
    cost::LinkClass& links = machine.listed_classes[machine.link_class_count++];
    links.axes = of_time;
    set(links, time);
  }
  return machine;
}

// The bytes of links whose packets take these times.
double bytes_bound(Problem problem, const cost::LinkTimes& times, std::uint64_t packet_bytes, double least_s,
                   const cost::Machine& original) {
  const auto bytes = static_cast<double>(packet_bytes);
  cost::Machine machine = original;
  machine.startup_s = machine.overhead_s = machine.overhead_byte_s = machine.receive_overhead_s = 0;
  machine.byte_time_s = least_s / bytes;
  std::optional<cost::Machine> by_class;
  if (!times.by_edge() && problem.failed.edges.empty() && !times.alike())
    by_class = with_class_times(problem, times, packet_bytes, machine,
                                [&](cost::LinkClass& links, const PacketTime& time) {
                                  links.byte_time_s = time.seconds / bytes / time.rate;
                                });
  machine.link_class_count = 0;
  machine.listed_classes = {};
  problem.failed.edge_times.clear();
  return TimeBounds(problem, by_class.value_or(machine)).at(packet_bytes * problem.task.parts).seconds;
}

// A packet over link after link, each as long as it takes there.
double chain_of_packets(Problem problem, const cost::LinkTimes& times, std::uint64_t packet_bytes,
                        cost::Machine machine) {
  if (times.alike()) return 0;
  if (times.by_edge()) {
    for (network::EdgeTimes& own : problem.failed.edge_times) {
      const double byte_time_s = own.byte_time_s.value_or(machine.byte_time_s);
      own.startup_s =
          own.startup_s.value_or(machine.startup_s) + static_cast<double>(packet_bytes) * byte_time_s;
      own.byte_time_s.reset();
    }
    machine.startup_s = machine.message_time(packet_bytes);
    machine.byte_time_s = 0;
    return chain_bound(problem, cost::LinkTimes(problem.network, problem.failed, machine), 0);
  }
  machine.byte_time_s = 0;
  const auto by_class = with_class_times(
      problem, times, packet_bytes, machine,
      [](cost::LinkClass& links, const PacketTime& time) { links.startup_s = time.seconds; });
  if (!by_class) return 0;
  return chain_bound(problem, cost::LinkTimes(problem.network, problem.failed, *by_class), 0);
}

}  // namespace

double packet_time_bound(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine) {
  const std::uint64_t packet_bytes =
      std::max<std::uint64_t>(schedule::ceil_div(bytes, problem.task.parts), 1);
  const cost::LinkTimes times(problem.network, problem.failed, machine);
  double least_s = HUGE_VAL;
  for (std::uint32_t i = 0; i < times.all().size(); ++i) {
    if (times.occurs(i)) least_s = std::min(least_s, times.message_time(i, packet_bytes));
  }
  const auto bounds = bound::lower_bounds(problem);
  if (bounds.empty() || problem.network.order() == 1) return 0;
  return std::max({static_cast<double>(bounds.front().value) * least_s,
                   bytes_bound(problem, times, packet_bytes, least_s, machine),
                   chain_of_packets(problem, times, packet_bytes, machine)});
}

}  // namespace isotrope::planner
