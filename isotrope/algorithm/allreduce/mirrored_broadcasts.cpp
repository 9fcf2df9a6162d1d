// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/mirrored_broadcasts.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/algorithm/allreduce/arc_orbits.hpp"
#include "isotrope/algorithm/allreduce/broadcast_repair.hpp"
#include "isotrope/algorithm/allreduce/link_shares.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::PacketId;

// ---- packets and their roots

// The blocks of the vector, P packets each: block i is reduced at the root of turn i / 2, so that packets have partners
// of the same root even if P is odd. Under symmetries these are the blocks of the first roots of orbits: packet p stands
// for packets p M to p M + M - 1, M the size of an orbit.
class RootedPackets {
 public:
  struct Pair {
    PacketId early, late;  // the same packet if it has no partner
  };

  // `roots` are ascending nodes.
  RootedPackets(std::span<const std::uint32_t> roots, std::uint32_t blocks, std::uint32_t parts)
      : parts_(parts) {
    std::vector<std::uint32_t> blocks_of(roots.size(), 0);
    for (std::uint32_t block = 0; block < blocks; ++block) ++blocks_of[block / 2 % roots.size()];
    std::vector<std::vector<Pair>> pairs_of(roots.size());
    for (std::size_t r = 0; r < roots.size(); ++r) {
      const auto begin = static_cast<PacketId>(roots_.size());
      roots_.insert(roots_.end(), std::size_t{blocks_of[r]} * parts, roots[r]);
      const auto end = static_cast<PacketId>(roots_.size());
      for (PacketId packet = begin; packet < end; packet += 2)
        pairs_of[r].push_back({packet, std::min(packet + 1, end - 1)});
      first_.insert(first_.end(), end - begin, begin);
    }
    take_turns(pairs_of);
  }

  PacketId count() const { return static_cast<PacketId>(roots_.size()); }
  std::uint32_t root(PacketId packet) const { return roots_[packet]; }
  // In the order in which the late ones begin.
  std::span<const Pair> pairs() const { return pairs_; }

  std::vector<schedule::Packet> listed(std::span<const Node> nodes,
                                       const schedule::Symmetries& symmetries) const {
    std::vector<schedule::Packet> result;
    for (PacketId packet = 0; packet < count(); ++packet) {
      const std::uint32_t number = packet - first_[packet];  // among the packets of the root
      for (std::uint32_t i = 0; i < symmetries.size(); ++i) {
        const Node root = nodes[symmetries.image(i, roots_[packet])];
        result.push_back({root, schedule::to_all, number / parts_, number % parts_});
      }
    }
    return result;
  }

 private:
  // Packets without a partner begin at half time, before all late ones.
  void take_turns(const std::vector<std::vector<Pair>>& pairs_of) {
    for (const auto& pairs : pairs_of) {
      for (const Pair& pair : pairs) {
        if (pair.early == pair.late) pairs_.push_back(pair);
      }
    }
    std::size_t most = 0;
    for (const auto& pairs : pairs_of) most = std::max(most, pairs.size());
    for (std::size_t i = 0; i < most; ++i) {
      for (const auto& pairs : pairs_of) {
        if (i < pairs.size() && pairs[i].early != pairs[i].late) pairs_.push_back(pairs[i]);
      }
    }
  }

  std::uint32_t parts_;
  std::vector<std::uint32_t> roots_;  // by packet
  std::vector<PacketId> first_;       // by packet: the first one of its root
  std::vector<Pair> pairs_;
};

// How broadcasts that begin late are spread over the second half, up to `last` rounds before the end.
enum class Spread {
  inside,  // in the middle of even intervals
  whole,   // at even distances, the last one as late as it can
  any,     // at random
};

// The beginnings of all broadcasts in a schedule of so many rounds.
std::vector<std::uint32_t> beginnings(const RootedPackets& packets, std::uint32_t rounds, std::uint32_t last,
                                      Spread spread, SplitMix& random) {
  std::vector<std::uint32_t> result(packets.count(), 0);
  const std::uint64_t pairs = packets.pairs().size(), span = rounds > 2 * last ? rounds - 2 * last : 0;
  const std::uint64_t steps = spread == Spread::inside ? 2 * pairs : std::max<std::uint64_t>(pairs, 2) - 1;
  const std::uint32_t half = (rounds + 1) / 2;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto [early, late] = packets.pairs()[i];
    const std::uint64_t at = spread == Spread::inside ? 2 * i + 1 : pairs == 1 ? 1 : i;
    const std::uint32_t begin = spread == Spread::any
                                    ? half + random.below(std::max(rounds - last, half) - half + 1)
                                    : static_cast<std::uint32_t>((rounds * steps + at * span) / (2 * steps));
    result[early] = rounds - begin;
    result[late] = early == late ? half : begin;
  }
  return result;
}

// ---- one run

struct RunShape {
  std::uint32_t rounds = 0;
  std::vector<std::uint32_t> begin;  // by orbit of packets
  bool idle_half = false;            // nothing is sent in the first half: a reduce-scatter and an allgather
  std::uint32_t percent = 100;       // of the shares
  bool any_tie = false;              // of equally rare packets any one is taken, not the last one to begin
  std::uint64_t seed = 1;
};

// A hop of a broadcast.
struct Sent {
  std::uint32_t arc;
  PacketId packet;
};

// A run that leaves more hops undelivered is given up.
std::uint64_t most_undelivered(const RootedPackets& packets, const ArcGraph& graph) {
  return std::min<std::uint64_t>(std::uint64_t{packets.count()} * graph.nodes() / 50, 128);
}

class MirrorRun {
 public:
  // Refers to graph, orbits, packets and shares.
  MirrorRun(const ArcGraph& graph, const ArcOrbits& orbits, const RootedPackets& packets,
            std::span<const std::uint64_t> shares, const RunShape& shape)
      : graph_(graph),
        orbits_(orbits),
        packets_(packets),
        shape_(shape),
        shares_(shares),
        random_(shape.seed),
        count_(packets.count() * orbits.size()),
        words_((count_ + 63) / 64),
        held_(std::size_t{graph.nodes()} * words_, 0),
        coming_(held_),
        lacks_(graph.nodes(), count_),
        used_(std::size_t{graph.arcs()} * shape.rounds, false),
        turns_(graph.arcs()) {
    order_by_beginning();
    for (std::uint64_t& turn : turns_) turn = random_() >> 32;
    receivers_ = orbits.nodes();
    std::size_t most = 0;
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) most = std::max(most, graph.into(v).size());
    planes_.resize(std::bit_width(most) * words_);
    candidates_.resize(words_);
    taken_.resize(words_);
  }

  // Ends when all nodes have all packets, or after the last round, or early if that leaves too much undelivered.
  void run() {
    for (std::uint32_t t = 0; t < shape_.rounds && !is_hopeless(t); ++t) {
      begin_broadcasts(t);
      shuffle(std::span(receivers_), random_);
      for (const std::uint32_t node : receivers_) receive(node, t);
      ends_.push_back(sent_.size());
      for (std::size_t i = t == 0 ? 0 : ends_[t - 1]; i < ends_[t]; ++i) {
        const std::size_t word = graph_[sent_[i].arc].to * words_ + place_[sent_[i].packet] / 64;
        held_[word] = coming_[word];
      }
      std::erase_if(receivers_, [&](std::uint32_t node) { return lacks_[node] == 0; });
      if (receivers_.empty() && next_ == by_beginning_.size()) return;
    }
  }

  // Hops that would deliver the rest, of one packet of each orbit.
  std::uint64_t undelivered() const {
    return std::uint64_t{packets_.count()} * (graph_.nodes() - 1) - sent_.size() / orbits_.size();
  }
  // The links looked at.
  std::uint64_t links() const { return ends_.size() * graph_.arcs() / orbits_.size(); }

  std::vector<RootedBroadcast> broadcasts() const {
    std::vector<RootedBroadcast> result;
    for (PacketId packet = 0; packet < packets_.count(); ++packet)
      result.push_back({packets_.root(packet), shape_.begin[packet]});
    return result;
  }
  // Those of the first packet of each orbit, in the order of rounds.
  std::vector<BroadcastHop> hops() const {
    std::vector<BroadcastHop> result;
    for (std::uint32_t t = 0; t < ends_.size(); ++t) {
      for (std::size_t i = t == 0 ? 0 : ends_[t - 1]; i < ends_[t]; ++i) {
        const auto [arc, packet] = sent_[i];
        if (packet % orbits_.size() == 0) result.push_back({packet / orbits_.size(), arc, t});
      }
    }
    return result;
  }

 private:
  struct Slot {
    std::uint32_t arc;
    std::uint32_t choices;  // packets that it could carry
    PacketId place;         // of the packet that it carries, or none
  };
  static constexpr PacketId none = UINT32_MAX;

  // Packets are bits in the order in which they begin: the highest one begins last.
  void order_by_beginning() {
    for (PacketId packet = 0; packet < count_; ++packet) by_beginning_.push_back(packet);
    std::ranges::stable_sort(by_beginning_, {}, [&](PacketId packet) { return begin(packet); });
    place_.resize(by_beginning_.size());
    for (PacketId place = 0; place < by_beginning_.size(); ++place) place_[by_beginning_[place]] = place;
  }

  void begin_broadcasts(std::uint32_t t) {
    for (; next_ < by_beginning_.size() && begin(by_beginning_[next_]) <= t; ++next_) {
      const PacketId packet = by_beginning_[next_];
      const std::uint32_t root =
          orbits_.symmetries().image(packet % orbits_.size(), packets_.root(packet / orbits_.size()));
      const std::size_t word = root * words_ + next_ / 64;
      held_[word] |= std::uint64_t{1} << next_ % 64;
      coming_[word] |= std::uint64_t{1} << next_ % 64;
      --lacks_[root];
    }
  }

  std::uint32_t begin(PacketId packet) const { return shape_.begin[packet / orbits_.size()]; }

  std::size_t slot_number(std::uint32_t arc, std::uint32_t t) const {
    return std::size_t{t} * graph_.arcs() + arc;
  }

  bool may_use(std::uint32_t arc, std::uint32_t t) {
    if (2 * t + 1 >= shape_.rounds) {
      const std::uint32_t opposite = graph_[arc].opposite, mirrored = shape_.rounds - 1 - t;
      return !used_[slot_number(opposite, mirrored)] && (t != mirrored || goes_first(arc, opposite));
    }
    if (shape_.idle_half) return false;
    const std::uint64_t before = turns_[arc];
    turns_[arc] += std::min<std::uint64_t>(shares_[arc] * shape_.percent / 100, std::uint64_t{1} << 32);
    return turns_[arc] >> 32 != before >> 32;
  }

  // Whether no image of a lower-numbered arc into the same node, and none of its own, is the opposite arc. A node chooses for
  // all of its arcs at once.
  bool goes_first(std::uint32_t arc, std::uint32_t opposite) const {
    const std::uint32_t other = orbits_.first(opposite);
    return graph_[other].to != graph_[arc].to || other > arc;
  }

  void receive(std::uint32_t node, std::uint32_t t) {
    find_slots(node, t);
    if (slots_.empty()) return;
    count_holders(node);
    std::ranges::fill(taken_, 0);
    for (std::size_t i = 0; i < slots_.size(); ++i) fill_slot(node, i);
    for (const Slot& slot : slots_) {
      if (slot.place != none) send_images(slot.arc, by_beginning_[slot.place], t);
    }
  }

  // In the order of the packets of the orbit.
  void send_images(std::uint32_t arc, PacketId packet, std::uint32_t t) {
    const std::uint32_t own = packet % orbits_.size();
    for (std::uint32_t i = 0; i < orbits_.size(); ++i)
      send(orbits_.image(orbits_.symmetries().between(own, i), arc), packet - own + i, t);
  }

  void send(std::uint32_t arc, PacketId packet, std::uint32_t t) {
    sent_.push_back({arc, packet});
    const std::uint32_t node = graph_[arc].to;
    coming_[node * words_ + place_[packet] / 64] |= std::uint64_t{1} << place_[packet] % 64;
    used_[slot_number(arc, t)] = true;
    --lacks_[node];
  }

  // The links that may be used and whose senders have something, those with the least choice first.
  void find_slots(std::uint32_t node, std::uint32_t t) {
    slots_.clear();
    for (std::uint32_t arc = graph_.first_into(node); arc < graph_.first_into(node + 1); ++arc) {
      if (!may_use(arc, t)) continue;
      const std::uint64_t* from = &held_[graph_[arc].from * words_];
      const std::uint64_t* to = &coming_[node * words_];
      std::uint32_t choices = 0;
      for (std::size_t w = 0; w < words_; ++w)
        choices += static_cast<std::uint32_t>(std::popcount(from[w] & ~to[w]));
      if (choices > 0) slots_.push_back({arc, choices, none});
    }
    std::ranges::stable_sort(slots_, {}, &Slot::choices);
  }

  // Plane k has bit k of the number of neighbours that hold each packet, or are about to.
  void count_holders(std::uint32_t node) {
    std::ranges::fill(planes_, 0);
    for (const Arc& arc : graph_.into(node)) {
      const std::uint64_t* held = &coming_[arc.from * words_];
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t carry = held[w];
        for (std::size_t k = w; carry != 0; k += words_) {
          const std::uint64_t both = planes_[k] & carry;
          planes_[k] ^= carry;
          carry = both;
        }
      }
    }
  }

  void fill_slot(std::uint32_t node, std::size_t i) {
    slots_[i].place = best_choice(node, slots_[i].arc);
    if (slots_[i].place == none) exchange_for(node, i);
    if (slots_[i].place != none) take(slots_[i].place);
  }
  void take(PacketId place) { taken_[place / 64] |= std::uint64_t{1} << place % 64; }

  // Of the packets that the link can bring and no other link brings, one that the fewest neighbours hold, of these the
  // last.
  PacketId best_choice(std::uint32_t node, std::uint32_t arc) {
    const std::uint64_t* from = &held_[graph_[arc].from * words_];
    const std::uint64_t* to = &coming_[node * words_];
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < words_; ++w) any |= candidates_[w] = from[w] & ~to[w] & ~taken_[w];
    if (any == 0) return none;
    for (std::size_t plane = planes_.size(); plane > 0; plane -= words_) narrow(&planes_[plane - words_]);
    if (shape_.any_tie) return any_candidate();
    std::size_t w = words_ - 1;
    while (candidates_[w] == 0) --w;
    return static_cast<PacketId>(w * 64 + 63 - static_cast<std::size_t>(std::countl_zero(candidates_[w])));
  }

  // @pre there is one.
  PacketId any_candidate() {
    std::size_t w = random_.below(static_cast<std::uint32_t>(words_));
    while (candidates_[w] == 0) w = w + 1 == words_ ? 0 : w + 1;
    std::uint64_t bits = candidates_[w];
    for (auto skipped = random_.below(static_cast<std::uint32_t>(std::popcount(bits))); skipped > 0;
         --skipped)
      bits &= bits - 1;
    return static_cast<PacketId>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  // Leaves the candidates outside the plane, if there are any.
  void narrow(const std::uint64_t* plane) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < words_; ++w) any |= candidates_[w] & ~plane[w];
    if (any == 0) return;
    for (std::size_t w = 0; w < words_; ++w) candidates_[w] &= ~plane[w];
  }

  // Takes over the packet of another slot that has a further choice.
  void exchange_for(std::uint32_t node, std::size_t i) {
    const std::uint64_t* from = &held_[graph_[slots_[i].arc].from * words_];
    for (std::size_t j = 0; j < i; ++j) {
      const PacketId place = slots_[j].place;
      if (place == none || (from[place / 64] >> place % 64 & 1) == 0) continue;
      const PacketId other = best_choice(node, slots_[j].arc);
      if (other == none) continue;
      slots_[i].place = place;
      slots_[j].place = other;
      take(other);
      return;
    }
  }

  // Whether nodes lack too much more than their links can still bring.
  bool is_hopeless(std::uint32_t t) const {
    if (2 * t < shape_.rounds) return false;
    const std::uint64_t left = shape_.rounds - t;
    std::uint64_t beyond = 0;
    for (const std::uint32_t node : receivers_) {
      const std::uint64_t links = left * graph_.into(node).size();
      beyond += lacks_[node] > links ? lacks_[node] - links : 0;
    }
    return beyond > most_undelivered(packets_, graph_);
  }

  const ArcGraph& graph_;
  const ArcOrbits& orbits_;
  const RootedPackets& packets_;
  RunShape shape_;
  std::span<const std::uint64_t> shares_;
  SplitMix random_;
  PacketId count_;                     // of packets in all orbits
  std::size_t words_;                  // of a set of packets
  std::vector<std::uint64_t> held_;    // by node: at the start of the round
  std::vector<std::uint64_t> coming_;  // by node: at its end
  std::vector<std::uint32_t> lacks_;   // by node: packets, those that have not begun among them
  std::vector<bool> used_;             // by round and arc
  std::vector<std::uint64_t> turns_;   // by arc: how often its turn has come, times 2^32
  std::vector<PacketId> by_beginning_;
  std::vector<PacketId> place_;                             // in by_beginning_
  PacketId next_ = 0;                                       // the place of the next broadcast to begin
  std::vector<std::uint32_t> receivers_;                    // first nodes of orbits that lack packets
  std::vector<Slot> slots_;                                 // of the receiver at hand
  std::vector<std::uint64_t> planes_, candidates_, taken_;  // so
  std::vector<Sent> sent_;
  std::vector<std::size_t> ends_;  // by round
};

// ---- the search

class MirrorSearch {
 public:
  MirrorSearch(const network::SurvivingNetwork& network, std::uint32_t parts, const SearchLimits& limits,
               MirrorRoots roots)
      : network_(network),
        limits_(limits),
        budget_(limits),
        graph_(network),
        plain_(network, graph_, {}),
        symmetric_(network, graph_, schedule::symmetry_axes(network.whole(), network.failures())),
        shares_(link_shares(graph_)),
        parts_(parts),
        roots_(roots),
        random_(limits.seed) {
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v)
      eccentricity_.push_back(std::ranges::max(graph_.distances(v)));
    radius_ = std::ranges::min(eccentricity_);
  }

  schedule::Schedule run() {
    const auto target = static_cast<std::uint32_t>(std::max(limits_.target, std::uint64_t{2} * radius_));
    std::uint32_t goal = std::max(target + radius_, target + target * 7 / 100);
    std::uint32_t failures = 0;
    for (std::uint32_t run = 1; best_.empty() || (goal >= target && budget_.allows(run)); ++run) {
      if (tries(goal, run)) {
        goal = rounds_ - step(target, failures);
        failures = 0;
      } else if (++failures % patience == 0) {
        goal = raised(goal, failures);
      }
    }
    return schedule();
  }

 private:
  static constexpr std::uint32_t patience = 6;

  // Far from the target, successes come one after the other.
  std::uint32_t step(std::uint32_t target, std::uint32_t failures) const {
    return rounds_ > target && failures < patience ? std::max(1U, (rounds_ - target) / 8) : 1;
  }
  std::uint32_t raised(std::uint32_t goal, std::uint32_t failures) const {
    return best_.empty() ? goal + failures / patience : rounds_ - 1;
  }

  bool tries(std::uint32_t goal, std::uint32_t run) {
    const bool any = roots_ == MirrorRoots::any;
    const std::uint32_t most = radius_ + (any && random_.below(4) == 0 ? 1 : 0);  // hops from a root
    const bool symmetric = has_pairs(symmetric_) && !(any && random_.below(4) == 0);
    const ArcOrbits& orbits = symmetric ? symmetric_ : plain_;
    const RootedPackets packets(roots(orbits, most), graph_.nodes() / orbits.size(), parts_);
    RunShape shape{.rounds = goal, .begin = {}, .seed = random_()};
    shape.percent = percent(goal);
    shape.any_tie = random_.below(2) == 1;
    shape.begin = beginnings(packets, goal, most, any_spread(packets.pairs().size()), random_);
    shape.idle_half = best_.empty() && run > 4 * patience;
    MirrorRun attempt(graph_, orbits, packets, shares_, shape);
    attempt.run();
    budget_.spend(attempt.links());
    if (attempt.undelivered() > most_undelivered(packets, graph_)) return false;
    if (attempt.undelivered() == 0) {
      keep(attempt.hops(), orbits, packets, goal);
      return true;
    }
    return repairs(attempt, orbits, packets, goal);
  }

  // Looks at slots for about the time of three runs.
  bool repairs(const MirrorRun& attempt, const ArcOrbits& orbits, const RootedPackets& packets,
               std::uint32_t goal) {
    constexpr std::uint64_t slots_per_link = 8;
    BroadcastRepair repair(graph_, orbits, attempt.broadcasts(), attempt.hops(), goal, random_());
    const bool succeeds = repair.succeeds(3 * slots_per_link * attempt.links());
    budget_.spend(repair.slots() / slots_per_link);
    if (succeeds) keep(repair.deliveries(), orbits, packets, goal);
    return succeeds;
  }

  // Few pairs gain by beginnings at random, many lose.
  Spread any_spread(std::size_t pairs) {
    if (random_.below(static_cast<std::uint32_t>(pairs) + 3) < 3) return Spread::any;
    return random_.below(2) == 0 ? Spread::inside : Spread::whole;
  }

  // Whether a root can have two blocks.
  bool has_pairs(const ArcOrbits& orbits) const { return 2 * orbits.size() <= graph_.nodes(); }

  // No packet moves in the first rounds, so that links have their turns in the rest of the first half.
  std::uint32_t percent(std::uint32_t rounds) {
    constexpr std::uint32_t most = 400;
    const std::uint32_t busy = rounds > 2 * radius_ ? rounds - 2 * radius_ : 1;
    return std::min(most, 100 * rounds / busy) * (85 + random_.below(45)) / 100;
  }

  // The first nodes of an eccentricity of at most `most`.
  std::vector<std::uint32_t> roots(const ArcOrbits& orbits, std::uint32_t most) const {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t v : orbits.nodes()) {
      if (eccentricity_[v] <= most) result.push_back(v);
    }
    return result;
  }

  void keep(const std::vector<BroadcastHop>& hops, const ArcOrbits& orbits, const RootedPackets& packets,
            std::uint32_t rounds) {
    std::vector<std::vector<BroadcastHop>> by_round(rounds);
    for (const BroadcastHop& hop : hops) by_round[hop.round].push_back(hop);
    std::vector<PacketId> partners(packets.count());
    for (const auto& [early, late] : packets.pairs()) {
      partners[early] = late;
      partners[late] = early;
    }
    best_ = packets.listed(network_.nodes(), orbits.symmetries());
    symmetry_ = orbits.axes();
    rounds_ = rounds;
    hops_ = {};
    hops_.reserve(rounds, std::uint64_t{2} * best_.size() * (graph_.nodes() - 1));
    for (std::uint32_t t = 0; t < rounds; ++t) {
      for (const auto& [broadcast, arc, round] : by_round[rounds - 1 - t])
        add_images(orbits, partners[broadcast], graph_[arc].opposite);
      for (const auto& [broadcast, arc, round] : by_round[t]) add_images(orbits, broadcast, arc);
      hops_.close_round();
    }
  }
  void add_images(const ArcOrbits& orbits, PacketId first, std::uint32_t arc) {
    for (std::uint32_t i = 0; i < orbits.size(); ++i) {
      const Arc& image = graph_[orbits.image(i, arc)];
      hops_.add({first * orbits.size() + i, network_.nodes()[image.from], image.port});
    }
  }

  schedule::Schedule schedule() {
    schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
    result.stages.push_back({schedule::Flow::reduce_then_copy, schedule::Replication::none(),
                             std::move(best_), std::move(hops_)});
    result.stages.front().symmetry = symmetry_;
    return result;
  }

  const network::SurvivingNetwork& network_;
  SearchLimits limits_;
  SearchBudget budget_;
  ArcGraph graph_;
  ArcOrbits plain_, symmetric_;
  std::vector<std::uint64_t> shares_;
  std::uint32_t parts_;
  MirrorRoots roots_;
  SplitMix random_;
  std::vector<std::uint32_t> eccentricity_;
  std::uint32_t radius_ = 0;
  std::vector<schedule::Packet> best_;  // the packets of the best schedule
  schedule::SymmetryAxes symmetry_;     // so
  schedule::Rounds hops_;
  std::uint32_t rounds_ = 0;
};

}  // namespace

schedule::Schedule mirrored_broadcasts(const network::SurvivingNetwork& network, std::uint32_t parts,
                                       const SearchLimits& limits, MirrorRoots roots) {
  return MirrorSearch(network, parts, limits, roots).run();
}

std::vector<std::uint32_t> mirrored_groups(std::uint64_t nodes, std::uint32_t parts) {
  constexpr std::uint64_t most_words = std::uint64_t{1} << 26;  // of packets, in all hops of a run
  std::uint64_t most = parts;
  while (most > 1 && 2 * nodes * (nodes * most) * (nodes * most / 64 + 1) > most_words)
    most -= (most + 7) / 8;
  const std::uint64_t groups = (parts + most - 1) / most;
  std::vector<std::uint32_t> result;
  for (std::uint64_t i = 0; i < groups; ++i)
    result.push_back(static_cast<std::uint32_t>(parts * (i + 1) / groups - parts * i / groups));
  return result;
}

schedule::Schedule groups_in_turn(
    std::span<const std::uint32_t> groups,
    const std::function<const schedule::Schedule&(std::uint32_t parts)>& of_group) {
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
  schedule::Stage& whole = result.stages.emplace_back(
      schedule::Stage{schedule::Flow::reduce_then_copy, schedule::Replication::none(), {}, {}});
  std::uint32_t first_part = 0;
  for (const std::uint32_t parts : groups) {
    const schedule::Stage& stage = of_group(parts).stages.front();
    if (first_part == 0) whole.symmetry = stage.symmetry;
    if (stage.symmetry != whole.symmetry) whole.symmetry = {};
    const auto first = static_cast<PacketId>(whole.packets.size());
    for (schedule::Packet packet : stage.packets) {
      packet.part += first_part;
      whole.packets.push_back(packet);
    }
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const auto& [packet, from, port] : stage.rounds.round(t))
        whole.rounds.add({first + packet, from, port});
      whole.rounds.close_round();
    }
    first_part += parts;
  }
  return result;
}

}  // namespace isotrope::algorithm
