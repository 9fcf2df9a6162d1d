// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/unequal_blocks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/bound/price_search.hpp"

namespace isotrope::bound {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::SizedBlock;

void raise_to(LinkBytes& bound, double link_bytes, const std::function<std::string()>& reason) {
  if (link_bytes > bound.link_bytes) bound = {link_bytes, reason()};
}

// Values between the coordinates of an axis: what goes from one to another.
using Matrix = std::vector<std::vector<double>>;

// How many directed links lead from one coordinate to another.
Matrix links_between(const SurvivingNetwork& network, const std::vector<Node>& coordinate, Node extent) {
  Matrix result(extent, std::vector<double>(extent, 0));
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(
        node, [&](Port, Node neighbour) { ++result[coordinate[node]][coordinate[neighbour]]; });
  }
  return result;
}

// The sum of what goes from an interval to the outside, for all intervals from `first` on, one coordinate longer each time.
class GrowingInterval {
 public:
  explicit GrowingInterval(const Matrix& between) : between_(between), inside_(between.size(), false) {}

  double out() const { return out_; }
  void take(std::size_t coordinate) {
    for (std::size_t other = 0; other < between_.size(); ++other) {
      if (other == coordinate) continue;
      if (inside_[other]) {
        out_ -= between_[other][coordinate];
      } else {
        out_ += between_[coordinate][other];
      }
    }
    inside_[coordinate] = true;
  }

 private:
  const Matrix& between_;
  std::vector<bool> inside_;
  double out_ = 0;
};

// Calls visit(axis, coordinates of all nodes, extent) for every axis of two coordinates or more.
template <class Visit>
void for_each_axis(const SurvivingNetwork& network, const Visit& visit) {
  const auto moduli = network.whole().group().moduli();
  constexpr Node longest = 512;
  for (std::size_t axis = 0; axis < moduli.size(); ++axis) {
    if (moduli[axis] < 2 || moduli[axis] > longest) continue;
    std::vector<Node> coordinate(network.whole().order());
    for (Node node = 0; node < coordinate.size(); ++node)
      coordinate[node] = network.whole().group().coordinate(node, axis);
    visit(axis, coordinate, static_cast<std::size_t>(moduli[axis]));
  }
}

// All intervals but the whole axis: visit(first, length, links out, load).
template <class Take, class Visit>
void for_each_interval(const Matrix& links, const Take& take, const Visit& visit) {
  const std::size_t extent = links.size();
  for (std::size_t first = 0; first < extent; ++first) {
    GrowingInterval capacity(links);
    auto load = take();
    for (std::size_t length = 1; length < extent; ++length) {
      const std::size_t next = (first + length - 1) % extent;
      capacity.take(next);
      load.take(next);
      if (capacity.out() > 0) visit(first, length, capacity.out(), load);
    }
  }
}

std::string interval_text(std::size_t axis, std::size_t first, std::size_t length) {
  return fmt::format("{} coordinate{} from {} of axis {}", length, length == 1 ? "" : "s", first, axis);
}

// The blocks outside a growing interval.
class BlocksOutside {
 public:
  BlocksOutside(const std::vector<double>& at, double all) : at_(at), outside_(all) {}
  double outside() const { return outside_; }
  void take(std::size_t coordinate) { outside_ -= at_[coordinate]; }

 private:
  const std::vector<double>& at_;
  double outside_;
};

// In whole units of bytes, so few that what they pay fits 64 bits.
struct BytesInUnits {
  std::uint64_t unit;
  std::vector<Sender> senders;
};

BytesInUnits in_units(std::span<const SizedBlock> blocks) {
  constexpr std::uint64_t most_units = std::uint64_t{1} << 36;
  std::uint64_t all = 0;
  for (const SizedBlock& block : blocks) all += block.bytes;
  BytesInUnits result{all / most_units + 1, {}};
  for (const auto [from, to, bytes] : blocks) {
    if (from == to || bytes < result.unit) continue;
    if (result.senders.empty() || result.senders.back().from != from) result.senders.push_back({from, {}});
    result.senders.back().packets.emplace_back(to, bytes / result.unit);
  }
  return result;
}

// Bytes pay for every link that they use, and a byte of every link is what all of them cost together.
void raise_by_prices(const SurvivingNetwork& network, std::span<const SizedBlock> blocks, LinkBytes& bound) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 22, most_trials = 1600;
  const schedule::Problem problem{.network = network.whole(),
                                  .failed = network.failures(),
                                  .task = {.collective = schedule::Collective::task}};
  BytesInUnits bytes = in_units(blocks);
  search_prices(
      GraphView(problem), std::move(bytes.senders), most_links, most_trials, [&](const Payment& payment) {
        const double units = static_cast<double>(payment.paid) / static_cast<double>(payment.income);
        raise_to(bound, units * static_cast<double>(bytes.unit),
                 [] { return std::string("prices of links"); });
      });
}

}  // namespace

LinkBytes exchange_bound(const SurvivingNetwork& network, std::span<const SizedBlock> blocks) {
  LinkBytes result;
  if (network.links() == 0) return result;
  std::vector<double> out(network.whole().order(), 0), in(out.size(), 0);
  std::vector<std::uint32_t> distances;  // from `sender`
  std::optional<Node> sender;
  double travelled = 0;
  for (const auto [from, to, bytes] : blocks) {
    if (from == to) continue;
    if (sender != from) distances = network.distances(from);
    sender = from;
    const auto size = static_cast<double>(bytes);
    out[from] += size;
    in[to] += size;
    travelled += size * distances[to];
  }
  for (const Node node : network.nodes())
    raise_to(result, out[node] / network.degree(node), [&] { return fmt::format("node {} sends", node); });
  for (const Node node : network.nodes())
    raise_to(result, in[node] / network.degree(node), [&] { return fmt::format("node {} receives", node); });
  raise_to(result, travelled / (2 * static_cast<double>(network.links())),
           [] { return std::string("distances"); });
  for_each_axis(network, [&](std::size_t axis, const std::vector<Node>& coordinate, std::size_t extent) {
    Matrix load(extent, std::vector<double>(extent, 0));
    for (const auto [from, to, bytes] : blocks)
      load[coordinate[from]][coordinate[to]] += from == to ? 0 : static_cast<double>(bytes);
    const Matrix links = links_between(network, coordinate, static_cast<Node>(extent));
    for_each_interval(
        links, [&] { return GrowingInterval(load); },
        [&](std::size_t first, std::size_t length, double capacity, const GrowingInterval& interval) {
          raise_to(result, interval.out() / capacity,
                   [&] { return "bytes leave " + interval_text(axis, first, length); });
        });
  });
  raise_by_prices(network, blocks, result);
  return result;
}

LinkBytes exchange_bound(const SurvivingNetwork& network,
                         const std::vector<std::vector<std::uint64_t>>& bytes) {
  std::vector<SizedBlock> blocks;
  for (Node from = 0; from < bytes.size(); ++from) {
    for (Node to = 0; to < bytes.size(); ++to) {
      if (bytes[from][to] > 0) blocks.push_back({from, to, bytes[from][to]});
    }
  }
  return exchange_bound(network, blocks);
}

LinkBytes gathering_bound(const SurvivingNetwork& network, std::span<const std::uint64_t> bytes) {
  LinkBytes result;
  if (network.links() == 0) return result;
  double all = 0;
  for (const std::uint64_t size : bytes) all += static_cast<double>(size);
  for (const Node node : network.nodes()) {
    raise_to(result, (all - static_cast<double>(bytes[node])) / network.degree(node),
             [&] { return fmt::format("node {} receives", node); });
  }
  for_each_axis(network, [&](std::size_t axis, const std::vector<Node>& coordinate, std::size_t extent) {
    std::vector<double> at(extent, 0);
    for (Node node = 0; node < bytes.size(); ++node) at[coordinate[node]] += static_cast<double>(bytes[node]);
    // Links lead both ways, so as many enter as leave.
    const Matrix links = links_between(network, coordinate, static_cast<Node>(extent));
    for_each_interval(
        links, [&] { return BlocksOutside(at, all); },
        [&](std::size_t first, std::size_t length, double capacity, const BlocksOutside& interval) {
          raise_to(result, interval.outside() / capacity,
                   [&] { return "bytes enter " + interval_text(axis, first, length); });
        });
  });
  return result;
}

}  // namespace isotrope::bound
