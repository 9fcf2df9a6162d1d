// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The places of packets at the nodes that they pass, flow by flow: for the programs of ranks (program.hpp) and for
// the moves between all nodes (moves.hpp).
//
//     copy       a packet stays at every node: in its unit of the output there
//     move       in its unit of the input at its origin, in its unit of the output at its destination, and
//                in a slot on its way
//     reduce     the node's own contribution lies in its unit of the input, a partial result in its home, a
//                unit of the output or of the buffer of partial results
//     reduce-then-copy     as in reduce; a copy of the result lies where a partial result would
//
// A place is a unit of the input, of the output or of the partial results, which all count part p of block b
// as unit b P + p (segmentation.hpp), or a slot, which has room for any one unit.
//
// Cost: O(1) per hop, and a number per packet, or per contribution.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::rank {

using network::Node;
using network::Port;

enum class Buffer : std::uint8_t {
  input,
  output,
  partial,  ///< partial results, unit by unit as the input
  slots     ///< packets on their way
};

/// A unit of one of the first three buffers, or a slot.
struct Place {
  Buffer buffer = Buffer::input;
  std::uint32_t index = 0;

  bool operator==(const Place&) const = default;
};

/// The treatment of a fragment that has arrived. A fragment that is sent is always `store`.
enum class OnArrival : std::uint8_t {
  store,   ///< put in its place
  join,    ///< put in its place, and the units of the input from `own` on are combined into it
  combine  ///< combined into the content of its place
};

/// The slots of one node. The slot left last is taken first: it is the likeliest to be in a cache.
class Slots {
 public:
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// Nobody takes the slot before release(): its content may be on its way.
  void leave(std::uint32_t slot) { left_.push_back(slot); }
  void release() {
    free_.insert(free_.end(), left_.begin(), left_.end());
    left_.clear();
  }
  /// The number of slots ever taken at a time.
  std::uint32_t count() const { return count_; }

 private:
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> free_, left_;
};

/// Places of packets of a stage that moves them: every packet is at one node at a time.
class MovePlaces {
 public:
  explicit MovePlaces(std::uint64_t packets) : at_(packets, origin) {}

  /// The place that the packet leaves; `home` is the place at its origin.
  Place depart(std::uint64_t packet, Place home, Slots& slots) const {
    const Place place = at(packet, home);
    if (place.buffer == Buffer::slots) slots.leave(place.index);
    return place;
  }
  /// The place that an arrival gets: `result` at its destination, else a slot.
  Place arrive(std::uint64_t packet, bool is_destination, Place result, Slots& slots) {
    return at_[packet] = is_destination ? result : Place{Buffer::slots, slots.take()};
  }
  Place at(std::uint64_t packet, Place home) const { return at_[packet] == origin ? home : at_[packet]; }

 private:
  static constexpr Place origin = {Buffer::input, UINT32_MAX};

  std::vector<Place> at_;
};

/// Places of contributions to a reduction, by keys of the caller's choice, one per node and unit.
class ReducePlaces {
 public:
  /// The fate of a partial result that is sent: `given_up` in a reduction; `kept` in recursive doubling, as every
  /// node computes the same results.
  enum class Sent : std::uint8_t { given_up, kept };
  /// The place of an arrival for which a partial result leaves in the same round: `home` if all sends of the round
  /// have been taken away before, else `apart` in a slot.
  enum class Overlap : std::uint8_t { home, apart };

  struct Receipt {
    Place place;
    OnArrival arrival;
  };

  ReducePlaces(std::uint64_t keys, Sent sent, Overlap overlap)
      : states_(keys, own), sent_(sent), overlap_(overlap) {}

  /// The contribution of a failed node: there is none.
  void drop(std::uint64_t key) { states_[key] = none; }
  bool holds(std::uint64_t key) const { return states_[key] != none && states_[key] != leaving; }

  /// The place of the contribution or partial result, whose home is `home`. @pre it is held, or will be.
  Place at(std::uint64_t key, Place home) const {
    const std::uint32_t state = states_[key];
    if (state == own) return {Buffer::input, home.index};
    return is_slot(state) ? Place{Buffer::slots, state} : home;
  }
  Place depart(std::uint64_t key, Place home, Slots& slots) {
    const Place place = at(key, home);
    if (sent_ == Sent::kept) return place;
    if (place.buffer == Buffer::slots) slots.leave(place.index);
    states_[key] = leaving;
    left_.push_back(key);
    return place;
  }
  /// @pre all that departs in this round has departed.
  Receipt arrive(std::uint64_t key, Place home, Slots& slots) {
    std::uint32_t& state = states_[key];
    if (holds(key) && state != own) return {at(key, home), OnArrival::combine};
    const OnArrival arrival = state == own ? OnArrival::join : OnArrival::store;
    state = state == leaving && overlap_ == Overlap::apart ? slots.take() : partial;
    return {at(key, home), arrival};
  }
  void close_round() {
    for (const std::uint64_t key : left_) {
      if (states_[key] == leaving) states_[key] = none;
    }
    left_.clear();
  }

 private:
  // A state is one of these, or the slot that the partial result lies in.
  static constexpr std::uint32_t own = UINT32_MAX;          // the node's own contribution, in the input
  static constexpr std::uint32_t partial = UINT32_MAX - 1;  // that and others', at home
  static constexpr std::uint32_t leaving = UINT32_MAX - 2;  // sent in this round
  static constexpr std::uint32_t none = UINT32_MAX - 3;
  static bool is_slot(std::uint32_t state) { return state < none; }

  std::vector<std::uint32_t> states_;
  std::vector<std::uint64_t> left_;  // in this round
  Sent sent_;
  Overlap overlap_;
};

}  // namespace isotrope::rank
