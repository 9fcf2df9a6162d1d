// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "isotrope/algorithm/broadcast/link_matching.hpp"
#include "isotrope/algorithm/broadcast/packet_window.hpp"
#include "isotrope/algorithm/irregular/served_nodes.hpp"

namespace isotrope::algorithm {
namespace {

using network::SurvivingNetwork;
using schedule::PortModel;

// The links into every node but the root, receiver by receiver.
struct Links {
  std::vector<DirectedLink> all;
  std::vector<std::uint32_t> first;  // by receiver, and the end
  std::vector<std::uint32_t> distance;
  std::vector<std::uint32_t> from_root;  // by receiver, how many come from the root
  std::uint32_t farthest = 1;
  // Without symmetry: the neighbours of the root, those with links among themselves together.
  std::vector<std::vector<Node>> cliques;
  std::vector<std::vector<Node>> served;  // by receiver: whose packets count

  Links(const SurvivingNetwork& network, Node root)
      : distance(network.distances(root)), from_root(distance.size(), 0), served(served_nodes(network)) {
    const Node nodes = network.whole().order();
    for (Node node = 0; node < nodes; ++node) {
      first.push_back(static_cast<std::uint32_t>(all.size()));
      if (node == root || !network.alive(node)) continue;
      network.for_each_neighbour(node, [&](Port port, Node neighbour) {
        all.push_back({neighbour, node, network.whole().opposite(port)});
        from_root[node] += neighbour == root ? 1 : 0;
      });
      farthest = std::max(farthest, distance[node]);
    }
    first.push_back(static_cast<std::uint32_t>(all.size()));
    if (!network.failures().empty()) list_cliques();
  }

  std::span<const DirectedLink> into(Node node) const {
    return {all.data() + first[node], all.data() + first[node + 1]};
  }
  bool are_linked(Node from, Node to) const {
    return std::ranges::any_of(into(to), [&](const DirectedLink& link) { return link.from == from; });
  }

 private:
  void list_cliques() {
    for (Node node = 0; node < distance.size(); ++node) {
      if (distance[node] != 1) continue;
      const auto clique = std::ranges::find_if(cliques, [&](const std::vector<Node>& members) {
        return std::ranges::all_of(members, [&](Node member) { return are_linked(member, node); });
      });
      if (clique == cliques.end()) {
        cliques.push_back({node});
      } else {
        clique->push_back(node);
      }
    }
  }
};

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  /// In 0..1, without 1.
  float fraction() { return static_cast<float>(engine_() >> 8U) * 0x1p-24F; }
  float between(float low, float high) { return low + (high - low) * fraction(); }
  float power_of_2(float low, float high) { return std::exp2(between(low, high)); }
  bool happens(float probability) { return fraction() < probability; }
  void shuffle(std::vector<Node>& nodes) { std::shuffle(nodes.begin(), nodes.end(), engine_); }

 private:
  std::mt19937 engine_;
};

struct Weights {
  float rarity, need, distance, noise;  // of links
  float holders, age;                   // of packets
  bool fresh_first;  // over all ports; over fewer the root always sends fresh packets first
  // Over fewer ports: a link weighs as much as its packet, and a packet more if few nodes hold it and if it has far to
  // go; `holders` counts to a power. A receiver that lacks much and is far from the root adds `lag`.
  bool by_packet = false;
  float power = 0, reach = 0, lag = 0;
  // Over all ports: fresh packets go to all neighbours of the root in a clique at once.
  bool by_clique = false;

  static Weights any(Random& random, bool fewer_ports) {
    Weights result{.rarity = random.power_of_2(-3, 3),
                   .need = random.happens(0.5F) ? 0 : random.between(0, 1),
                   .distance = random.happens(0.2F) ? 0 : random.between(0, 2),
                   .noise = random.power_of_2(-9, -1),
                   .holders = random.power_of_2(-2, 3),
                   .age = random.happens(0.5F) ? 0 : random.power_of_2(-6, 0),
                   .fresh_first = random.happens(0.8F)};
    if (!fewer_ports || random.happens(0.5F)) return result;
    result.by_packet = true;
    result.power = random.between(0, 1.5F);
    result.reach = random.between(0, 0.5F);
    result.lag = random.power_of_2(-1, 2);
    return result;
  }
  Weights neighbouring(Random& random) const {
    Weights result = *this;
    const auto vary = [&](float& weight) { weight *= random.power_of_2(-0.5F, 0.5F); };
    for (float* weight :
         {&result.rarity, &result.need, &result.distance, &result.noise, &result.holders, &result.age})
      vary(*weight);
    if (!by_packet) return result;
    for (float* weight : {&result.power, &result.reach, &result.lag}) vary(*weight);
    return result;
  }
};

// What a construction has to do, the same for all.
struct SearchedBroadcast {
  const SurvivingNetwork& network;
  Links links;
  Node root;
  std::uint32_t parts;
  PortModel ports;

  std::uint32_t port_limit() const { return ports.half_duplex() ? 1 : ports.sends(network.whole().degree()); }
  bool has_cliques() const {
    return uses_all_ports() &&
           std::ranges::any_of(links.cliques, [](const auto& clique) { return clique.size() > 1; });
  }
  // Every port of every node can be used in every round.
  bool uses_all_ports() const { return !ports.half_duplex() && port_limit() == network.whole().degree(); }
};

// One construction, with a window of 64 * words packets.
template <std::size_t words>
class Construction {
  using Slots = SlotSet<words>;
  static constexpr std::uint32_t window = Slots::capacity;

 public:
  Construction(const SearchedBroadcast& broadcast, const Weights& weights, std::uint32_t seed)
      : broadcast_(broadcast),
        links_(broadcast.links),
        limit_(broadcast.port_limit()),
        weights_(weights),
        random_(seed),
        matching_(links_.all, broadcast.network.whole().order(), broadcast.ports.half_duplex()),
        survivors_(static_cast<std::uint32_t>(broadcast.network.nodes().size())),
        in_window_(std::min(broadcast.parts, window)),
        has_(broadcast.network.whole().order()),
        received_(has_.size(), 0),
        holders_(window, 1),
        packet_weight_(window),
        tie_(window),
        reach_(window, 0),
        ports_sent_(has_.size(), 0),
        ports_received_(has_.size(), 0),
        slot_of_(links_.all.size(), 0),
        used_in_(links_.all.size(), 0),
        fresh_for_(weights.by_clique ? has_.size() : 0),
        clique_order_(links_.cliques.size()) {
    std::iota(clique_order_.begin(), clique_order_.end(), 0U);
    for (std::uint32_t s = 0; s < in_window_; ++s) has_[broadcast.root].insert(s);
    soon_ = has_;
  }

  // The rounds, or nothing if there would be `enough` or more.
  std::optional<schedule::Rounds> run(std::uint64_t enough) {
    std::uint64_t left = std::uint64_t{survivors_ - 1} * broadcast_.parts;
    const std::uint64_t most =
        broadcast_.ports.half_duplex() ? survivors_ / 2 : std::uint64_t{limit_} * (survivors_ - 1);
    rounds_.reserve(enough == UINT64_MAX ? 0 : enough, left);
    while (left > 0) {
      if (rounds_.size() + (left + most - 1) / most >= enough) return std::nullopt;
      left -= make_round();
    }
    return std::move(rounds_);
  }
  std::uint64_t links_seen() const { return links_seen_; }

 private:
  struct WeighedLink {
    float weight;
    std::uint32_t link;
  };

  std::uint64_t make_round() {
    const std::uint64_t before = rounds_.hop_count(), seen_before = links_seen_;
    weigh_packets();
    if (broadcast_.uses_all_ports()) {
      pull();
    } else {
      std::ranges::fill(ports_sent_, 0);
      std::ranges::fill(ports_received_, 0);
      for (std::uint32_t pass = 0; pass < limit_ && make_pass(); ++pass) {
      }
    }
    rounds_.close_round();
    has_ = soon_;
    move_window();
    // On a network of few links, the packets are the work.
    links_seen_ = std::max(links_seen_, seen_before + window);
    return rounds_.hop_count() - before;
  }

  void weigh_packets() {
    if (weights_.by_packet && rounds_.size() % reach_interval() == 0) measure_reaches();
    for (std::uint32_t s = 0; s < window; ++s) {
      const auto age = static_cast<float>((s + window - first_packet_ % window) % window);
      const float held = static_cast<float>(holders_[s]) / static_cast<float>(survivors_);
      packet_weight_[s] =
          weights_.age * (1 - age / window) +
          (weights_.by_packet ? 1 + 0.2F * weights_.holders * std::pow(held, -weights_.power) +
                                    weights_.reach * static_cast<float>(reach_[s])
                              : weights_.holders * (1 - held));
      tie_[s] = 0.3F * weights_.noise * random_.fraction();
    }
  }

  // Reaches change by one a round at most, so on large networks they are measured now and then.
  std::uint64_t reach_interval() const {
    constexpr std::uint64_t links_a_round = std::uint64_t{1} << 18;
    return 1 + links_.all.size() * std::min(window, broadcast_.parts) / links_a_round;
  }

  // By slot, the hops that the packet has to go to the farthest node.
  void measure_reaches() {
    for (std::uint32_t s = 0; s < std::min(window, broadcast_.parts); ++s) {
      const Slots slot = Slots::of(s);
      informed_.clear();
      is_informed_.assign(has_.size(), false);
      for (Node node = 0; node < has_.size(); ++node) {
        if ((has_[node] & slot).empty()) continue;
        informed_.push_back(node);
        is_informed_[node] = true;
      }
      reach_[s] = 0;
      for (std::size_t i = 0, level = informed_.size(); i < informed_.size(); ++i) {
        if (i == level) ++reach_[s], level = informed_.size();
        for (const DirectedLink& link : links_.into(informed_[i])) {
          if (is_informed_[link.from]) continue;
          is_informed_[link.from] = true;
          informed_.push_back(link.from);
        }
      }
    }
  }

  // What the root may send over so many links to one neighbour: while packets of the window have never been sent, the next ones of
  // them only. A full window moves on only if the root repeats a packet for a neighbour that has no other source.
  Slots sendable_by_root(std::uint32_t links = 1) const {
    if (next_fresh_ == in_window_ || !(weights_.fresh_first || !broadcast_.uses_all_ports()))
      return has_[broadcast_.root];
    Slots result;
    for (std::uint32_t packet = next_fresh_; packet < std::min(next_fresh_ + links, in_window_); ++packet)
      result.insert(packet % window);
    return result;
  }

  bool can_be_reached(Node node) const { return links_.distance[node] <= rounds_.size() + 1; }
  bool lacks_packets(Node node) const {
    return !links_.into(node).empty() && received_[node] < broadcast_.parts;
  }

  // How many of those around a node have each packet, or are about to.
  SlotCounts<words> counts_around(Node node) {
    links_seen_ += links_.served[node].size();
    SlotCounts<words> counts;
    for (const Node other : links_.served[node]) counts.add(soon_[other]);
    return counts;
  }

  // `shift` varies the ties from link to link.
  std::uint32_t best_of(const Slots& slots, std::uint32_t shift) const {
    std::uint32_t best = 0;
    float most = -1;
    slots.for_each([&](std::uint32_t s) {
      const float weight = packet_weight_[s] + tie_[(s + shift) % window];
      if (weight > most) best = s, most = weight;
    });
    return best;
  }

  void take(std::uint32_t link, std::uint32_t slot) {
    const auto [from, to, port] = links_.all[link];
    rounds_.add({packet_in(slot), from, port});
    soon_[to].insert(slot);
    ++received_[to], ++holders_[slot];
    if (from == broadcast_.root && packet_in(slot) >= next_fresh_) next_fresh_ = packet_in(slot) + 1;
  }

  // ---- all ports: every receiver pulls over every link

  void pull() {
    std::vector<Node>& near = neighbours_of_root_;
    if (rounds_.size() == 0) list_receivers();
    std::erase_if(receivers_, [&](Node node) { return !lacks_packets(node); });
    random_.shuffle(near);
    random_.shuffle(receivers_);
    if (weights_.by_clique) choose_fresh();
    for (const Node node : near) {
      if (lacks_packets(node)) pull_into(node);
    }
    for (const Node node : receivers_) {
      if (can_be_reached(node)) pull_into(node);
    }
  }

  // A fresh packet for each clique, as far as they last.
  void choose_fresh() {
    random_.shuffle(clique_order_);
    std::uint32_t packet = next_fresh_;
    for (const std::uint32_t clique : clique_order_) {
      const Slots slot = packet < in_window_ ? Slots::of(packet++ % window) : has_[broadcast_.root];
      for (const Node node : links_.cliques[clique]) fresh_for_[node] = slot;
    }
  }
  Slots sendable_to(Node node, Node from) const {
    if (from != broadcast_.root) return has_[from];
    return weights_.by_clique ? fresh_for_[node] : sendable_by_root(links_.from_root[node]);
  }

  void list_receivers() {
    for (Node node = 0; node < has_.size(); ++node) {
      if (lacks_packets(node))
        (links_.distance[node] == 1 ? neighbours_of_root_ : receivers_).push_back(node);
    }
  }

  // The links with the fewest packets to choose from come first; one without any left takes the packet of another
  // link that has a further choice.
  void pull_into(Node node) {
    const auto into = links_.into(node);
    const SlotCounts<words> counts = counts_around(node);
    order_.resize(into.size());
    std::iota(order_.begin(), order_.end(), 0U);
    news_.clear();
    for (const DirectedLink& link : into) news_.push_back(sendable_to(node, link.from).without(soon_[node]));
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return news_[i].size(); });
    chosen_.assign(into.size(), LinkMatching::no_link);
    Slots taken;
    const auto choose = [&](std::uint32_t i) {
      const Slots free = news_[i].without(taken);
      if (free.empty()) return false;
      chosen_[i] = best_of(counts.least(free).first, node + into[i].from);
      taken.insert(chosen_[i]);
      return true;
    };
    for (const std::uint32_t i : order_) {
      if (news_[i].empty() || choose(i)) continue;
      for (std::uint32_t j = 0; j < into.size(); ++j) {
        const std::uint32_t slot = chosen_[j];
        if (slot == LinkMatching::no_link || (news_[i] & Slots::of(slot)).empty() || !choose(j)) continue;
        chosen_[i] = slot;
        break;
      }
    }
    for (std::uint32_t i = 0; i < into.size(); ++i) {
      if (chosen_[i] != LinkMatching::no_link) take(links_.first[node] + i, chosen_[i]);
    }
  }

  // ---- fewer ports: a matching per port

  // Whether a link was matched.
  bool make_pass() {
    find_candidates();
    std::ranges::sort(candidates_, [](const WeighedLink& a, const WeighedLink& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.link < b.link;
    });
    order_.clear();
    for (const WeighedLink& candidate : candidates_) order_.push_back(candidate.link);
    bool any = false;
    for (const std::uint32_t link : matching_.match(order_)) {
      if (link == LinkMatching::no_link) continue;
      take(link, slot_of_[link]);
      used_in_[link] = static_cast<std::uint32_t>(rounds_.size() + 1);
      ++ports_sent_[links_.all[link].from], ++ports_received_[links_.all[link].to];
      any = true;
    }
    return any;
  }

  void find_candidates() {
    candidates_.clear();
    const Slots of_root = sendable_by_root();
    const bool fresh = next_fresh_ < in_window_;
    for (Node node = 0; node < has_.size(); ++node) {
      if (!lacks_packets(node) || ports_received_[node] == limit_ || !can_be_reached(node)) continue;
      const SlotCounts<words> counts = counts_around(node);
      for (std::uint32_t i = links_.first[node]; i < links_.first[node + 1]; ++i) {
        const Node from = links_.all[i].from;
        const bool by_root = from == broadcast_.root;
        const Slots news = (by_root ? of_root : has_[from]).without(soon_[node]);
        if (news.empty() || ports_sent_[from] == limit_ || used_in_[i] == rounds_.size() + 1) continue;
        const auto [rarest, count] = counts.least(news);
        slot_of_[i] = static_cast<std::uint16_t>(best_of(weights_.by_packet ? news : rarest, node + from));
        candidates_.push_back(
            {(by_root && fresh ? 100 : 0) +
                 (weights_.by_packet ? packet_weight(node, slot_of_[i]) : link_weight(node, count)),
             i});
      }
    }
  }

  static float share(std::uint64_t a, std::uint64_t b) {
    return static_cast<float>(a) / static_cast<float>(b);
  }

  float packet_weight(Node node, std::uint32_t slot) {
    const float lacking = 1 - share(received_[node], in_window_);
    return packet_weight_[slot] + weights_.lag * lacking * share(links_.distance[node], links_.farthest) +
           weights_.noise * random_.fraction();
  }

  float link_weight(Node node, std::uint32_t count) {
    return weights_.rarity * (1 - share(count, links_.into(node).size())) +
           weights_.need * (1 - share(received_[node], in_window_)) +
           weights_.distance * share(links_.distance[node], links_.farthest) +
           weights_.noise * random_.fraction();
  }

  // ---- the window

  std::uint32_t packet_in(std::uint32_t slot) const {
    return first_packet_ + (slot + window - first_packet_ % window) % window;
  }

  // Drops the oldest packets that all nodes have, and lets the root begin others.
  void move_window() {
    while (in_window_ < broadcast_.parts && holders_[first_packet_ % window] == survivors_) {
      const std::uint32_t slot = first_packet_ % window;
      for (Slots& slots : has_) slots.erase(slot);
      has_[broadcast_.root].insert(slot);
      holders_[slot] = 1;
      ++first_packet_, ++in_window_;
      soon_ = has_;
    }
  }

  const SearchedBroadcast& broadcast_;
  const Links& links_;
  std::uint32_t limit_;  // links per node and direction
  Weights weights_;
  Random random_;
  LinkMatching matching_;
  std::uint32_t survivors_;

  std::uint32_t first_packet_ = 0;  // of the window
  std::uint32_t in_window_;         // the end of the window
  std::uint32_t next_fresh_ = 0;    // the packet that the root sends next for the first time
  std::vector<Slots> has_, soon_;   // by node: before the round, and after what has been chosen of it
  std::vector<std::uint32_t> received_;
  std::vector<std::uint32_t> holders_;      // by slot
  std::vector<float> packet_weight_, tie_;  // by slot
  std::vector<std::uint32_t> reach_;        // by slot
  std::vector<Node> informed_;              // of one packet, by distance from its holders
  std::vector<bool> is_informed_;           // by node

  std::vector<Node> neighbours_of_root_, receivers_;  // that lack packets
  std::vector<Slots> news_;                           // by link into the receiver at hand
  std::vector<std::uint32_t> chosen_, order_;

  std::vector<std::uint32_t> ports_sent_, ports_received_;  // in this round
  std::vector<std::uint16_t> slot_of_;                      // by link: what it would carry
  std::vector<std::uint32_t> used_in_;  // by link: the last round that uses it, counted from 1
  std::vector<WeighedLink> candidates_;
  std::vector<Slots> fresh_for_;             // by node: what the root may send to the node in this round
  std::vector<std::uint32_t> clique_order_;  // of cliques
  std::uint64_t links_seen_ = 0;
  schedule::Rounds rounds_;
};

// Weights that are good on most networks: over all ports, and over fewer.
constexpr Weights usual{.rarity = 0.5,
                        .need = 0,
                        .distance = 1,
                        .noise = 0.01F,
                        .holders = 2.5,
                        .age = 0.02F,
                        .fresh_first = true};
constexpr Weights usual_of_fewer_ports = [] {
  Weights result = usual;
  result.noise = 0.005F;
  result.by_packet = true;
  result.power = 0.6F;
  result.reach = 0.2F;
  result.lag = 1.5;
  return result;
}();

template <std::size_t words>
schedule::Rounds best_found(const SearchedBroadcast& broadcast, const SearchLimits& limits) {
  Random random(limits.seed);
  const bool fewer_ports = !broadcast.uses_all_ports();
  const Weights first = fewer_ports ? usual_of_fewer_ports : usual;
  Weights best_weights = first;
  schedule::Rounds best;
  std::uint64_t enough = UINT64_MAX;
  SearchBudget budget(limits);
  for (std::uint32_t run = 1; enough > limits.target && budget.allows(run); ++run) {
    Weights weights = run == 1               ? first
                      : random.happens(0.6F) ? best_weights.neighbouring(random)
                                             : Weights::any(random, fewer_ports);
    weights.by_clique = run % 2 == 0 && broadcast.has_cliques();
    Construction<words> construction(broadcast, weights, limits.seed + run);
    if (auto rounds = construction.run(enough)) {
      enough = rounds->size();
      best = *std::move(rounds);
      best_weights = weights;
    }
    budget.spend(construction.links_seen());
  }
  return best;
}

// The packets under way if none waits long: those of the ports of the root, for as long as the farthest node takes.
std::uint64_t wanted_window(const SearchedBroadcast& broadcast) {
  return std::min<std::uint64_t>(broadcast.parts,
                                 std::uint64_t{4} * broadcast.port_limit() * (broadcast.links.farthest + 1));
}

}  // namespace

schedule::Schedule rarest_first_broadcast(const SurvivingNetwork& network, Node root, std::uint32_t parts,
                                          PortModel ports, const SearchLimits& limits) {
  const SearchedBroadcast broadcast{network, Links(network, root), root, parts, ports};
  const std::uint64_t packets = wanted_window(broadcast);
  schedule::Rounds rounds = packets <= 64    ? best_found<1>(broadcast, limits)
                            : packets <= 128 ? best_found<2>(broadcast, limits)
                            : packets <= 256 ? best_found<4>(broadcast, limits)
                                             : best_found<8>(broadcast, limits);
  return {ports,
          schedule::RoundKind::strict,
          {{schedule::Flow::copy, schedule::Replication::none(), {}, std::move(rounds)}}};
}

}  // namespace isotrope::algorithm
