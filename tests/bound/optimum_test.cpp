// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// No bound exceeds the optimum: exhaustion of all schedules on networks of up to 8 nodes. A state is what every node
// knows, a bit a node and packet; a round is tried link by link, and states that know no more than others are left out.
#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"
#include "isotrope/network/torus.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "tests/bound/port_models.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Collective;
using schedule::PortModel;

using Knowledge = std::uint64_t;

// Every state that a round can end in.
class Exhaustion {
 public:
  /// `whole`: a message carries all that its sender knows; else one packet.
  Exhaustion(const Network& network, PortModel ports, std::uint32_t packets, bool whole,
             const network::Failures& lacks = {})
      : network_(network), graph_(network, lacks), ports_(ports), packets_(packets), whole_(whole) {}

  /// The rounds until all nodes know all.
  std::uint64_t rounds(Knowledge first) const {
    const Knowledge all = (Knowledge{1} << (network_.order() * packets_)) - 1;
    std::vector<Knowledge> states{first};
    for (std::uint64_t rounds = 0;; ++rounds) {
      if (std::ranges::find(states, all) != states.end()) return rounds;
      states = after_a_round(states);
    }
  }

 private:
  struct Half {  // a round up to some link
    Knowledge known;
    std::uint64_t sends, receipts;  // a hexadecimal digit a node

    auto operator<=>(const Half&) const = default;
  };

  Knowledge bits(Node node) const { return ((Knowledge{1} << packets_) - 1) << (node * packets_); }
  static std::uint64_t count(std::uint64_t digits, Node node) { return digits >> (4 * node) & 15; }

  bool may_use(const Half& half, Node from, Node to) const {
    if (ports_.half_duplex())
      return count(half.sends | half.receipts, from) == 0 && count(half.sends | half.receipts, to) == 0;
    const Port most = ports_.sends(network_.degree());
    return count(half.sends, from) < most && count(half.receipts, to) < most;
  }

  std::vector<Knowledge> after_a_round(const std::vector<Knowledge>& states) const {
    std::set<Knowledge> ends;
    for (const Knowledge known : states) {
      std::set<Half> halves{{known, 0, 0}};
      for (Node from = 0; from < network_.order(); ++from) {
        graph_.for_each_neighbour(from, [&](Port, Node to) { try_link(known, from, to, halves); });
      }
      for (const Half& half : halves) ends.insert(half.known);
    }
    return largest(ends);
  }

  void try_link(Knowledge known, Node from, Node to, std::set<Half>& halves) const {
    const Knowledge has = (known & bits(from)) >> (from * packets_), lacks = ~known >> (to * packets_);
    const Knowledge news = has & lacks & ((Knowledge{1} << packets_) - 1);
    std::vector<Half> more;
    for (const Half& half : halves) {
      if (news == 0 || !may_use(half, from, to)) continue;
      for (std::uint32_t packet = 0; packet < packets_; ++packet) {
        const Knowledge sent = whole_ ? news : news & Knowledge{1} << packet;
        if (sent == 0) continue;
        more.push_back({half.known | sent << (to * packets_), half.sends + (std::uint64_t{1} << (4 * from)),
                        half.receipts + (std::uint64_t{1} << (4 * to))});
        if (whole_) break;
      }
    }
    halves.insert(more.begin(), more.end());
  }

  static std::vector<Knowledge> largest(const std::set<Knowledge>& states) {
    std::vector<Knowledge> sorted(states.begin(), states.end()), result;
    std::ranges::stable_sort(sorted,
                             [](Knowledge a, Knowledge b) { return std::popcount(a) > std::popcount(b); });
    for (const Knowledge state : sorted) {
      const auto knows_more = [&](Knowledge other) { return (state & ~other) == 0; };
      if (std::ranges::none_of(result, knows_more)) result.push_back(state);
    }
    return result;
  }

  const Network& network_;
  network::SurvivingNetwork graph_;
  PortModel ports_;
  std::uint32_t packets_;
  bool whole_;
};

std::uint64_t bound_on(const Network& network, Collective collective, PortModel ports, std::uint32_t parts,
                       std::uint64_t aggregation) {
  return lower_bounds({.network = network,
                       .task = {.collective = collective, .parts = parts},
                       .ports = ports,
                       .aggregation = aggregation})
      .front()
      .value;
}

struct Sample {
  const char* network;
  std::uint32_t most_parts;
};

TEST(Optimum, of_broadcast_is_not_below_the_bound) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  int met = 0, tried = 0;
  for (const auto& [name, most_parts] :
       {Sample{"ring:3", 5},          Sample{"ring:4", 4},       Sample{"ring:5", 3},
        Sample{"ring:6", 3},          Sample{"ring:7", 2},       Sample{"ring:8", 2},
        Sample{"complete:4", 4},      Sample{"complete:5", 2},   Sample{"complete:6", 2},
        Sample{"complete:7", 1},      Sample{"complete:8", 1},   Sample{"torus:2x3", 3},
        Sample{"hypercube:3", 2},     Sample{"torus:2x4", 2},    Sample{"circulant:7:1,2", 2},
        Sample{"circulant:8:1,3", 2}, Sample{"hexmesh:2", 1},    Sample{"ring:3@2", 5},
        Sample{"torus:2x2@2,1", 4},   Sample{"complete:3@3", 4}, Sample{"torus:2x3@3,1", 2}}) {
    const Network network = network::parse(name);
    for (const PortModel ports : port_models(network)) {
      for (std::uint32_t parts = 1; parts <= most_parts; ++parts) {
        const Knowledge first = (Knowledge{1} << parts) - 1;
        const std::uint64_t optimum = Exhaustion(network, ports, parts, false).rounds(first);
        const std::uint64_t bound = bound_on(network, Collective::broadcast, ports, parts, 1);
        EXPECT_LE(bound, optimum) << name << ", " << to_string(ports) << ", " << parts << " parts";
        met += bound == optimum ? 1 : 0;
        ++tried;
      }
    }
  }
  EXPECT_GE(met * 10, tried * 9) << met << " of " << tried;
}

// From every root.
TEST(Optimum, of_broadcast_where_axes_are_open_is_not_below_the_bound) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  int met = 0, tried = 0;
  for (const auto& [name, most_parts] :
       {Sample{"line:3", 5}, Sample{"line:5", 3}, Sample{"mesh:2x3", 3}, Sample{"mesh:2x4", 2},
        Sample{"line:3xring:3", 1}, Sample{"line:4@2", 4}, Sample{"line:3xring:2@3", 2}}) {
    const auto [network, lacks] = network::parse_named(name);
    for (Node root = 0; root < network.order(); ++root) {
      for (std::uint32_t parts = 1; parts <= most_parts; ++parts) {
        const Knowledge first = ((Knowledge{1} << parts) - 1) << (root * parts);
        const std::uint64_t optimum =
            Exhaustion(network, PortModel::all(), parts, false, lacks).rounds(first);
        const std::uint64_t bound =
            lower_bounds({.network = network,
                          .failed = lacks,
                          .task = {.collective = Collective::broadcast, .root = root, .parts = parts}})
                .front()
                .value;
        EXPECT_LE(bound, optimum) << name << " from " << root << ", " << parts << " parts";
        met += bound == optimum ? 1 : 0;
        ++tried;
      }
    }
  }
  EXPECT_GE(met * 10, tried * 9) << met << " of " << tried;
}

// Packet by packet, over links of which some are faster.
TEST(Optimum, of_allgather_over_unlike_links_is_not_below_the_bound) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  int met = 0, tried = 0;
  for (const char* name :
       {"ring:2@2", "ring:3@2", "torus:2x2@2,1", "torus:2x2@3,1", "ring:4@2", "line:3@2", "line:4@2"}) {
    const auto [network, lacks] = network::parse_named(name);
    Knowledge first = 0;
    for (Node node = 0; node < network.order(); ++node)
      first |= Knowledge{1} << (node * network.order() + node);
    const std::uint64_t optimum =
        Exhaustion(network, PortModel::all(), network.order(), false, lacks).rounds(first);
    for (const Collective collective : {Collective::allgather, Collective::reduce_scatter}) {
      const std::uint64_t bound =
          lower_bounds({.network = network, .failed = lacks, .task = {.collective = collective}})
              .front()
              .value;
      EXPECT_LE(bound, optimum) << name;
      met += bound == optimum ? 1 : 0;
      ++tried;
    }
  }
  EXPECT_GE(met * 10, tried * 8) << met << " of " << tried;
}

TEST(Optimum, of_gossip_is_not_below_the_bound) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  int met = 0, tried = 0;
  for (const char* name : {"ring:2", "ring:3", "ring:4", "ring:5", "ring:6", "complete:4", "torus:2x3"}) {
    const Network network = network::parse(name);
    Knowledge first = 0;
    for (Node node = 0; node < network.order(); ++node)
      first |= Knowledge{1} << (node * network.order() + node);
    for (const PortModel ports : port_models(network)) {
      const std::uint64_t optimum = Exhaustion(network, ports, network.order(), true).rounds(first);
      for (const Collective collective :
           {Collective::allgather, Collective::alltoall, Collective::allreduce}) {
        const std::uint64_t bound = bound_on(network, collective, ports, 1, schedule::unbounded);
        EXPECT_LE(bound, optimum) << name << ", " << to_string(ports);
        met += bound == optimum ? 1 : 0;
        ++tried;
      }
    }
  }
  EXPECT_GE(met * 10, tried * 6) << met << " of " << tried;
}

// The bound of fronts, proved in docs/bounds.md, is exact.
TEST(Optimum, of_gossip_on_rings_over_half_duplex_is_the_bound) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (Node nodes = 3; nodes <= 6; ++nodes) {
    const Network ring = network::ring(nodes);
    Knowledge first = 0;
    for (Node node = 0; node < nodes; ++node) first |= Knowledge{1} << (node * nodes + node);
    const std::uint64_t optimum = Exhaustion(ring, PortModel::half(), nodes, true).rounds(first);
    for (const Collective collective : {Collective::allgather, Collective::alltoall, Collective::barrier}) {
      EXPECT_EQ(bound_on(ring, collective, PortModel::half(), 1, schedule::unbounded), optimum) << nodes;
    }
  }
}

}  // namespace
}  // namespace isotrope::bound
