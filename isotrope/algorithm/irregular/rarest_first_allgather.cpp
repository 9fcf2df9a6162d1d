// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/rarest_first_allgather.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/irregular/locally_rarest.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::PacketId;
using schedule::PortModel;

// The packets per link that a round considers: the most, and the fewest on large networks, where all links together are
// to consider about so many.
constexpr std::uint32_t most_candidates = 64, fewest_candidates = 8;
constexpr std::uint64_t candidates_in_all = std::uint64_t{1} << 28;
// The most searches, and the most packets that all searches together consider.
constexpr std::uint32_t most_searches = 32;
constexpr std::uint64_t most_work = std::uint64_t{1} << 24;
constexpr std::uint64_t most_holdings = std::uint64_t{1} << 28;

// The packets of every node.
class PacketHolders {
 public:
  PacketHolders(Node nodes, std::uint32_t packets)
      : words_((packets + 63) / 64),
        bits_(std::uint64_t{nodes} * words_, 0),
        counts_(nodes, 0),
        holders_(packets, 0) {}

  void add(Node node, PacketId packet) {
    bits_[node * words_ + packet / 64] |= std::uint64_t{1} << packet % 64;
    ++counts_[node];
    ++holders_[packet];
  }
  // The number of packets of a node, and of nodes that hold a packet.
  std::uint32_t count(Node node) const { return counts_[node]; }
  std::uint32_t holders(PacketId packet) const { return holders_[packet]; }

  bool has_news(Node from, Node to) const {
    for (std::uint64_t word = 0; word < words_; ++word) {
      if (news(from, to, word) != 0) return true;
    }
    return false;
  }
  // Calls `function(packet)` for the packets that `from` holds and `to` lacks, cyclically from a word on, until
  // `function` returns false.
  template <class Function>
  void for_each_news(Node from, Node to, std::uint64_t first_word, Function&& function) const {
    if (for_each_news_in(from, to, first_word, words_, function))
      for_each_news_in(from, to, 0, first_word, function);
  }
  std::uint64_t words() const { return words_; }

 private:
  // The news in words begin..end-1; whether `function` wants more.
  template <class Function>
  bool for_each_news_in(Node from, Node to, std::uint64_t begin, std::uint64_t end,
                        Function& function) const {
    for (std::uint64_t word = begin; word < end; ++word) {
      for (std::uint64_t rest = news(from, to, word); rest != 0; rest &= rest - 1) {
        if (!function(static_cast<PacketId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(rest)))))
          return false;
      }
    }
    return true;
  }
  std::uint64_t news(Node from, Node to, std::uint64_t word) const {
    return bits_[from * words_ + word] & ~bits_[to * words_ + word];
  }

  std::uint64_t words_;
  std::vector<std::uint64_t> bits_;  // by node, then packet
  std::vector<std::uint32_t> counts_, holders_;
};

// An incoming link of a node.
struct Incoming {
  Node from;
  Port port;  // of the sender
};

// The links of one round; of(node) lists the links into a node.
class ActiveLinks {
 public:
  ActiveLinks(Node nodes, std::uint32_t limit)
      : limit_(limit), of_(nodes), served_(nodes), is_visited_(nodes, false) {}

  const std::vector<Incoming>& of(Node receiver) const { return of_[receiver]; }

  void clear() {
    for (auto& links : of_) links.clear();
    for (auto& receivers : served_) receivers.clear();
    forget(visited_.size());
  }
  void add(Node receiver, Incoming link) {
    of_[receiver].push_back(link);
    served_[link.from].push_back(receiver);
  }
  bool idle(Node node) const { return of_[node].empty() && served_[node].empty(); }

  // Adds a link to `receiver`, one that `useful` lists, and reroutes other receivers if necessary. Senders that a search in vain
  // has seen stay visited in this round: whatever is added later, no way from them leads to a sender with room.
  template <class Useful>
  bool augment(Node receiver, const Useful& useful) {
    if (of_[receiver].size() >= limit_) return false;
    const std::size_t before = visited_.size();
    if (!reach(receiver, useful)) return false;
    forget(visited_.size() - before);
    return true;
  }

 private:
  void forget(std::size_t last) {
    for (; last > 0; --last) {
      is_visited_[visited_.back()] = false;
      visited_.pop_back();
    }
  }

  // A sender with room is taken before others are asked to make room: most searches end there.
  template <class Useful>
  bool reach(Node receiver, const Useful& useful) {
    for (const Incoming& link : useful(receiver)) {
      if (served_[link.from].size() >= limit_ || receives_from(receiver, link.from)) continue;
      add(receiver, link);
      return true;
    }
    for (const Incoming& link : useful(receiver)) {
      if (is_visited_[link.from] || receives_from(receiver, link.from)) continue;
      is_visited_[link.from] = true;
      visited_.push_back(link.from);
      if (!make_room(link.from, useful)) continue;
      add(receiver, link);
      return true;
    }
    return false;
  }

  // Finds another sender for one of the receivers that `sender` serves.
  template <class Useful>
  bool make_room(Node sender, const Useful& useful) {
    for (std::size_t i = 0; i < served_[sender].size(); ++i) {
      const Node receiver = served_[sender][i];
      if (!reach(receiver, useful)) continue;
      std::erase_if(of_[receiver], [&](const Incoming& link) { return link.from == sender; });
      std::erase(served_[sender], receiver);
      return true;
    }
    return false;
  }

  bool receives_from(Node receiver, Node sender) const {
    return std::any_of(of_[receiver].begin(), of_[receiver].end(),
                       [&](const Incoming& link) { return link.from == sender; });
  }

  std::uint32_t limit_;
  std::vector<std::vector<Incoming>> of_;
  std::vector<std::vector<Node>> served_;  // receivers, by sender
  std::vector<bool> is_visited_;           // by sender
  std::vector<Node> visited_;
};

class RarestFirst {
 public:
  RarestFirst(const SurvivingNetwork& network, std::span<const schedule::Packet> packets, PortModel ports,
              std::uint32_t candidates, std::uint32_t seed)
      : candidates_of_link_(candidates),
        packets_(static_cast<std::uint32_t>(packets.size())),
        ports_(ports),
        limit_(ports.sends(network.whole().degree())),
        random_(seed),
        holdings_(network.whole().order(), packets_),
        active_(network.whole().order(), limit_),
        incoming_(network.whole().order()),
        useful_(network.whole().order()),
        receivers_(network.nodes()) {
    for (PacketId id = 0; id < packets_; ++id) holdings_.add(packets[id].origin, id);
    for (const Node node : receivers_) {
      network.for_each_neighbour(node, [&](Port port, Node neighbour) {
        incoming_[node].push_back({neighbour, network.whole().opposite(port)});
      });
    }
  }

  // The schedule, or nothing if the search needs `enough` rounds or more.
  std::optional<schedule::Rounds> run(std::uint64_t enough) {
    schedule::Rounds rounds;
    rounds.reserve(0, packets_ * (receivers_.size() - 1));
    while (drop_complete_receivers()) {
      if (rounds.size() + 1 >= enough) return std::nullopt;
      choose_links();
      arrivals_.clear();
      for (const Node receiver : receivers_) choose_packets(receiver, rounds);
      rounds.close_round();
      for (const auto& [node, packet] : arrivals_) holdings_.add(node, packet);
    }
    return rounds;
  }

 private:
  bool drop_complete_receivers() {
    std::erase_if(receivers_, [&](Node node) { return holdings_.count(node) == packets_; });
    return !receivers_.empty();
  }

  void choose_links() {
    active_.clear();
    std::shuffle(receivers_.begin(), receivers_.end(), random_);
    for (const Node receiver : receivers_) {
      useful_[receiver].clear();
      for (const Incoming& link : incoming_[receiver]) {
        if (holdings_.has_news(link.from, receiver)) useful_[receiver].push_back(link);
      }
    }
    if (ports_.kind == PortModel::Kind::all_port) {
      for (const Node receiver : receivers_) {
        for (const Incoming& link : useful_[receiver]) active_.add(receiver, link);
      }
      return;
    }
    std::stable_sort(receivers_.begin(), receivers_.end(),
                     [&](Node a, Node b) { return holdings_.count(a) < holdings_.count(b); });
    for (const Node receiver : receivers_)
      std::shuffle(useful_[receiver].begin(), useful_[receiver].end(), random_);
    if (ports_.half_duplex()) {
      pair_up();
    } else {
      match();
    }
  }

  void pair_up() {
    for (const Node receiver : receivers_) {
      if (!active_.idle(receiver)) continue;
      const auto partner = std::find_if(useful_[receiver].begin(), useful_[receiver].end(),
                                        [&](const Incoming& link) { return active_.idle(link.from); });
      if (partner != useful_[receiver].end()) active_.add(receiver, *partner);
    }
  }

  void match() {
    const auto useful = [&](Node receiver) -> const std::vector<Incoming>& { return useful_[receiver]; };
    for (std::uint32_t link = 0; link < limit_; ++link) {
      for (const Node receiver : receivers_) active_.augment(receiver, useful);
    }
  }

  struct PacketChoice {
    std::uint64_t order;  // its holders, and a number that breaks ties
    PacketId packet;
  };

  // Gives different packets to the links of a receiver, to as many links as possible.
  void choose_packets(Node receiver, schedule::Rounds& rounds) {
    const std::vector<Incoming>& links = active_.of(receiver);
    candidates_.resize(std::max(candidates_.size(), links.size()));
    carried_.assign(links.size(), std::nullopt);
    for (std::size_t i = 0; i < links.size(); ++i)
      find_rarest(links[i].from, receiver, links.size(), candidates_[i]);
    for (std::size_t i = 0; i < links.size(); ++i) {
      tried_.clear();
      assign(i, links.size());
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!carried_[i]) continue;
      rounds.add({*carried_[i], links[i].from, links[i].port});
      arrivals_.emplace_back(receiver, *carried_[i]);
    }
  }

  // As many candidates as links are enough: the other links take all but one at most.
  void find_rarest(Node from, Node to, std::size_t wanted, std::vector<PacketChoice>& result) {
    result.clear();
    const std::uint32_t salt = static_cast<std::uint32_t>(random_()) | 1;
    std::uint32_t seen = 0;
    const auto rarer = [](const PacketChoice& a, const PacketChoice& b) { return a.order < b.order; };
    holdings_.for_each_news(from, to, random_() % holdings_.words(), [&](PacketId packet) {
      const std::uint32_t tie = (packet + 1) * salt;
      const PacketChoice candidate{std::uint64_t{holdings_.holders(packet)} << 32 | tie, packet};
      if (result.size() < wanted) {
        result.push_back(candidate);
        std::push_heap(result.begin(), result.end(), rarer);
      } else if (rarer(candidate, result.front())) {
        std::pop_heap(result.begin(), result.end(), rarer);
        result.back() = candidate;
        std::push_heap(result.begin(), result.end(), rarer);
      }
      return ++seen < candidates_of_link_;
    });
    std::sort_heap(result.begin(), result.end(), rarer);
  }

  bool assign(std::size_t link, std::size_t links) {
    for (const PacketChoice& candidate : candidates_[link]) {
      const PacketId packet = candidate.packet;
      if (std::find(tried_.begin(), tried_.end(), packet) != tried_.end()) continue;
      tried_.push_back(packet);
      std::size_t holder = 0;
      while (holder < links && carried_[holder] != packet) ++holder;
      if (holder == links || assign(holder, links)) {
        carried_[link] = packet;
        return true;
      }
    }
    return false;
  }

  std::uint32_t candidates_of_link_;
  std::uint32_t packets_;
  PortModel ports_;
  std::uint32_t limit_;
  std::mt19937 random_;
  PacketHolders holdings_;
  ActiveLinks active_;
  std::vector<std::vector<Incoming>> incoming_;  // by receiver
  std::vector<std::vector<Incoming>> useful_;    // by receiver: links with news in this round
  std::vector<Node> receivers_;                  // nodes that lack packets
  std::vector<std::vector<PacketChoice>> candidates_;
  std::vector<std::optional<PacketId>> carried_;  // by link of the receiver at hand
  std::vector<PacketId> tried_;
  std::vector<std::pair<Node, PacketId>> arrivals_;
};

// In orbits, each from the first node of its orbit; one after the other without symmetry.
std::vector<schedule::Packet> packets_of(const SurvivingNetwork& network, std::uint32_t parts,
                                         schedule::SymmetryAxes symmetry) {
  const schedule::Symmetries symmetries(network.whole(), symmetry);
  std::vector<schedule::Packet> result;
  for (const Node origin : network.nodes()) {
    if (symmetries.first(origin) != origin) continue;
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (std::uint32_t i = 0; i < symmetries.size(); ++i)
        result.push_back({symmetries.image(i, origin), schedule::to_all, 0, part});
    }
  }
  return result;
}

class Search {
 public:
  Search(const SurvivingNetwork& network, std::uint32_t parts, PortModel ports)
      : network_(network), parts_(parts), ports_(ports) {
    const schedule::Task task{schedule::Collective::allgather, 0, parts};
    bound_ = bound::lower_bounds({network.whole(), network.failures(), task, ports}).front().value;
    work_ = std::max<std::uint64_t>(network.links() * network.nodes().size() * parts * 2, 1);
  }

  schedule::Stage run() {
    if (ports_.kind == PortModel::Kind::all_port) {
      const schedule::SymmetryAxes symmetry = schedule::symmetry_axes(network_.whole(), network_.failures());
      if (!symmetry.empty()) pull(symmetry);
      pull({});
    }
    const auto candidates = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(candidates_in_all / work_, fewest_candidates, most_candidates));
    search({}, [&](std::span<const schedule::Packet> packets, std::uint32_t seed) {
      return RarestFirst(network_, packets, ports_, candidates, seed).run(enough_);
    });
    return std::move(best_);
  }

 private:
  void pull(schedule::SymmetryAxes symmetry) {
    search(symmetry, [&](std::span<const schedule::Packet> packets, std::uint32_t seed) {
      return locally_rarest_rounds(network_, packets, enough_, seed, symmetry);
    });
  }

  template <class Construct>
  void search(schedule::SymmetryAxes symmetry, const Construct& construct) {
    if (enough_ <= bound_) return;
    const std::uint64_t searches = std::clamp<std::uint64_t>(most_work / work_, 1, most_searches);
    const std::vector<schedule::Packet> packets = packets_of(network_, parts_, symmetry);
    for (std::uint32_t seed = 1; seed <= searches && enough_ > bound_; ++seed) {
      if (auto rounds = construct(packets, seed)) {
        enough_ = rounds->size();
        best_ = {schedule::Flow::copy, schedule::Replication::none(), packets, *std::move(rounds)};
        best_.symmetry = symmetry;
      }
    }
  }

  const SurvivingNetwork& network_;
  std::uint32_t parts_;
  PortModel ports_;
  std::uint64_t bound_, work_, enough_ = UINT64_MAX;
  schedule::Stage best_{.flow = schedule::Flow::copy, .replication = {}, .packets = {}, .rounds = {}};
};

}  // namespace

schedule::Schedule rarest_first_allgather(const SurvivingNetwork& network, std::uint32_t parts,
                                          PortModel ports) {
  const std::uint64_t nodes = network.nodes().size();
  if (nodes * parts >= most_holdings / nodes) {
    throw Error(fmt::format(
        "{} nodes of {} with {} parts each: an allgather around failures is planned for less than "
        "2^28 pairs of a node and a packet; give fewer parts or a smaller network",
        nodes, network.whole().name(), parts));
  }
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(Search(network, parts, ports).run());
  return result;
}

}  // namespace isotrope::algorithm
