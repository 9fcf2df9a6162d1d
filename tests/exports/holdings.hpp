// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every node holds while the messages of a plan are sent and received in any order: the judge of the
// traces. It knows the plan's hops, written out by the checker, and no rank programs.
//
// A packet at a node is a set of contributions: of a copied or moved packet the origin's alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

using network::Node;

/// A message by its tag and its ends. The tag is the round, counted through all stages; if there are r links side by side, r
/// times the round plus the place of the link.
struct MessageName {
  std::uint64_t tag = 0;
  Node from = 0;
  Node to = 0;

  auto tied() const { return std::tie(tag, from, to); }
  bool operator<(const MessageName& other) const { return tied() < other.tied(); }
  bool operator==(const MessageName& other) const { return tied() == other.tied(); }
};

/// The most links side by side.
std::uint64_t most_copies(const network::Network& network);

/// Whether what every message carries is known as packets, which it is not if messages carry sums of several values.
bool has_packets(const schedule::Plan& plan);

/// Bytes of every message that has some, from the plan's hops.
std::map<MessageName, std::uint64_t> bytes_of_messages(const schedule::Plan& plan, std::uint64_t block_bytes);

/// Bytes that every node combines, from the plan's hops, and of an exchange from the programs of the nodes.
std::vector<std::uint64_t> bytes_combined(const schedule::Plan& plan, std::uint64_t block_bytes);

class Holdings {
 public:
  /// Of a plan on at most 64 nodes.
  explicit Holdings(const schedule::Plan& plan);

  /// The sender gives what it holds now to the message. "" or what it lacks.
  std::string send(const MessageName& message);
  /// The receiver takes it. "" or what came twice.
  std::string receive(const MessageName& message);
  /// "" where every destination holds what it must, else the first that does not.
  std::string missing() const;

 private:
  using Contributions = std::uint64_t;  // a bit a node
  struct Carried {
    std::size_t stage;
    schedule::PacketId packet;
    Contributions contributions;
  };

  Contributions& at(std::size_t stage, schedule::PacketId packet, Node node) {
    return held_[stage][std::size_t{packet} * plan_.network.order() + node];
  }
  Contributions at(std::size_t stage, schedule::PacketId packet, Node node) const {
    return held_[stage][std::size_t{packet} * plan_.network.order() + node];
  }
  Contributions everyone() const;
  void begin(std::size_t stage);
  bool has_result(Node node, std::uint32_t part) const;

  schedule::Plan plan_;  // written out
  std::vector<std::vector<Contributions>> held_;
  std::map<MessageName, std::vector<Carried>> hops_;  // contributions once sent
};

}  // namespace isotrope::exports
