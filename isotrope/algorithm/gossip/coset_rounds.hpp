// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a gossip between cosets (cosets.hpp), for a search that adds and removes them: under one port every
// coset sends at most one message a round and receives at most one, under half duplex it is in at most one. A message
// between cosets stands for one from every node of the sending coset, over the same port.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/algorithm/gossip/cosets.hpp"
#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

class CosetRounds {
 public:
  using Port16 = std::uint16_t;

  /// What a coset does in a round. Without a message the other coset is the coset itself.
  struct Part {
    Coset to, from;
    Port16 sends = silent, receives = silent;  ///< over which port of the sender

    static constexpr Port16 silent = UINT16_MAX;
    bool can_send(bool half_duplex) const { return sends == silent && (!half_duplex || receives == silent); }
    bool can_receive(bool half_duplex) const {
      return receives == silent && (!half_duplex || sends == silent);
    }
  };

  /// No messages. @pre fewer than 65535 ports.
  CosetRounds(const Network& network, const Cosets& cosets, bool half_duplex, std::uint32_t rounds);

  std::uint32_t count() const { return count_; }
  bool half_duplex() const { return half_duplex_; }
  const Part& part(std::uint32_t t, Coset coset) const { return parts_[t * cosets_.count() + coset]; }

  void add(std::uint32_t t, Coset sender, Port port) {
    const Coset receiver = cosets_.neighbour(sender, port);
    set(t, sender, receiver, receiver, sender, static_cast<Port16>(port));
  }
  void remove(std::uint32_t t, Coset sender) {
    const Coset receiver = part(t, sender).to;
    set(t, sender, receiver, sender, receiver, Part::silent);
  }

  /// Turns the order of the rounds and all messages around. What was a gossip still is one.
  void reverse();

  Gossip gossip() const;

 private:
  void set(std::uint32_t t, Coset sender, Coset receiver, Coset to, Coset from, Port16 port) {
    Part* round = parts_.data() + std::size_t{t} * cosets_.count();
    round[sender].to = to;
    round[sender].sends = port;
    round[receiver].from = from;
    round[receiver].receives = port;
  }

  const Network& network_;
  const Cosets& cosets_;
  bool half_duplex_;
  std::uint32_t count_;
  std::vector<Part> parts_;  // by round and coset
};

}  // namespace isotrope::algorithm
