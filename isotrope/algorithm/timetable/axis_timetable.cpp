// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/axis_timetable.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::Port;
using network::TorusAxis;
using Axes = std::span<const TorusAxis>;

// The use of the axes under a port model.
struct Ways {
  bool both = true;          // both directions, or forwards only
  std::uint32_t starts = 1;  // the number of axes that tables begin with

  Ways(Axes axes, schedule::PortModel ports) {
    Port degree = 0;
    for (const TorusAxis& axis : axes) degree += axis.extent == 2 ? 1 : 2;
    const auto dimension = static_cast<std::uint32_t>(axes.size());
    const bool is_hypercube = degree == dimension;
    const Port c = ports.sends(degree);
    both = is_hypercube || c > 1;
    const std::uint32_t at_once = c == degree ? dimension : is_hypercube ? c : c / 2;
    starts = std::max(std::min(at_once, dimension), 1U);
  }

  std::uint32_t phase(const TorusAxis& axis) const { return both ? axis.extent / 2 : axis.extent - 1; }

  // Tells whether the tables come in pairs, for packets half-way round.
  bool paired(Axes axes) const {
    return both && std::ranges::any_of(
                       axes, [](const TorusAxis& axis) { return axis.extent > 2 && axis.extent % 2 == 0; });
  }
};

// One table: the axes in the order first, first + 1, ..., cyclically.
class AxisTable {
 public:
  AxisTable(const Network& network, Axes axes, const Ways& ways, std::uint32_t first, bool ties_go_back)
      : network_(network), axes_(axes), ways_(ways), first_(first), ties_go_back_(ties_go_back) {}

  Departure departure(Node address) const {
    std::uint32_t end = 0;  // the end of the phase
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const TorusAxis& axis = axes_[(first_ + i) % axes_.size()];
      end += ways_.phase(axis);
      const Coordinate x = network_.group().coordinate(address, axis.coordinate);
      if (x == 0) continue;
      const Coordinate back = axis.extent - x;
      const bool forwards = !ways_.both || x < back || (x == back && !ties_go_back_);
      return forwards ? Departure{end - x, axis.forward} : Departure{end - back, axis.backward};
    }
    return {};
  }

 private:
  const Network& network_;
  Axes axes_;
  const Ways& ways_;
  std::uint32_t first_;
  bool ties_go_back_;
};

}  // namespace

Timetable axis_timetable(const Network& network, Axes axes, std::uint32_t parts, schedule::PortModel ports) {
  const Ways ways(axes, ports);
  const std::uint32_t tables = ways.starts * (ways.paired(axes) ? 2 : 1);
  Timetable result(network.order(), std::min(tables, parts), axis_timetable_rounds(axes, ports));
  for (std::uint32_t i = 0; i < result.tables(); ++i) {
    const AxisTable table(network, axes, ways, i % ways.starts, i >= ways.starts);
    for (Node address = 1; address < network.order(); ++address)
      result.at(i, address) = table.departure(address);
  }
  return result;
}

std::uint32_t axis_timetable_rounds(Axes axes, schedule::PortModel ports) {
  const Ways ways(axes, ports);
  std::uint32_t rounds = 0;
  for (const TorusAxis& axis : axes) rounds += ways.phase(axis);
  return rounds;
}

}  // namespace isotrope::algorithm
