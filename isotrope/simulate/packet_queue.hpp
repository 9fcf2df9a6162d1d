// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that wait at a node, known by their relative destinations (destination - node, never 0). One class per
// order, with the same operations:
//
//     push(packet)                   adds a packet
//     mix(random)                    shuffles the packets pushed so far, which came together
//     offer(random, take, done)      offers packets to take(packet) one after the other, until done(), and removes
//                                    those for which take was true; returns whether all were offered
//
// Memory: 4 bytes per packet, and as much again while the array grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <span>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/network.hpp"

namespace isotrope::simulate {

using network::Node;

/// The place of a packet just taken.
inline constexpr Node gone = 0;

/// Offers packets cyclically from a random one on: each is equally likely to be the first, second, ... A random draw
/// per packet would miss the cache each time. Cost: O(1) per packet offered.
class RandomQueue {
 public:
  explicit RandomQueue(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : packets_(memory) {}

  bool empty() const { return packets_.empty(); }
  void reserve(std::size_t packets) { packets_.reserve(packets); }
  void push(Node packet) { packets_.push_back(packet); }
  void mix(SplitMix& random) { shuffle(std::span(packets_), random); }

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
  // Offers packets from `first` on and returns the index where it stopped.
  template <class Take, class Done>
  std::size_t ask(std::size_t first, std::size_t end, Take& take, Done& done) {
    for (; first < end && !done(); ++first) {
      if (take(packets_[first])) packets_[first] = gone;
    }
    return first;
  }

  // Fills gaps with packets from the end of the array. @pre there is no gap behind `end`.
  void fill_gaps(std::size_t first, std::size_t end) {
    while (end-- > first) {
      if (packets_[end] != gone) continue;
      packets_[end] = packets_.back();
      packets_.pop_back();
    }
  }

  std::pmr::vector<Node> packets_;
};

/// Offers packets in order of arrival. Cost: O(1) per packet offered, amortised.
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
  void mix(SplitMix& random) { shuffle(std::span(packets_), random); }

  // Packets offered and left move up to the first one not offered, so no gap remains.
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
  std::size_t first_ = 0;  // all before it are gone
};

}  // namespace isotrope::simulate
