// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/locally_rarest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "isotrope/base/huge_pages.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/algorithm/irregular/served_nodes.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::PacketId;

// Sets of packets as bits, a cache line at a time: loops over the words of a block have no branches.
using Word = std::uint64_t;
constexpr std::size_t words_of_block = 8, bits_of_block = 64 * words_of_block;
using Block = std::array<Word, words_of_block>;
using Sets = std::vector<Block, HugePageAllocator<Block>>;

bool is_empty(const Block& set) {
  return std::accumulate(set.begin(), set.end(), Word{0}, std::bit_or()) == 0;
}

Block complement(Block set) {
  for (Word& word : set) word = ~word;
  return set;
}

Block without(const Block& set, const Block& others) {
  Block result;
  for (std::size_t i = 0; i < words_of_block; ++i) result[i] = set[i] & ~others[i];
  return result;
}

// Of how many sets, at most `most`, each packet is a member; for one block at a time.
class SlicedCounts {
 public:
  SlicedCounts(std::size_t blocks, std::uint32_t most)
      : digits_(static_cast<std::size_t>(std::bit_width(most))), slices_(blocks * digits_) {}

  void clear(std::size_t block) { std::fill_n(slices_of(block), digits_, Block{}); }
  void add(std::size_t block, Block set) {
    Block* const slices = slices_of(block);
    for (std::size_t digit = 0; digit < digits_; ++digit) {
      for (std::size_t i = 0; i < words_of_block; ++i) {
        const Word both = slices[digit][i] & set[i];
        slices[digit][i] ^= set[i];
        set[i] = both;
      }
    }
  }
  /// The members of some set.
  Block members(std::size_t block) {
    Block result{};
    for (std::size_t digit = 0; digit < digits_; ++digit) {
      for (std::size_t i = 0; i < words_of_block; ++i) result[i] |= slices_of(block)[digit][i];
    }
    return result;
  }
  /// Leaves those of a choice with the least count, and returns it. @pre the choice is not empty.
  std::uint32_t keep_least(std::size_t block, Block& choice) {
    std::uint32_t least = 0;
    for (std::size_t digit = digits_; digit-- > 0;) {
      const Block smaller = without(choice, slices_of(block)[digit]);
      if (is_empty(smaller)) {
        least |= 1U << digit;
      } else {
        choice = smaller;
      }
    }
    return least;
  }

 private:
  Block* slices_of(std::size_t block) { return slices_.data() + block * digits_; }

  std::size_t digits_;
  std::vector<Block> slices_;  // by block, then binary digit of the count
};

std::uint32_t most_of(const std::vector<std::vector<Node>>& lists) {
  return static_cast<std::uint32_t>(std::ranges::max_element(lists, {}, &std::vector<Node>::size)->size());
}

class LocallyRarest {
 public:
  LocallyRarest(const SurvivingNetwork& network, std::span<const schedule::Packet> packets,
                std::uint32_t seed, schedule::SymmetryAxes symmetry)
      : symmetries_(network.whole(), symmetry),
        packets_(packets.size()),
        blocks_((packets.size() + bits_of_block - 1) / bits_of_block),
        nodes_(network.whole().order()),
        random_(seed),
        holds_(network.whole().order() * blocks_, Block{}),
        received_(network.whole().order(), 0),
        receivers_(network.nodes()),
        floors_(nodes_ * blocks_, 0),
        served_(served_nodes(network)),
        counts_(blocks_, most_of(served_)) {
    for (PacketId id = 0; id < packets.size(); ++id) {
      insert(holds_, packets[id].origin, id);
      ++received_[packets[id].origin];
    }
    // Bits beyond the last packet are set everywhere: no node lacks them.
    for (PacketId id = static_cast<PacketId>(packets.size()); id < blocks_ * bits_of_block; ++id) {
      for (Node node = 0; node < nodes_; ++node) insert(holds_, node, id);
    }
    soon_ = holds_;
    std::erase_if(receivers_, [&](Node node) { return symmetries_.first(node) != node; });
    for (Node node = 0; node < nodes_; ++node) {
      first_link_.push_back(links_.size());
      if (!network.alive(node)) continue;
      network.for_each_neighbour(node, [&](Port port, Node neighbour) {
        links_.push_back({neighbour, network.whole().opposite(port)});
      });
    }
    first_link_.push_back(links_.size());
  }

  std::optional<schedule::Rounds> run(std::uint64_t enough) {
    schedule::Rounds rounds;
    rounds.reserve(enough == UINT64_MAX ? 0 : enough,
                   packets_ * (receivers_.size() * symmetries_.size() - 1));
    for (;;) {
      std::erase_if(receivers_, [&](Node node) { return received_[node] == packets_; });
      if (receivers_.empty()) return rounds;
      if (rounds.size() + least_more() >= enough) return std::nullopt;
      for (std::size_t i = receivers_.size(); i-- > 1;)
        std::swap(receivers_[i], receivers_[random_.below(static_cast<std::uint32_t>(i + 1))]);
      arrivals_.clear();
      first_block_ = random_.below(static_cast<std::uint32_t>(blocks_));
      for (std::size_t i = 0; i < receivers_.size(); ++i) {
        if (i + pulls_ahead < receivers_.size()) prefetch(receivers_[i + pulls_ahead]);
        pull(receivers_[i], rounds);
      }
      rounds.close_round();
      for (const auto& [receiver, packet] : arrivals_) insert_images(holds_, receiver, packet);
    }
  }

 private:
  static constexpr PacketId nothing = UINT32_MAX;
  static constexpr std::uint32_t uncounted = 0;
  static constexpr std::size_t pulls_ahead = 4;

  // A link into a node.
  struct Incoming {
    Node from;
    Port port;  // of the sender
  };

  struct Arrival {
    Node receiver;
    PacketId packet;
  };

  const Block& set_of(const Sets& sets, Node node, std::size_t block) const {
    return sets[block * nodes_ + node];
  }
  void insert(Sets& sets, Node node, PacketId id) const {
    sets[id / bits_of_block * nodes_ + node][id / 64 % words_of_block] |= Word{1} << id % 64;
  }
  void insert_images(Sets& sets, Node node, PacketId id) const {
    for (std::uint32_t i = 0; i < symmetries_.size(); ++i)
      insert(sets, symmetries_.image(i, node), image(i, id));
  }
  PacketId image(std::uint32_t symmetry, PacketId id) const {
    const std::uint32_t own = id % symmetries_.size();
    return id - own + symmetries_.then(own, symmetry);
  }
  bool holds(Node node, PacketId id) const {
    const Block& block = set_of(holds_, node, id / bits_of_block);
    return (block[id / 64 % words_of_block] >> id % 64 & 1) != 0;
  }

  // What `from` holds and the receiver does not take otherwise.
  Block news(Node from, Node receiver, std::size_t block) const {
    return without(set_of(holds_, from, block), set_of(soon_, receiver, block));
  }

  std::size_t next(std::size_t block) const { return block + 1 == blocks_ ? 0 : block + 1; }

  std::span<const Incoming> links_into(Node node) const {
    return std::span(links_).subspan(first_link_[node], first_link_[node + 1] - first_link_[node]);
  }

  // Receivers come in random order, so that what a pull reads first is seldom in the nearer caches.
  void prefetch(Node receiver) const {
    __builtin_prefetch(&set_of(soon_, receiver, first_block_));
    for (const Incoming& link : links_into(receiver)) {
      __builtin_prefetch(&set_of(holds_, link.from, first_block_));
      __builtin_prefetch(&set_of(soon_, link.from, first_block_));
    }
  }

  // The rounds that some receiver needs at least.
  std::uint64_t least_more() const {
    std::uint64_t result = 0;
    for (const Node node : receivers_) {
      const std::uint64_t links = links_into(node).size();
      result = std::max(result, (packets_ - received_[node] + links - 1) / links);
    }
    return result;
  }

  void pull(Node receiver, schedule::Rounds& rounds) {
    const std::span<const Incoming> links = links_into(receiver);
    least_.assign(blocks_, uncounted);
    sort_links(receiver);
    carried_.assign(links.size(), nothing);
    for (const std::uint32_t i : order_) {
      if (!choose(receiver, i)) take_over(receiver, i);
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (carried_[i] == nothing) continue;
      add_images({carried_[i], links[i].from, links[i].port}, rounds);
      arrivals_.push_back({receiver, carried_[i]});
      ++received_[receiver];
    }
  }

  // In the order of the packets of the orbit.
  void add_images(const schedule::Hop& hop, schedule::Rounds& rounds) const {
    const std::uint32_t own = hop.packet % symmetries_.size();
    for (std::uint32_t i = 0; i < symmetries_.size(); ++i) {
      const std::uint32_t symmetry = symmetries_.between(own, i);
      rounds.add({hop.packet - own + i, symmetries_.image(symmetry, hop.from),
                  symmetries_.image_of_port(symmetry, hop.port)});
    }
  }

  // Those with the fewest packets to choose from first. As many packets as there are links suffice: the other links
  // cannot take them all.
  void sort_links(Node receiver) {
    const std::span<const Incoming> links = links_into(receiver);
    order_.resize(links.size());
    std::iota(order_.begin(), order_.end(), 0U);
    news_.clear();
    for (const Incoming& link : links) news_.push_back(count_of_news(link.from, receiver, links.size()));
    std::ranges::sort(order_, {}, [&](std::uint32_t i) { return std::pair(news_[i], i); });
  }

  std::uint64_t count_of_news(Node from, Node receiver, std::uint64_t enough) {
    std::uint64_t result = 0;
    std::size_t block = first_block_;
    for (std::size_t seen = 0; seen < blocks_ && result < enough; ++seen, block = next(block)) {
      for (const Word word : news(from, receiver, block)) {
        if (word != 0) result += static_cast<std::uint64_t>(std::popcount(word));
        if (result >= enough) break;
      }
    }
    return result;
  }

  // The least count of a block's packets that the receiver lacks and some neighbour has; UINT32_MAX without any.
  std::uint32_t least_count(Node receiver, std::size_t block) {
    if (least_[block] == uncounted) count(receiver, block);
    return least_[block];
  }

  void count(Node receiver, std::size_t block) {
    const Block& taken = set_of(soon_, receiver, block);
    counts_.clear(block);
    for (const Node node : served_[receiver]) counts_.add(block, set_of(soon_, node, block));
    const Block unseen = without(complement(taken), counts_.members(block));
    Block offered = without(counts_.members(block), taken);
    least_[block] = is_empty(offered) ? UINT32_MAX : counts_.keep_least(block, offered);
    if (is_empty(unseen)) floors_[receiver * blocks_ + block] = least_[block];
  }

  // Gives link i a packet, if one is left for it.
  bool choose(Node receiver, std::uint32_t i) {
    if (news_[i] == 0) return false;
    const Node from = links_into(receiver)[i].from;
    std::uint32_t fewest = UINT32_MAX;
    std::size_t block_of_rarest = 0, block = first_block_;
    Block rarest{};
    for (std::size_t seen = 0; seen < blocks_ && fewest > 1; ++seen, block = next(block)) {
      if (floors_[receiver * blocks_ + block] >= fewest) continue;
      if (least_count(receiver, block) >= fewest) continue;
      Block choice = news(from, receiver, block);
      if (is_empty(choice)) continue;
      const std::uint32_t count = counts_.keep_least(block, choice);
      if (count >= fewest) continue;
      fewest = count;
      rarest = choice;
      block_of_rarest = block;
    }
    if (fewest == UINT32_MAX) return false;
    carried_[i] = static_cast<PacketId>(block_of_rarest * bits_of_block + any_of(rarest));
    insert_images(soon_, receiver, carried_[i]);
    return true;
  }

  // Gives link i the packet of another link that has a further choice.
  void take_over(Node receiver, std::uint32_t i) {
    if (news_[i] == 0) return;
    for (std::uint32_t j = 0; j < carried_.size(); ++j) {
      const PacketId id = carried_[j];
      if (id == nothing || !holds(links_into(receiver)[i].from, id) || !choose(receiver, j)) continue;
      carried_[i] = id;
      return;
    }
  }

  std::size_t any_of(const Block& set) {
    const std::size_t words = std::min(words_of_block, (packets_ + 63) / 64);
    std::size_t word = random_.below(static_cast<std::uint32_t>(words));
    while (set[word] == 0) word = word + 1 == words ? 0 : word + 1;
    const auto turn = static_cast<int>(random_() % 64);
    const auto bit = static_cast<std::size_t>(std::countr_zero(std::rotr(set[word], turn)) + turn) % 64;
    return word * 64 + bit;
  }

  schedule::Symmetries symmetries_;
  std::size_t packets_, blocks_, nodes_, first_block_ = 0;
  SplitMix random_;
  Sets holds_, soon_;  // by block, then node: before the round, and after what has been chosen of it
  std::vector<std::uint64_t> received_;
  std::vector<Incoming> links_;  // by receiver
  std::vector<std::size_t> first_link_;
  std::vector<Node> receivers_;  // first nodes of their orbits that lack packets
  // By receiver, then block: no more than the least count of a packet that it lacks, now or later. Counts only grow, so
  // one that was found while some neighbour had each packet holds from then on; 0 before.
  std::vector<std::uint32_t> floors_;
  std::vector<std::vector<Node>> served_;  // by receiver: whose packets count
  // Of the receiver at hand: how many of those have a packet; by block, the least count or uncounted.
  SlicedCounts counts_;
  std::vector<std::uint32_t> least_;
  std::vector<std::uint32_t> order_;  // of its links
  std::vector<std::uint64_t> news_;   // by link: packets to choose from, counted up to the number of links
  std::vector<PacketId> carried_;     // by link
  std::vector<Arrival> arrivals_;     // of the round
};

}  // namespace

std::optional<schedule::Rounds> locally_rarest_rounds(const SurvivingNetwork& network,
                                                      std::span<const schedule::Packet> packets,
                                                      std::uint64_t enough, std::uint32_t seed,
                                                      schedule::SymmetryAxes symmetry) {
  return LocallyRarest(network, packets, seed, symmetry).run(enough);
}

}  // namespace isotrope::algorithm
