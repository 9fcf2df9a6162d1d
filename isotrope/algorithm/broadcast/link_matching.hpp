// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of one round over one port: a heavy matching of those that could carry something.
//
//     full duplex    every node sends over one link and receives over one: a matching of senders and receivers
//     half duplex    every node sends or receives over one link: a matching of nodes
//
// Method: links in the order given, heaviest first, each if both ends are free; then, for every end left over, an
// alternating path of at most 40 steps to another free end. Paths in general graphs are searched without blossoms, so
// a matching of nodes is not always a largest one. Cost: O(links) a pass over the ends left over; passes go on as long as
// one finds a path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

using network::Node;
using network::Port;

/// A directed link, with the port of its sender.
struct DirectedLink {
  Node from, to;
  Port port;
};

/// All links of a whole network, by sender and then port.
std::vector<DirectedLink> all_links(const network::Network& network);

class LinkMatching {
 public:
  /// The links of a network of `nodes` nodes, which must outlive the matching; a number below names one of them.
  LinkMatching(std::span<const DirectedLink> links, Node nodes, bool half_duplex);

  /// The matching of `candidates`, numbers of links with the heaviest first, by receiver.
  /// @returns by node, the link over which it receives, or no_link; valid until the next call.
  std::span<const std::uint32_t> match(std::span<const std::uint32_t> candidates);

  static constexpr std::uint32_t no_link = UINT32_MAX;

 private:
  void match_senders_with_receivers(std::span<const std::uint32_t> candidates);
  void match_nodes(std::span<const std::uint32_t> candidates);
  template <class Find>
  void grow(const Find& find);
  bool find_sender(Node receiver, std::uint32_t depth);
  bool find_partner(Node node, std::uint32_t depth);
  Node other_end(std::uint32_t link, Node node) const;
  std::span<const std::uint32_t> listed(Node node) const {
    return {listed_.data() + list_begin_[node], listed_.data() + list_end_[node]};
  }

  std::span<const DirectedLink> links_;
  bool half_duplex_;
  std::vector<std::uint32_t> list_begin_, list_end_, listed_;  // candidates by end, heaviest first
  std::vector<std::uint32_t> sender_link_;                     // full duplex: by sender
  std::vector<std::uint32_t> link_;     // by receiver; half duplex: by node, sender or receiver
  std::vector<std::uint64_t> visited_;  // by node: the last pass that saw it
  std::uint64_t pass_ = 0;
};

}  // namespace isotrope::algorithm
