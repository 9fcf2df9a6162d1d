// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithm/exchange/forwarding_rule.hpp"

#include <gtest/gtest.h>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

// What all nodes of a cube send in one round: [node][port].
using Sent = std::vector<std::vector<std::optional<PacketHeader>>>;

class Cube {
 public:
  explicit Cube(std::uint32_t dimension) : dimension_(dimension), order_(dimension) {
    for (Node self = 0; self < Node{1} << dimension; ++self) nodes_.emplace_back(order_, dimension, self);
  }

  Sent round() {
    Sent sent(nodes_.size());
    for (Node node = 0; node < nodes_.size(); ++node) {
      for (Port port = 0; port < dimension_; ++port) sent[node].push_back(nodes_[node].transmit(port));
    }
    for (Node node = 0; node < nodes_.size(); ++node) {
      for (Port port = 0; port < dimension_; ++port) {
        if (sent[node][port]) nodes_[node ^ (Node{1} << port)].receive(*sent[node][port]);
      }
    }
    return sent;
  }

 private:
  std::uint32_t dimension_;
  OwnPacketOrder order_;
  std::vector<ForwardingNode> nodes_;
};

TEST(ForwardingRule, does_what_the_schedule_says) {
  for (std::uint32_t d = 1; d <= 8; ++d) {
    Cube cube(d);
    const schedule::Schedule schedule = total_exchange(d, 1);
    const schedule::Rounds& rounds = schedule.stages[0].rounds;
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      const Sent sent = cube.round();
      for (const schedule::Hop& hop : rounds.round(t)) {
        for (Node g = 0; g < Node{1} << d; ++g) {
          const PacketHeader expected{g, g ^ hop.packet};
          ASSERT_EQ(sent[hop.from ^ g][hop.port], expected) << "d " << d << ", round " << t;
        }
      }
    }
    for (const auto& node : cube.round()) {
      for (const auto& packet : node) EXPECT_FALSE(packet) << "nothing is left to send";
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
