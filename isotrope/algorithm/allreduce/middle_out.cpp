// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/middle_out.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/allreduce/port_loads.hpp"
#include "isotrope/algorithm/allreduce/sum_slice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Node;
using schedule::Port;
using schedule::ValueId;
using Values = std::vector<ValueId>;

}  // namespace

// The steps of all lines along one axis.
struct MiddleOut::Phase {
  enum class Kind { reduce, join, spread };

  Kind kind;
  std::size_t place;  // of the axis in the order

  const ClusteredRing::Steps& steps(const std::vector<Line>& lines) const {
    const ClusteredRing& ring = lines[place].ring;
    return kind == Kind::reduce ? ring.reduce() : kind == Kind::join ? ring.join() : ring.spread();
  }
  // Whether lines of this phase pass through the hubs of another axis only.
  bool is_limited_by(std::size_t other) const { return kind == Kind::join || other < place; }
  std::uint64_t line_count(const std::vector<Line>& lines) const {
    std::uint64_t result = 1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const ClusteredRing& ring = lines[i].ring;
      if (i != place) result *= is_limited_by(i) ? ring.hubs().size() : ring.extent();
    }
    return result;
  }
  // The nodes with coordinate 0 on this axis, one a line.
  std::vector<Node> line_begins(const std::vector<Line>& lines) const {
    std::vector<Node> result{0};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == place) continue;
      std::vector<Coordinate> all(lines[i].ring.extent());
      std::iota(all.begin(), all.end(), Coordinate{0});
      const std::vector<Coordinate>& taken = is_limited_by(i) ? lines[i].ring.hubs() : all;
      std::vector<Node> more;
      for (const Node node : result) {
        for (const Coordinate c : taken) more.push_back(node + c * lines[i].stride);
      }
      result = std::move(more);
    }
    return result;
  }
};

// Runs the phases of a slice that is not translated.
struct MiddleOut::Slice {
  explicit Slice(const network::Network& network) : slice(network) {}

  void run(const std::vector<Line>& lines, const Phase& phase) {
    const std::vector<Node> begins = phase.line_begins(lines);
    const Line& line = lines[phase.place];
    if (phase.kind == Phase::Kind::spread) return spread(line, begins);
    for (const auto& step : phase.steps(lines)) {
      std::vector<std::pair<Node, ValueId>> arrivals;
      for (const Node begin : begins) {
        for (const ClusteredRing::Send& send : step) {
          const Node from = begin + send.from * line.stride;
          const auto [to, value] = add_hop(line, begin, send, slice.own[from]);
          arrivals.emplace_back(to, value);
        }
      }
      for (const auto& [to, value] : arrivals) slice.own[to].push_back(value);
      slice.close_round();
    }
  }

  // Every node keeps the sums of the clusters of its line apart until it has them all.
  void spread(const Line& line, const std::vector<Node>& begins) {
    const ClusteredRing& ring = line.ring;
    const std::size_t clusters = ring.clusters(), held_by_line = clusters * ring.extent();
    std::vector<Values> held(begins.size() * held_by_line);
    const auto held_at = [&](std::size_t number, Coordinate c, std::size_t cluster) -> Values& {
      return held[number * held_by_line + c * clusters + cluster];
    };
    for (std::size_t l = 0; l < begins.size(); ++l) {
      for (const Coordinate hub : ring.hubs())
        held_at(l, hub, ring.cluster_of(hub)) = slice.own[begins[l] + hub * line.stride];
    }
    for (const auto& step : ring.spread()) {
      for (std::size_t l = 0; l < begins.size(); ++l) {
        for (const ClusteredRing::Send& send : step) {
          const auto [to, value] = add_hop(line, begins[l], send, held_at(l, send.from, send.cluster));
          held_at(l, (to - begins[l]) / line.stride, send.cluster) = {value};
        }
      }
      slice.close_round();
    }
    for (std::size_t l = 0; l < begins.size(); ++l) {
      for (Coordinate c = 0; c < ring.extent(); ++c) {
        Values& all = slice.own[begins[l] + c * line.stride];
        all.clear();
        for (std::size_t k = 0; k < clusters; ++k)
          all.insert(all.end(), held_at(l, c, k).begin(), held_at(l, c, k).end());
        std::ranges::sort(all);
      }
    }
  }

  // Returns the receiver, and the number of the value there.
  std::pair<Node, ValueId> add_hop(const Line& line, Node begin, const ClusteredRing::Send& send,
                                   const Values& values) {
    const Coordinate extent = line.ring.extent(), step = send.upwards ? 1 : extent - 1;
    const Node to = begin + (send.from + step) % extent * line.stride;
    const Port port = send.upwards ? line.forward : line.backward;
    return {to, slice.send(begin + send.from * line.stride, port, values)};
  }

  SumSlice slice;
};

MiddleOut::MiddleOut(const network::Network& network, const MiddleOutCut& cut) : network_(network) {
  const auto axes = *network::torus_axes(network);
  const bool alike =
      std::ranges::all_of(axes, [&](const auto& axis) { return axis.extent == axes.front().extent; });
  const std::size_t count = cut.order.size();
  for (std::size_t turn = 0; turn < count; ++turn) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < count; ++i) {
      const MiddleOutCut::Axis& turned = cut.order[(i + turn) % count];
      const network::TorusAxis& axis = axes[turned.axis];
      const AxisClusters& clusters = alike ? cut.order[i].clusters : turned.clusters;
      lines.push_back({ClusteredRing(axis.extent, clusters), axis.forward, axis.backward,
                       network.generators()[axis.forward]});
    }
    orders_.push_back(std::move(lines));
  }
  mirrored_ =
      !std::ranges::all_of(orders_.front(), [](const Line& line) { return line.ring.is_symmetric(); });
}

std::uint64_t MiddleOut::translations() const {
  std::uint64_t result = 1;
  for (const Line& line : orders_.front()) result *= line.ring.translations();
  return result;
}

std::uint64_t MiddleOut::slices() const {
  return translations() * orders_.size() * (mirrored_ ? 2 : 1);
}

std::uint64_t MiddleOut::rounds() const {
  std::uint64_t result = 0;
  for (const Line& line : orders_.front()) result += line.ring.steps();
  return result;
}

std::vector<MiddleOut::Phase> MiddleOut::phases(const std::vector<Line>& lines) const {
  std::vector<Phase> result;
  for (std::size_t i = 0; i < lines.size(); ++i) result.push_back({Phase::Kind::reduce, i});
  for (std::size_t i = 0; i < lines.size(); ++i) result.push_back({Phase::Kind::join, i});
  for (std::size_t i = lines.size(); i-- > 0;) result.push_back({Phase::Kind::spread, i});
  return result;
}

// By translation every node of the network sends alike: the hops of one slice, divided by the nodes.
std::vector<cost::RoundLoad> MiddleOut::loads() const {
  const Port degree = network_.degree();
  PortLoads sends(rounds() * degree, 0);
  for (const std::vector<Line>& lines : orders_) {
    std::size_t round = 0;
    for (const Phase& phase : phases(lines)) {
      const std::uint64_t count = phase.line_count(lines);
      const Line& line = lines[phase.place];
      for (const auto& step : phase.steps(lines)) {
        for (const ClusteredRing::Send& send : step) {
          sends[round * degree + (send.upwards ? line.forward : line.backward)] += count;
          if (mirrored_) sends[round * degree + (send.upwards ? line.backward : line.forward)] += count;
        }
        ++round;
      }
    }
  }
  for (std::uint64_t& hops : sends) hops = hops * translations() / network_.order();
  return round_loads(sends, degree);
}

std::uint64_t MiddleOut::hops() const {
  std::uint64_t result = 0;
  for (const cost::RoundLoad& load : loads()) result += load.sent;
  return result * network_.order();
}

schedule::Schedule MiddleOut::schedule() const {
  SliceStage stage(network_, rounds());
  std::vector<NetworkImage> images{NetworkImage::identity(network_)};
  if (mirrored_) images.push_back(NetworkImage::negation(network_));
  for (const std::vector<Line>& lines : orders_) {
    Slice slice(network_);
    for (const Phase& phase : phases(lines)) slice.run(lines, phase);
    std::vector<Node> offsets{0};
    for (const Line& line : lines) {
      std::vector<Node> more;
      for (const Node offset : offsets) {
        for (Coordinate c = 0; c < line.ring.translations(); ++c) more.push_back(offset + c * line.stride);
      }
      offsets = std::move(more);
    }
    for (const NetworkImage& image : images) {
      for (const Node offset : offsets) stage.add(slice.slice, image, offset);
    }
  }
  return stage.finish();
}

namespace {

// The cuts of a ring that are worth a try: equal clusters, clusters of up to 5 nodes, and one or two with single hubs.
std::vector<AxisClusters> cuts_of(Coordinate extent) {
  constexpr Coordinate most_nodes = 5, most_single = 2;
  constexpr std::uint64_t most_sends = 1 << 16;  // in a step of spreading, all steps together
  std::set<Coordinate> counts;
  for (Coordinate count = 1; count <= extent; ++count) {
    if (extent % count == 0) counts.insert(count);
  }
  for (Coordinate nodes = 2; nodes <= std::min(extent, most_nodes); ++nodes)
    counts.insert((extent - 1) / nodes + 1);
  std::vector<AxisClusters> result;
  for (const Coordinate count : counts) {
    if (std::uint64_t{count} * extent > most_sends) continue;
    result.push_back({count, false});
    const bool has_even = extent / count % 2 == 0 || (extent % count != 0 && (extent / count + 1) % 2 == 0);
    if (count <= most_single && has_even) result.push_back({count, true});
  }
  return result;
}

// Nodes per hub: axes with many of them come first, so that few lines are left for the others.
double nodes_per_hub(Coordinate extent, const AxisClusters& clusters) {
  return static_cast<double>(extent) / static_cast<double>(ClusteredRing(extent, clusters).hubs().size());
}

// All cuts of all axes; of axes of one extent, whose cuts change places without effect, one choice of each.
std::vector<MiddleOutCut> all_cuts(const std::vector<network::TorusAxis>& axes) {
  std::vector<MiddleOutCut> result{{}};
  std::map<Coordinate, std::vector<AxisClusters>> by_extent;
  for (std::uint32_t a = 0; a < axes.size(); ++a) {
    const Coordinate extent = axes[a].extent;
    const auto found = by_extent.try_emplace(extent, cuts_of(extent)).first;
    const std::vector<AxisClusters>& cuts = found->second;
    std::vector<MiddleOutCut> more;
    for (const MiddleOutCut& cut : result) {
      const auto same = std::ranges::find_if(
          cut.order.rbegin(), cut.order.rend(),
          [&](const MiddleOutCut::Axis& axis) { return axes[axis.axis].extent == extent; });
      const auto from = same == cut.order.rend() ? cuts.begin() : std::ranges::find(cuts, same->clusters);
      for (auto next = from; next != cuts.end(); ++next) {
        more.push_back(cut);
        more.back().order.push_back({a, *next});
      }
    }
    result = std::move(more);
  }
  for (MiddleOutCut& cut : result) {
    std::ranges::stable_sort(cut.order, std::greater(), [&](const MiddleOutCut::Axis& axis) {
      return nodes_per_hub(axes[axis.axis].extent, axis.clusters);
    });
  }
  return result;
}

}  // namespace

std::string in_words(const MiddleOutCut& cut) {
  std::string result = "clusters";
  for (const MiddleOutCut::Axis& axis : cut.order) {
    result += fmt::format("{} {}{}", axis == cut.order.front() ? "" : ",", axis.clusters.clusters,
                          axis.clusters.single_hub ? " single" : "");
  }
  return result;
}

std::vector<MiddleOutCut> middle_out_cuts(const network::Network& network, std::uint64_t most_hops) {
  struct Best {
    std::uint64_t rounds;
    double busiest;  // link, in vectors
    MiddleOutCut cut;
  };
  std::vector<Best> found;
  for (MiddleOutCut& cut : all_cuts(*network::torus_axes(network))) {
    const MiddleOut plan(network, cut);
    if (plan.hops() > most_hops || plan.slices() * network.order() > most_hops) continue;
    std::uint64_t busiest = 0;
    for (const cost::RoundLoad& load : plan.loads()) busiest += load.packets;
    found.push_back(
        {plan.rounds(), static_cast<double>(busiest) / static_cast<double>(plan.slices()), std::move(cut)});
  }
  // More rounds are worth a try if links carry less.
  std::ranges::stable_sort(found, [](const Best& a, const Best& b) {
    return std::pair(a.rounds, a.busiest) < std::pair(b.rounds, b.busiest);
  });
  std::vector<MiddleOutCut> result;
  std::optional<double> least;
  for (Best& best : found) {
    if (least && best.busiest >= *least) continue;
    least = best.busiest;
    result.push_back(std::move(best.cut));
  }
  return result;
}

}  // namespace isotrope::algorithm
