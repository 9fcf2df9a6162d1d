// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Times of messages that the nodes of a network exchange with neighbours, all at once: what isotrope calibrate measures.
//
// Convention: rank i of the communicator is the i-th node that has not failed. Only links that carry have messages, so a network may have
// open axes, failures and listed links. A port is measured if the caller names it.
//
//     over one link      every node sends over one link and receives over one, as far as that is possible: along the port with the most
//                        links, then over any others
//     over all links     every node sends over all of its links and receives over all
//     to the farthest    pairs of nodes as far apart as any, each node in one pair at most
//
// A time is the median over nine batches of calls, each on the slowest rank.
//
// Pieces. An MPI library announces a long message and waits for an answer, which may queue behind other long messages. Pieces that it
// sends without an answer avoid that: all sizes take turns in three batches, and are compared by the medians of their ratios.
#pragma once

#include <cstdint>
#include <functional>
#include <mpi.h>
#include <span>
#include <vector>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::app {

/// Whom a rank sends a message to, and receives one from, at once.
struct Partners {
  std::vector<int> to, from;
};

class NeighbourTimes {
 public:
  using Ports = std::function<bool(network::Port)>;
  static constexpr std::uint64_t small_bytes = 8, medium_bytes = std::uint64_t{64} << 10,
                                 large_bytes = std::uint64_t{512} << 10;

  /// All ranks of `comm` must make it, and call its functions, together.
  NeighbourTimes(MPI_Comm comm, const network::NamedNetwork& nodes);

  /// Whether there is a link along one of the ports.
  bool has_links(const Ports& ports) const { return most_links(ports) > 0; }
  /// The most such links of a node.
  network::Port most_links(const Ports& ports) const;
  /// The most links between two nodes.
  std::uint32_t diameter() const { return diameter_; }

  Partners over_one_link(const Ports& ports) const;
  Partners over_all_links(const Ports& ports) const;
  Partners farthest() const;

  /// Seconds until messages of so many bytes have been exchanged with the partners.
  double time(const Partners& partners, std::uint64_t bytes);
  /// Seconds that each further byte of the messages adds.
  double byte_time(const Partners& partners);
  /// The most bytes of a message, of 8 to 64 KiB, if long messages take less time in such pieces when the nodes exchange them
  /// with partners of each of these ways; 0 if they save less than 15 %.
  std::uint64_t best_piece(std::span<const Partners> ways);
  /// The largest ratio so far of a time to the shortest call that it is the median of.
  double spread() const { return spread_; }

 private:
  int rank_of(network::Node node) const;
  void find_farthest();
  void exchange(const Partners& partners, std::uint64_t bytes, std::uint64_t piece = large_bytes);

  MPI_Comm comm_;
  network::SurvivingNetwork network_;
  network::Node own_;
  std::uint32_t diameter_ = 0;
  int farthest_ = -1;  // the partner of this rank; -1: none
  double spread_ = 1;
  std::vector<char> send_, receive_;
  std::vector<MPI_Request> requests_;
};

}  // namespace isotrope::app
