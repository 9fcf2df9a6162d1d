// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/locally_rarest.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::PacketId;

using Word = std::uint64_t;

// For each of many packets, a count of up to `most`.
class SlicedCounts {
 public:
  SlicedCounts(std::size_t words, std::uint32_t most)
      : words_(words), digits_(static_cast<std::size_t>(std::bit_width(most))), slices_(words * digits_) {}

  void clear() { std::fill(slices_.begin(), slices_.end(), 0); }
  /// Adds 1 for every packet of a set.
  void add(const Word* set) {
    for (std::size_t i = 0; i < words_; ++i) {
      Word carry = set[i];
      for (Word* slice = slices_.data() + i * digits_; carry != 0; ++slice) {
        const Word both = *slice & carry;
        *slice ^= carry;
        carry = both;
      }
    }
  }
  /// Leaves those of a set with the least count. @pre the set is not empty.
  void keep_least(std::vector<Word>& set) const {
    for (std::size_t digit = digits_; digit-- > 0;) {
      Word without = 0;
      for (std::size_t i = 0; i < words_; ++i) without |= set[i] & ~slices_[i * digits_ + digit];
      if (without == 0) continue;
      for (std::size_t i = 0; i < words_; ++i) set[i] &= ~slices_[i * digits_ + digit];
    }
  }

 private:
  std::size_t words_, digits_;
  std::vector<Word> slices_;  // by word, then binary digit
};

class LocallyRarest {
 public:
  LocallyRarest(const SurvivingNetwork& network, std::span<const schedule::Packet> packets,
                std::uint32_t seed)
      : packets_(packets.size()),
        words_((packets.size() + 63) / 64),
        random_(seed),
        holds_(network.whole().order() * words_, 0),
        received_(network.whole().order(), 0),
        incoming_(network.whole().order()),
        receivers_(network.nodes()),
        counts_(words_, network.whole().degree()),
        choice_(words_) {
    for (PacketId id = 0; id < packets.size(); ++id) {
      insert(holds_, packets[id].origin, id);
      ++received_[packets[id].origin];
    }
    soon_ = holds_;
    for (const Node node : receivers_) {
      network.for_each_neighbour(node, [&](Port port, Node neighbour) {
        incoming_[node].push_back({neighbour, network.whole().opposite(port)});
      });
    }
  }

  std::optional<schedule::Rounds> run(std::uint64_t enough) {
    schedule::Rounds rounds;
    rounds.reserve(enough == UINT64_MAX ? 0 : enough, packets_ * (receivers_.size() - 1));
    for (;;) {
      std::erase_if(receivers_, [&](Node node) { return received_[node] == packets_; });
      if (receivers_.empty()) return rounds;
      if (rounds.size() + least_more() >= enough) return std::nullopt;
      for (std::size_t i = receivers_.size(); i-- > 1;)
        std::swap(receivers_[i], receivers_[random_.below(static_cast<std::uint32_t>(i + 1))]);
      for (const Node receiver : receivers_) pull(receiver, rounds);
      rounds.close_round();
      holds_ = soon_;
    }
  }

 private:
  static constexpr PacketId nothing = UINT32_MAX;

  // A link into a node.
  struct Incoming {
    Node from;
    Port port;  // of the sender
  };

  const Word* words_of(const std::vector<Word>& sets, Node node) const { return sets.data() + node * words_; }
  void insert(std::vector<Word>& sets, Node node, PacketId id) const {
    sets[node * words_ + id / 64] |= Word{1} << id % 64;
  }
  bool holds(Node node, PacketId id) const { return (holds_[node * words_ + id / 64] >> id % 64 & 1) != 0; }

  // The rounds that some receiver needs at least.
  std::uint64_t least_more() const {
    std::uint64_t result = 0;
    for (const Node node : receivers_) {
      const std::uint64_t links = incoming_[node].size();
      result = std::max(result, (packets_ - received_[node] + links - 1) / links);
    }
    return result;
  }

  void pull(Node receiver, schedule::Rounds& rounds) {
    const std::vector<Incoming>& links = incoming_[receiver];
    counts_.clear();
    for (const Incoming& link : links) counts_.add(words_of(soon_, link.from));
    sort_links(receiver);
    carried_.assign(links.size(), nothing);
    for (const std::uint32_t i : order_) {
      if (!choose(receiver, i)) take_over(receiver, i);
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (carried_[i] == nothing) continue;
      rounds.add({carried_[i], links[i].from, links[i].port});
      ++received_[receiver];
    }
  }

  // Those with the fewest packets to choose from first.
  void sort_links(Node receiver) {
    const std::vector<Incoming>& links = incoming_[receiver];
    order_.resize(links.size());
    std::iota(order_.begin(), order_.end(), 0U);
    news_.clear();
    for (const Incoming& link : links) news_.push_back(count_of_news(link.from, receiver));
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return news_[i]; });
  }

  std::uint64_t count_of_news(Node from, Node receiver) const {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < words_; ++i)
      result += static_cast<std::uint64_t>(
          std::popcount(words_of(holds_, from)[i] & ~words_of(holds_, receiver)[i]));
    return result;
  }

  // Gives link i a packet, if one is left for it.
  bool choose(Node receiver, std::uint32_t i) {
    if (news_[i] == 0) return false;
    Word any = 0;
    for (std::size_t word = 0; word < words_; ++word)
      any |= choice_[word] =
          words_of(holds_, incoming_[receiver][i].from)[word] & ~words_of(soon_, receiver)[word];
    if (any == 0) return false;
    counts_.keep_least(choice_);
    carried_[i] = any_of_choice();
    insert(soon_, receiver, carried_[i]);
    return true;
  }

  // Gives link i the packet of another link that has a further choice.
  void take_over(Node receiver, std::uint32_t i) {
    if (news_[i] == 0) return;
    for (std::uint32_t j = 0; j < carried_.size(); ++j) {
      const PacketId id = carried_[j];
      if (id == nothing || !holds(incoming_[receiver][i].from, id) || !choose(receiver, j)) continue;
      carried_[i] = id;
      return;
    }
  }

  PacketId any_of_choice() {
    std::size_t word = random_.below(static_cast<std::uint32_t>(words_));
    while (choice_[word] == 0) word = word + 1 == words_ ? 0 : word + 1;
    const auto turn = static_cast<int>(random_.below(64));
    const auto bit = static_cast<std::size_t>(std::countr_zero(std::rotr(choice_[word], turn)) + turn) % 64;
    return static_cast<PacketId>(word * 64 + bit);
  }

  std::size_t packets_, words_;
  SplitMix random_;
  std::vector<Word> holds_, soon_;  // by node: before the round, and after what has been chosen of it
  std::vector<std::uint64_t> received_;
  std::vector<std::vector<Incoming>> incoming_;  // by receiver
  std::vector<Node> receivers_;                  // that lack packets
  SlicedCounts counts_;                          // of the receiver at hand: neighbours with a packet
  std::vector<Word> choice_;
  std::vector<std::uint32_t> order_;  // of its links
  std::vector<std::uint64_t> news_;   // by link: the packets that the sender has for the receiver
  std::vector<PacketId> carried_;     // by link
};

}  // namespace

std::optional<schedule::Rounds> locally_rarest_rounds(const SurvivingNetwork& network,
                                                      std::span<const schedule::Packet> packets,
                                                      std::uint64_t enough, std::uint32_t seed) {
  return LocallyRarest(network, packets, seed).run(enough);
}

}  // namespace isotrope::algorithm
