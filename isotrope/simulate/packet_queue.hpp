// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that wait at a node, known by their relative destinations (destination - node, never 0). One class
// an order, with the same operations:
//
//     push(packet)                   it has come
//     mix(random)                    packets pushed so far have come together, in no order
//     offer(random, take, done)      asks take(packet) of one after the other, until done() or all have been
//                                    asked, which it returns; those for which take was true are gone
//
// Memory: 4 bytes a packet, and as much again while the array grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/simulate/split_mix.hpp"

namespace isotrope::simulate {

using network::Node;

/// In place of a packet that has just been taken.
inline constexpr Node gone = 0;

/// Puts packets in a random order.
inline void shuffle(std::pmr::vector<Node>& packets, SplitMix& random) {
  for (auto left = static_cast<std::uint32_t>(packets.size()); left > 1; --left) {
    std::swap(packets[left - 1], packets[random.below(left)]);
  }
}

/// From a random packet on, round the queue: each is as likely to be asked first, second, ... Drawing every
/// packet by itself would miss the cache each time. Cost: O(1) a packet asked.
class RandomQueue {
 public:
  explicit RandomQueue(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : packets_(memory) {}

  bool empty() const { return packets_.empty(); }
  void reserve(std::size_t packets) { packets_.reserve(packets); }
  void push(Node packet) { packets_.push_back(packet); }
  void mix(SplitMix& random) { shuffle(packets_, random); }

  template <class Take, class Done>
  bool offer(SplitMix& random, Take take, Done done) {
    if (packets_.empty()) return true;
    const std::size_t start = random.below(static_cast<std::uint32_t>(packets_.size()));
    const std::size_t end = ask(start, packets_.size(), take, done);
    const std::size_t wrapped = end == packets_.size() ? ask(0, start, take, done) : 0;
    const bool all = wrapped == start && end == packets_.size();
    fill_gaps(start, end);
    fill_gaps(0, wrapped);
    return all;
  }

 private:
  // Asks from `first` on and returns where it has stopped.
  template <class Take, class Done>
  std::size_t ask(std::size_t first, std::size_t end, Take& take, Done& done) {
    for (; first < end && !done(); ++first) {
      if (take(packets_[first])) packets_[first] = gone;
    }
    return first;
  }

  // With packets from the end of the array. @pre there is no gap behind `end`.
  void fill_gaps(std::size_t first, std::size_t end) {
    while (end-- > first) {
      if (packets_[end] != gone) continue;
      packets_[end] = packets_.back();
      packets_.pop_back();
    }
  }

  std::pmr::vector<Node> packets_;
};

/// In the order in which they came. Cost: O(1) a packet asked, amortised.
class ArrivalQueue {
 public:
  explicit ArrivalQueue(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : packets_(memory) {}

  bool empty() const { return first_ == packets_.size(); }
  void reserve(std::size_t packets) { packets_.reserve(packets); }
  void push(Node packet) {
    if (packets_.size() == packets_.capacity() && first_ > packets_.size() / 2) {
      packets_.erase(packets_.begin(), at(first_));
      first_ = 0;
    }
    packets_.push_back(packet);
  }
  void mix(SplitMix& random) { shuffle(packets_, random); }

  // Those asked and left are moved up to the first one not asked, so that no gap remains.
  template <class Take, class Done>
  bool offer(SplitMix& /*random*/, Take take, Done done) {
    std::size_t asked = first_;
    for (; asked < packets_.size() && !done(); ++asked) {
      if (take(packets_[asked])) packets_[asked] = gone;
    }
    const auto left =
        std::remove(std::make_reverse_iterator(at(asked)), std::make_reverse_iterator(at(first_)), gone);
    first_ = static_cast<std::size_t>(left.base() - packets_.begin());
    return asked == packets_.size();
  }

 private:
  std::pmr::vector<Node>::iterator at(std::size_t index) {
    return packets_.begin() + static_cast<std::ptrdiff_t>(index);
  }

  std::pmr::vector<Node> packets_;
  std::size_t first_ = 0;  // what stands before it has gone
};

}  // namespace isotrope::simulate
