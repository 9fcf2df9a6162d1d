// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What all nodes know before each round of a gossip between cosets (cosets.hpp) and at its end, kept while a search
// changes one round after the other.
//
// Convention: a set holds which of the origins, the least nodes of all cosets, a node knows. As a node knows v + h just
// if the one h before it knows v, the sets of a coset's nodes together tell all that one of them knows.
//
// Method: after a change only the sets that depend on it are formed anew, round after round: a coset whose sets changed
// passes the change to itself and to the receiver of its message. Cost: O(N / 64) words a coset and round at most.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "isotrope/algorithm/gossip/coset_rounds.hpp"

namespace isotrope::algorithm {

/// A set of origins.
template <class Word, std::size_t words>
struct Origins {
  std::array<Word, words> bits = {};

  void insert(std::uint32_t origin) {
    constexpr std::uint32_t width = 8 * sizeof(Word);
    bits[origin / width] = static_cast<Word>(bits[origin / width] | Word{1} << origin % width);
  }
  bool operator==(const Origins&) const = default;
  friend Origins operator|(Origins a, const Origins& b) {
    for (std::size_t i = 0; i < words; ++i) a.bits[i] = static_cast<Word>(a.bits[i] | b.bits[i]);
    return a;
  }
};

/// @tparam Set Origins with a bit for every coset.
template <class Set>
class CosetKnowledge {
 public:
  /// Of rounds without messages.
  CosetKnowledge(const Cosets& cosets, std::uint32_t rounds)
      : cosets_(cosets),
        count_(cosets.count()),
        size_(cosets.size()),
        known_((std::size_t{rounds} + 1) * count_ * size_),
        missing_(count_, 0),
        fresh_(size_) {
    for (std::uint32_t c = 0; c < count_; ++c) known_[std::size_t{c} * size_].insert(c);
  }

  /// How many nodes a node of `coset` has not heard of at the end.
  std::uint32_t missing(Coset coset) const { return missing_[coset]; }
  /// How often the sets of a coset have been formed.
  std::uint64_t formed() const { return formed_; }

  void evaluate(const CosetRounds& rounds) {
    for (std::uint32_t t = 0; t < rounds.count(); ++t) {
      for (std::uint32_t c = 0; c < count_; ++c)
        form(rounds, t, static_cast<Coset>(c), known(t + 1, static_cast<Coset>(c)));
    }
    for (std::uint32_t c = 0; c < count_; ++c) missing_[c] = counted(static_cast<Coset>(c));
    formed_ += std::uint64_t{rounds.count()} * count_;
    keep();
  }

  /// After a change of round `t` for `receivers`. Calls `visit(coset, missing before)` for all cosets whose nodes know
  /// something else at the end. Ends with keep or undo.
  template <class Visit>
  void update(const CosetRounds& rounds, std::uint32_t t, const std::vector<Coset>& receivers, Visit visit) {
    if (size_ == 1) {
      pass_on<true>(rounds, t, receivers);
    } else {
      pass_on<false>(rounds, t, receivers);
    }
    for (const Coset coset : next_) {
      counts_.push_back({coset, missing_[coset]});
      missing_[coset] = counted(coset);
      visit(coset, counts_.back().missing);
    }
  }

  void keep() {
    places_.clear();
    saved_.clear();
    counts_.clear();
  }
  void undo() {
    const Set* saved = saved_.data();
    for (Set* place : places_) {
      if (size_ == 1) {
        *place = *saved;
      } else {
        std::copy_n(saved, size_, place);
      }
      saved += size_;
    }
    for (const auto [coset, missing] : counts_) missing_[coset] = missing;
    keep();
  }

 private:
  struct Count {
    Coset coset;
    std::uint32_t missing;
  };

  Set* known(std::uint32_t t, Coset coset) {
    return known_.data() + (std::size_t{t} * count_ + coset) * size_;
  }

  // What the nodes of a coset know after round `t`.
  void form(const CosetRounds& rounds, std::uint32_t t, Coset coset, Set* after) {
    const Set* before = known(t, coset);
    const CosetRounds::Part& part = rounds.part(t, coset);
    if (part.receives == CosetRounds::Part::silent) {
      std::copy_n(before, size_, after);
      return;
    }
    const Set* told = known(t, part.from);
    const Coset* senders = cosets_.senders(coset, part.receives);
    for (std::uint32_t i = 0; i < size_; ++i) after[i] = before[i] | told[senders[i]];
  }

  // @tparam alone Whether a coset is one node.
  template <bool alone>
  void pass_on(const CosetRounds& rounds, std::uint32_t t, const std::vector<Coset>& receivers) {
    next_.clear();
    for (const Coset receiver : receivers) learn<alone>(rounds, t, receiver);
    while (++t < rounds.count() && !next_.empty()) {
      changed_.swap(next_);
      next_.clear();
      for (const Coset coset : changed_) {
        learn<alone>(rounds, t, coset);
        if (const Coset receiver = rounds.part(t, coset).to; receiver != coset)
          learn<alone>(rounds, t, receiver);
      }
    }
  }

  template <bool alone>
  void learn(const CosetRounds& rounds, std::uint32_t t, Coset coset) {
    ++formed_;
    Set* after = known(t + 1, coset);
    if constexpr (alone) {
      const Set set = after[-std::ptrdiff_t{count_}] | *known(t, rounds.part(t, coset).from);
      if (set == *after) return;
      saved_.push_back(*after);
      *after = set;
    } else {
      form(rounds, t, coset, fresh_.data());
      if (std::equal(fresh_.begin(), fresh_.end(), after)) return;
      saved_.insert(saved_.end(), after, after + size_);
      std::copy(fresh_.begin(), fresh_.end(), after);
    }
    places_.push_back(after);
    next_.push_back(coset);
  }

  // In words of 64 bits, as most sets are shorter and not every processor counts bits in one instruction.
  std::uint32_t counted(Coset coset) const {
    const Set* sets = known_.data() + known_.size() - std::size_t{count_ - coset} * size_;
    std::uint32_t result = count_ * size_;
    for (std::size_t at = 0, bytes = size_ * sizeof(Set); at < bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const char*>(sets) + at, std::min<std::size_t>(8, bytes - at));
      result -= ones(word);
    }
    return result;
  }

  static std::uint32_t ones(std::uint64_t word) {
    word -= word >> 1U & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
    word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<std::uint32_t>(word * 0x0101010101010101U >> 56U);
  }

  const Cosets& cosets_;
  std::uint32_t count_, size_;          // of the cosets
  std::vector<Set> known_;              // before each round and at the end, by coset, then node
  std::vector<std::uint32_t> missing_;  // by coset
  // Since the last keep: what has changed, each once, and what it was.
  std::vector<Set*> places_;
  std::vector<Set> saved_;
  std::vector<Count> counts_;
  std::vector<Set> fresh_;             // sets of a coset
  std::vector<Coset> changed_, next_;  // cosets before a round and after it
  std::uint64_t formed_ = 0;
};

}  // namespace isotrope::algorithm
