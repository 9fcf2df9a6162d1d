// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulated annealing of a gossip between cosets (cosets.hpp), of a given number of rounds.
//
// State: the messages of every round. Energy: the sum over all cosets of the square root of what a node misses at the
// end, so that many nodes which miss little are worse than few which miss much, and one temperature suits all networks.
//
// Step: a random message in a random round; those that the port model forbids beside it are taken out, and their free
// ends joined anew. Only rounds of the second half change, as few later rounds depend on them; now and then the gossip
// is turned around in time, which makes the first half the second. What is not known stays as much.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/algorithm/gossip/coset_knowledge.hpp"
#include "isotrope/algorithm/gossip/coset_rounds.hpp"

namespace isotrope::algorithm {

/// Random numbers for steps that cost little more than drawing them: splitmix64 (Steele, Lea and Flood 2014).
class FastRandom {
 public:
  explicit FastRandom(std::uint64_t seed) : state_(seed << 32U) {}

  std::uint32_t operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = (state_ ^ (state_ >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::uint32_t>(mixed >> 32U);
  }
  /// A number below `limit`.
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>((std::uint64_t{(*this)()} * limit) >> 32U);
  }
  bool happens(float probability) { return static_cast<float>((*this)() >> 8U) * 0x1p-24F < probability; }

 private:
  std::uint64_t state_;
};

/// @tparam Set Origins with a bit for every coset.
template <class Set>
class CosetAnnealing {
 public:
  /// Starts with random messages.
  CosetAnnealing(const Network& network, const Cosets& cosets, bool half_duplex, std::uint32_t rounds,
                 std::uint64_t seed)
      : network_(network),
        cosets_(cosets),
        rounds_(network, cosets, half_duplex, rounds),
        knowledge_(cosets, rounds),
        random_(seed) {
    for (std::uint32_t missing = 0; missing <= network.order(); ++missing)
      energy_of_.push_back(std::sqrt(static_cast<float>(missing)));
    for (std::uint32_t t = 0; t < rounds; ++t) {
      for (std::uint32_t i = 0; i < cosets.count(); ++i) join(t, random_coset());
    }
    evaluate();
  }

  /// Cools down while it does `most_work`; a gossip as soon as one is found.
  std::optional<Gossip> run(std::uint64_t most_work) {
    constexpr std::uint32_t steps_a_side = 256;
    constexpr float hottest = 1, coldest = 0.1F;
    while (missing_ > 0 && work() < most_work) {
      const float left = 1 - static_cast<float>(work()) / static_cast<float>(most_work);
      for (std::uint32_t i = 0; i < steps_a_side && missing_ > 0; ++i)
        step(coldest + (hottest - coldest) * left);
      if (missing_ == 0) break;
      rounds_.reverse();
      evaluate();
    }
    if (missing_ > 0) return std::nullopt;
    return rounds_.gossip();
  }

  /// About a nanosecond each.
  std::uint64_t work() const {
    const std::uint64_t words = (sizeof(Set) + 7) / 8, a_step = rounds_.half_duplex() ? 160 : 60;
    const std::uint64_t a_coset = cosets_.size() == 1 ? 6 + words : 18 + cosets_.size() * words;
    return a_step * steps_ + a_coset * knowledge_.formed();
  }

  /// The fewest nodes that an average node has missed.
  float least_missed() const { return static_cast<float>(least_) / static_cast<float>(cosets_.count()); }

 private:
  struct Change {
    bool added;
    Coset sender;
    Port port;
  };

  Coset random_coset() { return static_cast<Coset>(random_.below(cosets_.count())); }

  void evaluate() {
    knowledge_.evaluate(rounds_);
    missing_ = 0;
    energy_ = 0;
    for (std::uint32_t c = 0; c < cosets_.count(); ++c) {
      const std::uint32_t missing = knowledge_.missing(static_cast<Coset>(c));
      missing_ += missing;
      energy_ += energy_of_[missing];
    }
  }

  void step(float temperature) {
    ++steps_;
    const std::uint32_t first = rounds_.count() / 2, t = first + random_.below(rounds_.count() - first);
    const Coset sender = random_coset();
    const Port port = random_.below(cosets_.degree());
    const Coset receiver = cosets_.neighbour(sender, port);
    if (rounds_.part(t, sender).sends == port || (rounds_.half_duplex() && sender == receiver)) return;
    changes_.clear();
    free_.clear();
    make_room(t, sender, receiver);
    insert(t, sender, port);
    for (const Coset coset : free_) join(t, coset);
    accept_or_undo(t, temperature);
  }

  void accept_or_undo(std::uint32_t t, float temperature) {
    receivers_.clear();
    for (const auto [added, sender, port] : changes_) receivers_.push_back(cosets_.neighbour(sender, port));
    float energy = energy_;
    std::uint32_t missing = missing_;
    knowledge_.update(rounds_, t, receivers_, [&](Coset coset, std::uint32_t before) {
      energy += energy_of_[knowledge_.missing(coset)] - energy_of_[before];
      missing += knowledge_.missing(coset) - before;
    });
    if (energy > energy_ && !random_.happens(std::exp((energy_ - energy) / temperature))) return undo(t);
    energy_ = energy;
    missing_ = missing;
    least_ = std::min(least_, missing);
    knowledge_.keep();
  }

  // Takes out what keeps `sender` from a message to `receiver`.
  void make_room(std::uint32_t t, Coset sender, Coset receiver) {
    const CosetRounds::Part &at_sender = rounds_.part(t, sender), &at_receiver = rounds_.part(t, receiver);
    if (at_sender.sends != silent) take_out(t, sender, at_sender.to);
    if (at_receiver.receives != silent) take_out(t, at_receiver.from, receiver);
    if (!rounds_.half_duplex()) return;
    if (at_sender.receives != silent) take_out(t, at_sender.from, sender);
    if (at_receiver.sends != silent) take_out(t, receiver, at_receiver.to);
  }

  void take_out(std::uint32_t t, Coset sender, Coset receiver) {
    changes_.push_back({false, sender, rounds_.part(t, sender).sends});
    rounds_.remove(t, sender);
    free_.push_back(sender);
    free_.push_back(receiver);
  }

  void insert(std::uint32_t t, Coset sender, Port port) {
    rounds_.add(t, sender, port);
    changes_.push_back({true, sender, port});
  }

  // A message between a coset and another one that is free too, if a port leads to one.
  void join(std::uint32_t t, Coset coset) {
    const bool half = rounds_.half_duplex();
    const bool sends = rounds_.part(t, coset).can_send(half),
               receives = rounds_.part(t, coset).can_receive(half);
    if (!sends && !receives) return;
    const Port degree = cosets_.degree(), start = random_.below(degree);
    for (Port i = 0; i < degree; ++i) {
      const Port port = start + i < degree ? start + i : start + i - degree;
      const Coset other = cosets_.neighbour(coset, port);
      if (half && other == coset) continue;
      const CosetRounds::Part& part = rounds_.part(t, other);
      const bool to = sends && part.can_receive(half), from = receives && part.can_send(half);
      if (!to && !from) continue;
      if (to && (!from || random_.below(2) == 0)) return insert(t, coset, port);
      return insert(t, other, network_.opposite(port));
    }
  }

  void undo(std::uint32_t t) {
    knowledge_.undo();
    std::ranges::reverse(changes_);
    for (const auto [added, sender, port] : changes_) {
      if (added) {
        rounds_.remove(t, sender);
      } else {
        rounds_.add(t, sender, port);
      }
    }
  }

  static constexpr auto silent = CosetRounds::Part::silent;

  const Network& network_;
  const Cosets& cosets_;
  CosetRounds rounds_;
  CosetKnowledge<Set> knowledge_;
  FastRandom random_;
  std::vector<float> energy_of_;  // of a coset, by what is missing
  float energy_ = 0;
  std::uint32_t missing_ = 0, least_ = UINT32_MAX;  // of all cosets
  std::uint64_t steps_ = 0;
  std::vector<Change> changes_;  // of the step
  std::vector<Coset> free_, receivers_;
};

}  // namespace isotrope::algorithm
