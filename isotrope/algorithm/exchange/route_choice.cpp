// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_choice.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "isotrope/network/divisor.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/torus_axes.hpp"
#include "isotrope/network/walk_back.hpp"

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::Port;
using schedule::RelativeDestination;

// A matrix with the entries that add_row(matrix, to) adds for every block, in a row each.
template <class AddRow>
TaskMatrix rows_for(const Network& network, std::span<const RelativeDestination> destinations,
                    std::uint64_t most_entries, const AddRow& add_row) {
  TaskMatrix matrix(network.degree());
  std::uint64_t rows = 0;
  for (const RelativeDestination& destination : destinations) rows += destination.blocks;
  matrix.reserve(rows, rows * most_entries);
  for (const auto [to, blocks] : destinations) {
    for (std::uint32_t i = 0; i < blocks; ++i) {
      add_row(matrix, to);
      matrix.close_row();
    }
  }
  return matrix;
}

// An axis and the loads of its directions.
struct LoadedAxis {
  network::Divisor extent;
  Port forward, backward;
  std::uint64_t forward_load = 0, backward_load = 0;

  bool is_tie(Coordinate x) const { return forward != backward && 2 * x == extent.value(); }

  // The direction of a packet half-way round.
  Port lighter(Coordinate distance) {
    const bool goes_back = backward_load < forward_load;
    (goes_back ? backward_load : forward_load) += distance;
    return goes_back ? backward : forward;
  }
};

class AxisRoutes {
 public:
  explicit AxisRoutes(std::span<const network::TorusAxis> axes) {
    for (const network::TorusAxis& axis : axes) {
      axes_.push_back({network::Divisor(axis.extent), axis.forward, axis.backward});
    }
    std::reverse(axes_.begin(), axes_.end());
  }

  // Counts the hops without a choice of direction; ties even them out later.
  void count(std::span<const RelativeDestination> destinations) {
    for (const RelativeDestination& destination : destinations) {
      const std::uint64_t blocks = destination.blocks;
      for_each_step(destination.to, [blocks](LoadedAxis& axis, Coordinate x) {
        const Coordinate back = axis.extent.value() - x;
        if (x < back) axis.forward_load += x * blocks;
        if (back < x) axis.backward_load += back * blocks;
      });
    }
  }

  void add_row(TaskMatrix& matrix, Node to) {
    for_each_step(to, [&matrix](LoadedAxis& axis, Coordinate x) {
      const Coordinate back = axis.extent.value() - x;
      if (axis.is_tie(x)) return matrix.add(axis.lighter(x), x);
      matrix.add(x <= back ? axis.forward : axis.backward, std::min(x, back));
    });
  }

 private:
  template <class Visit>
  void for_each_step(Node to, Visit visit) {
    for (LoadedAxis& axis : axes_) {
      const Node rest = axis.extent.quotient(to);
      const Coordinate x = to - rest * axis.extent.value();
      if (x != 0) visit(axis, x);
      to = rest;
    }
  }

  std::vector<LoadedAxis> axes_;  // the last coordinate first
};

TaskMatrix axis_routes(const Network& network, std::span<const network::TorusAxis> axes,
                       std::span<const RelativeDestination> destinations) {
  AxisRoutes routes(axes);
  const bool has_ties = std::any_of(axes.begin(), axes.end(), [](const network::TorusAxis& axis) {
    return axis.extent % 2 == 0 && axis.extent > 2;
  });
  if (has_ties) routes.count(destinations);
  return rows_for(network, destinations, axes.size(),
                  [&routes](TaskMatrix& matrix, Node to) { routes.add_row(matrix, to); });
}

// The routes of a hypercube: bit i of a node belongs to the last axis but i.
TaskMatrix bit_routes(const Network& network, std::span<const network::TorusAxis> axes,
                      std::span<const RelativeDestination> destinations) {
  std::vector<Port> port_of_bit;
  std::transform(axes.rbegin(), axes.rend(), std::back_inserter(port_of_bit),
                 [](const network::TorusAxis& axis) { return axis.forward; });
  return rows_for(network, destinations, (axes.size() + 1) / 2, [&](TaskMatrix& matrix, Node to) {
    for (Node bits = to; bits != 0; bits &= bits - 1) {
      matrix.add(port_of_bit[static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  });
}

TaskMatrix walked_routes(const Network& network, std::span<const RelativeDestination> destinations) {
  const network::WalkBack walk(network);
  return network.visit([&](const auto&, const auto& group) {
    const auto subtract = [&group](Node a, Node b) { return group.subtract(a, b); };
    return rows_for(network, destinations, 1, [&](TaskMatrix& matrix, Node to) {
      walk.hops_from(to, matrix.column_sums(), subtract,
                     [&](Port port, std::uint32_t hops) { matrix.add(port, hops); });
    });
  });
}

TaskMatrix simple_routes(const Network& network, std::span<const RelativeDestination> destinations) {
  const auto axes = network::torus_axes(network);
  if (!axes) return walked_routes(network, destinations);
  const bool is_hypercube =
      std::ranges::all_of(*axes, [](const network::TorusAxis& axis) { return axis.extent == 2; });
  return is_hypercube ? bit_routes(network, *axes, destinations) : axis_routes(network, *axes, destinations);
}

// The hops over each port shared among its copies, one copy after the other: a row is cut where a copy has its share.
TaskMatrix shared_among_copies(const TaskMatrix& simple, const std::vector<std::vector<Port>>& copies,
                               Port degree) {
  TaskMatrix matrix(degree);
  matrix.reserve(simple.rows(), simple.rows());
  std::vector<std::uint64_t> passed(copies.size(), 0);
  for (std::uint64_t i = 0; i < simple.rows(); ++i) {
    for (const auto [column, count] : simple.row(i)) {
      const std::vector<Port>& ports = copies[column];
      const std::uint64_t share = schedule::ceil_div(simple.column_sums()[column], ports.size());
      for (std::uint32_t left = count; left > 0;) {
        const std::uint64_t copy = passed[column] / share, room = (copy + 1) * share - passed[column];
        const auto hops = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, room));
        matrix.add(ports[copy], hops);
        passed[column] += hops;
        left -= hops;
      }
    }
    matrix.close_row();
  }
  return matrix;
}

}  // namespace

std::vector<RelativeDestination> in_packets(std::span<const RelativeDestination> blocks,
                                            std::uint32_t parts) {
  std::vector<RelativeDestination> packets(blocks.begin(), blocks.end());
  for (RelativeDestination& destination : packets) destination.blocks *= parts;
  return packets;
}

TaskMatrix shortest_routes(const Network& network, std::span<const RelativeDestination> destinations) {
  if (!network::has_copies(network)) return simple_routes(network, destinations);
  const network::SimpleNetwork simple = network::without_copies(network);
  return shared_among_copies(simple_routes(simple.network, destinations), simple.copies, network.degree());
}

}  // namespace isotrope::algorithm
