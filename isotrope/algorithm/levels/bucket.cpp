// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/bucket.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/graph/hamiltonian_cycle.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/algorithm/levels/copy_writer.hpp"
#include "isotrope/algorithm/levels/exchange_writer.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;

// The blocks of one copy, numbered by the positions of their owners.
class BucketCopy {
 public:
  BucketCopy(const RingGrid& grid, std::uint32_t copy, std::uint32_t first_part)
      : grid_(grid), first_part_(first_part), forward_(copy / grid.extents.size() % 2 == 0) {
    const std::size_t axes = grid.extents.size();
    std::vector<Node> strides(axes, 1);
    for (std::size_t axis = axes; axis-- > 1;) strides[axis - 1] = strides[axis] * grid.extents[axis];
    for (std::size_t turn = 0; turn < axes; ++turn) {
      const std::size_t axis = (copy + turn) % axes;
      axes_.push_back({strides[axis], grid.extents[axis], {0}});
    }
    for (std::size_t i = axes; i-- > 1;) axes_[i - 1].later = with_axis(axes_[i]);
    for (std::size_t i = 0; i < axes; ++i) {
      for (Coordinate hop = 1; hop < axes_[i].extent; ++hop) legs_.push_back({i, hop});
    }
  }

  std::size_t legs() const { return legs_.size(); }

  /// Calls visit(from, to, owner) for every message of a round that adds blocks up; `owner` is a position.
  template <class Visit>
  void reduce(std::size_t round, Visit visit) const {
    const auto [i, hop] = legs_[round];
    each_message(i, hop, visit);
  }
  /// The same for a round that brings complete blocks from their owners.
  template <class Visit>
  void gather(std::size_t round, Visit visit) const {
    const auto [i, hop] = legs_[legs_.size() - 1 - round];
    // Backwards a block leaves its owner in the first round, with hop = extent - 1.
    each_message(i, axes_[i].extent - 1 - hop, visit);
  }

  schedule::PacketId part(Node owner) const { return first_part_ + owner; }

 private:
  struct Axis {
    Node stride;
    Coordinate extent;
    std::vector<Node> later;  // all coordinates of the axes that follow
  };
  struct Leg {
    std::size_t axis;
    Coordinate hop;  // from the owner to the sender while blocks are added up
  };

  template <class Visit>
  void each_message(std::size_t i, Coordinate from_owner, Visit visit) const {
    const Axis& axis = axes_[i];
    for (Node position = 0; position < grid_.nodes.size(); ++position) {
      const Node to = moved(position, axis, 1);
      // The owner lies behind by `from_owner`, at any coordinate of the later axes.
      const Node owner = without_later(moved(position, axis, axis.extent - from_owner), i);
      for (const Node later : axis.later) visit(grid_.nodes[position], grid_.nodes[to], owner + later);
    }
  }

  static std::vector<Node> with_axis(const Axis& axis) {
    std::vector<Node> result;
    for (Coordinate x = 0; x < axis.extent; ++x) {
      for (const Node later : axis.later) result.push_back(x * axis.stride + later);
    }
    return result;
  }
  Coordinate coordinate(Node position, const Axis& axis) const {
    return position / axis.stride % axis.extent;
  }
  Node moved(Node position, const Axis& axis, Coordinate by) const {
    const Coordinate x = coordinate(position, axis);
    const Coordinate moved = (x + (forward_ ? by : axis.extent - by)) % axis.extent;
    return position - x * axis.stride + moved * axis.stride;
  }
  Node without_later(Node position, std::size_t axis) const {
    for (std::size_t i = axis + 1; i < axes_.size(); ++i)
      position -= coordinate(position, axes_[i]) * axes_[i].stride;
    return position;
  }

  const RingGrid& grid_;
  std::uint32_t first_part_;
  bool forward_;
  std::vector<Axis> axes_;
  std::vector<Leg> legs_;
};

std::vector<BucketCopy> bucket_copies(const RingGrid& grid, std::uint32_t copies) {
  std::vector<BucketCopy> result;
  const auto blocks = static_cast<std::uint32_t>(grid.nodes.size());
  for (std::uint32_t copy = 0; copy < copies; ++copy) result.emplace_back(grid, copy, blocks * copy);
  return result;
}

std::vector<Node> bits_of_numbers(Node nodes) {
  std::vector<Node> result;
  for (Node bit = 1; bit < nodes; bit *= 2) result.push_back(bit);
  return result;
}

}  // namespace

RingGrid torus_grid(const Network& network) {
  const std::vector<network::TorusAxis> axes = *torus_axes(network);
  RingGrid result;
  for (const network::TorusAxis& axis : axes) result.extents.push_back(axis.extent);
  result.nodes.resize(network.order());
  std::iota(result.nodes.begin(), result.nodes.end(), Node{0});
  return result;
}

RingGrid cycle_grid(const Network& network) {
  return {{network.order()}, graph::hamiltonian_cycle(network)};
}

OverlaidSchedule bucket(const Network& network, const RingGrid& grid, std::uint32_t copies,
                        schedule::PortModel ports) {
  ExchangeWriter writer(network, network.order() * copies);
  const std::vector<BucketCopy> running = bucket_copies(grid, copies);
  const std::size_t legs = running.front().legs();
  for (std::size_t round = 0; round < 2 * legs; ++round) {
    for (const BucketCopy& copy : running) {
      const Receipt receipt = round < legs ? Receipt::added : Receipt::complete;
      const auto send = [&](Node from, Node to, Node owner) {
        writer.send(from, to, copy.part(owner), receipt);
      };
      round < legs ? copy.reduce(round, send) : copy.gather(round - legs, send);
    }
    writer.close_round();
  }
  return std::move(writer).finish(ports);
}

OverlaidSchedule bucket_allgather(const Network& network, const RingGrid& grid, std::uint32_t copies,
                                  schedule::PortModel ports) {
  CopyWriter writer(network, network.order() * copies);
  const std::vector<BucketCopy> running = bucket_copies(grid, copies);
  for (schedule::PacketId packet = 0; packet < network.order() * copies; ++packet)
    writer.own(packet / copies, packet);
  for (std::size_t round = 0; round < running.front().legs(); ++round) {
    for (std::uint32_t i = 0; i < copies; ++i) {
      running[i].gather(round, [&](Node from, Node to, Node owner) {
        writer.copy(from, to, grid.nodes[owner] * copies + i);
      });
    }
    writer.close_round();
  }
  return writer.finish(schedule::packets_to_all(network.order(), copies), ports, copies);
}

OverlaidSchedule binomial_reduce_and_broadcast(const Network& network, schedule::PortModel ports) {
  ExchangeWriter writer(network, 1);
  std::vector<Node> bits = bits_of_numbers(network.order());
  for (const Node bit : bits) {
    for (Node node = bit; node < network.order(); node += 2 * bit)
      writer.send(node, node - bit, 0, Receipt::added);
    writer.close_round();
  }
  std::ranges::reverse(bits);
  for (const Node bit : bits) {
    for (Node node = bit; node < network.order(); node += 2 * bit)
      writer.send(node - bit, node, 0, Receipt::complete);
    writer.close_round();
  }
  return std::move(writer).finish(ports);
}

OverlaidSchedule binomial_broadcast(const Network& network, Node root, schedule::PortModel ports) {
  CopyWriter writer(network, 1);
  writer.own(root, 0);
  std::vector<Node> bits = bits_of_numbers(network.order());
  std::ranges::reverse(bits);
  const network::Group& group = network.group();
  for (const Node bit : bits) {
    for (Node number = bit; number < network.order(); number += 2 * bit)
      writer.copy(group.add(root, number - bit), group.add(root, number), 0);
    writer.close_round();
  }
  return writer.finish({}, ports, 1);
}

}  // namespace isotrope::algorithm
