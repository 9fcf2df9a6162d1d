// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/task_routing.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/interruption.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/link_list.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/irregular/deadline_routing.hpp"
#include "isotrope/algorithm/irregular/packet_routes.hpp"
#include "isotrope/algorithm/irregular/route_negotiation.hpp"

namespace isotrope::algorithm {
namespace {

using network::LinkList;
using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Packet;
using schedule::PacketId;

constexpr int walks = 3;
constexpr std::size_t beam_width = 8;

// The distances of a whole network, with the interface of SurvivingDistances.
class WholeDistances {
 public:
  explicit WholeDistances(const Network& network) : network_(network) {}

  std::uint32_t distance(Node from, Node to) const { return network_.distance(from, to); }

 private:
  const Network& network_;
};

// A count of what each node sends, and one of what it receives; under half duplex one of both.
class PortCounts {
 public:
  PortCounts(const Network& network, schedule::PortModel ports)
      : receipts_(ports.half_duplex() ? 0 : network.order()),
        counts_(std::size_t{network.order()} + receipts_, 0) {}

  std::uint32_t& of_sends(Node node) { return counts_[node]; }
  std::uint32_t& of_receipts(Node node) { return counts_[receipts_ + node]; }
  std::uint32_t of_sends(Node node) const { return counts_[node]; }
  std::uint32_t of_receipts(Node node) const { return counts_[receipts_ + node]; }

 private:
  std::size_t receipts_;  // where those of receipts begin
  std::vector<std::uint32_t> counts_;
};

// The packets over each link, and those that each node sends and receives.
class Loads {
 public:
  Loads(const LinkList& links, const Network& network, schedule::PortModel ports)
      : links_(links),
        ports_(ports),
        room_(ports.sends(network.degree())),
        of_link_(links.count(), 0),
        of_nodes_(network, ports) {}

  void add(Node from, LinkNumber link) { change(from, link, 1); }
  void take_out(Node from, LinkNumber link) { change(from, link, UINT32_MAX); }

  // What one more packet costs: the growth of a sum over links of squares of loads. With few ports that of a sum of fourth powers,
  // about, over nodes too, as those in the middle of a network are busiest, and no other way is as short as those through them.
  double cost(Node from, LinkNumber link) const {
    const double of_link = of_link_[link] + 0.5;
    if (ports_.kind == schedule::PortModel::Kind::all_port) return 2 * of_link;
    const auto cubed = [](double load) { return load * load * load; };
    const double sends = of_nodes_.of_sends(from) + 0.5,
                 receipts = of_nodes_.of_receipts(links_.to(link)) + 0.5;
    return cubed(of_link) + cubed(sends / room_) + cubed(receipts / room_);
  }

 private:
  void change(Node from, LinkNumber link, std::uint32_t by) {
    of_link_[link] += by;
    of_nodes_.of_sends(from) += by;
    of_nodes_.of_receipts(links_.to(link)) += by;
  }

  const LinkList& links_;
  schedule::PortModel ports_;
  double room_;  // packets of a node in a round, each way
  std::vector<std::uint32_t> of_link_;
  PortCounts of_nodes_;
};

// A search for shortest routes of all packets.
template <class Distances>
class RouteSearch {
 public:
  RouteSearch(const Distances& distances, const LinkList& links, std::span<const Packet> packets,
              const Network& network, schedule::PortModel ports)
      : distances_(distances),
        links_(links),
        packets_(packets),
        loads_(links, network, ports),
        places_(network.order()) {
    const Node order = network.order();
    std::uint64_t hops = 0;
    for (const Packet& packet : packets) hops += distances.distance(packet.origin, packet.to);
    if (hops > most_routed_hops) {
      throw Error(fmt::format(
          "a task of {} hops on {} nodes: at most {} can be listed; give fewer blocks or parts, or "
          "a smaller network",
          hops, order, most_routed_hops));
    }
    routes_.reserve(packets.size(), hops);
    for (const Packet& packet : packets) routes_.add(distances.distance(packet.origin, packet.to));
  }

  PacketRoutes run() {
    for (int turn = 0; turn < walks; ++turn) {
      for (PacketId id = 0; id < packets_.size(); ++id) {
        if (turn > 0) take_out(id);
        walk(id);
        check_interruption_at(id);
      }
    }
    return std::move(routes_);
  }

 private:
  // The last step of a way from the origin to a node.
  struct WalkStep {
    Node at;
    std::uint32_t before;  // the index of the step before in its level
    double cost;           // of the links so far
    LinkNumber link;
  };
  // Where the step to a node is in the level that is built.
  struct Place {
    std::uint64_t level = 0;  // its number, over all walks
    std::uint32_t step = 0;
  };

  static void check_interruption_at(PacketId id) {
    constexpr PacketId often = 1 << 12;
    if (id % often == 0) check_interruption();
  }

  void walk(PacketId id) {
    const Packet& packet = packets_[id];
    const std::span<LinkNumber> route = routes_.of(id);
    const auto distance = static_cast<std::uint32_t>(route.size());
    if (levels_.size() <= distance) levels_.resize(distance + 1);
    levels_[0].assign(1, {packet.origin, 0, 0, 0});
    for (std::uint32_t level = 0; level < distance; ++level)
      advance(levels_[level], levels_[level + 1], packet.to, distance - level);
    std::uint32_t step = 0;
    for (std::uint32_t level = distance; level > 0; --level) {
      const WalkStep& last = levels_[level][step];
      route[level - 1] = last.link;
      step = last.before;
      loads_.add(levels_[level - 1][step].at, last.link);
    }
  }

  // The lightest ways that are one step longer, one per node.
  void advance(const std::vector<WalkStep>& level, std::vector<WalkStep>& next, Node to, std::uint32_t left) {
    next.clear();
    ++level_;
    for (std::uint32_t i = 0; i < level.size(); ++i) {
      links_.for_each(level[i].at, [&](LinkNumber link, Node at) {
        if (distances_.distance(at, to) + 1 != left) return;
        const double cost = level[i].cost + loads_.cost(level[i].at, link);
        Place& place = places_[at];
        if (place.level != level_) {
          place = {level_, static_cast<std::uint32_t>(next.size())};
          next.push_back({at, i, cost, link});
        } else if (cost < next[place.step].cost) {
          next[place.step] = {at, i, cost, link};
        }
      });
    }
    if (next.size() == 1) return;
    const auto end = next.begin() + static_cast<std::ptrdiff_t>(std::min(next.size(), beam_width));
    std::partial_sort(next.begin(), end, next.end(), [](const WalkStep& a, const WalkStep& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.at < b.at;
    });
    next.erase(end, next.end());
  }

  void take_out(PacketId id) {
    Node at = packets_[id].origin;
    for (const LinkNumber link : routes_.of(id)) loads_.take_out(std::exchange(at, links_.to(link)), link);
  }

  const Distances& distances_;
  const LinkList& links_;
  std::span<const Packet> packets_;
  PacketRoutes routes_;
  Loads loads_;
  std::vector<std::vector<WalkStep>> levels_;  // of the current walk
  std::vector<Place> places_;                  // by node
  std::uint64_t level_ = 0;
};

// The port use of all nodes in the current round.
class PortsInUse {
 public:
  PortsInUse(const Network& network, schedule::PortModel model)
      : limit_(model.sends(network.degree())), in_use_(network, model) {}

  bool admit(Node from, Node to) {
    if (in_use_.of_sends(from) >= limit_ || in_use_.of_receipts(to) >= limit_) return false;
    ++in_use_.of_sends(from);
    ++in_use_.of_receipts(to);
    touched_.push_back(from);
    touched_.push_back(to);
    return true;
  }
  void next_round() {
    for (const Node node : touched_) in_use_.of_sends(node) = in_use_.of_receipts(node) = 0;
    touched_.clear();
  }

 private:
  Port limit_;
  PortCounts in_use_;
  std::vector<Node> touched_;
};

// Whose links are served first if ports are few: of the nodes with the most left to do, or those of the farthest packets.
enum class FirstServed { busiest, farthest };

// Which packets go over which links, and in which order, is known from the routes. So every link has a line of all its packets,
// and a bit for each that waits: a hop takes a look at the first bit of a line, and sets one in another.
class ListScheduling {
 public:
  ListScheduling(const Network& network, const LinkList& links, std::span<const Packet> packets,
                 const PacketRoutes& routes, schedule::PortModel ports, FirstServed first)
      : links_(links),
        limited_(ports.kind != schedule::PortModel::Kind::all_port),
        first_(first),
        ports_(network, ports),
        left_(network, ports),
        queues_(links.count()),
        on_route_(routes.places()) {
    line_up(farthest_first(network, packets, routes), routes);
    for (PacketId id = 0; id < packets.size(); ++id) {
      if (first_ == FirstServed::busiest) count_left(packets[id].origin, routes.of(id));
      if (!routes.of(id).empty()) join_queue(static_cast<Place>(routes.begin(id)), packets[id].origin);
    }
  }

  schedule::Rounds run() {
    schedule::Rounds rounds;
    rounds.reserve(0, line_.size());
    while (!busy_.empty()) {
      one_round(rounds);
      rounds.close_round();
    }
    return rounds;
  }

 private:
  using Place = std::uint32_t;  // in the array of all routes
  static constexpr Place none = UINT32_MAX;

  struct Hop {
    Place place;
    PacketId id;
  };
  struct Standing {
    LinkNumber link;
    std::uint32_t rank;  // in the line of the link
  };
  struct Queue {
    std::uint64_t line = 0;  // where the line begins
    std::uint64_t bits = 0;  // where the bits of those that wait begin, by rank
    std::uint32_t next = 0;  // no bit is in a word before
    std::uint32_t waiting = 0;
  };
  // A link for which packets wait.
  struct BusyLink {
    LinkNumber number;
    Node from;
  };

  // Packets by relative destination (destination - origin), then number: origins then start with different destinations and do
  // not compete for one link.
  static std::vector<PacketId> in_turn(const Network& network, std::span<const Packet> packets) {
    std::vector<std::uint64_t> ends(std::size_t{network.order()} + 1, 0);
    const auto relative = [&](const Packet& packet) {
      return network.group().subtract(packet.to, packet.origin);
    };
    for (const Packet& packet : packets) ++ends[relative(packet) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<PacketId> result(packets.size());
    for (PacketId id = 0; id < packets.size(); ++id) result[ends[relative(packets[id])]++] = id;
    return result;
  }

  // All hops, those with the most hops to go first, then in turn; last ones come last.
  static std::vector<Hop> farthest_first(const Network& network, std::span<const Packet> packets,
                                         const PacketRoutes& routes) {
    std::vector<std::uint64_t> ends;  // by hops to go
    for (PacketId id = 0; id < packets.size(); ++id) {
      const std::size_t hops = routes.of(id).size();
      if (ends.size() <= hops) ends.resize(hops + 1, 0);
      ++ends[hops];
    }
    std::uint64_t at_least = 0, end = 0;
    for (std::size_t to_go = ends.size(); to_go-- > 1;) {
      at_least += ends[to_go];
      ends[to_go] = std::exchange(end, end + at_least);
    }
    std::vector<Hop> result(end);
    for (const PacketId id : in_turn(network, packets)) {
      auto place = static_cast<Place>(routes.begin(id));
      for (std::size_t to_go = routes.of(id).size(); to_go > 0; --to_go)
        result[ends[to_go]++] = {place++, id};
    }
    return result;
  }

  void line_up(const std::vector<Hop>& hops, const PacketRoutes& routes) {
    std::vector<std::uint32_t> lengths(queues_.size(), 0);
    for (const Hop& hop : hops) {
      const LinkNumber link = routes.link(hop.place);
      on_route_[hop.place] = {link, lengths[link]++};
    }
    std::uint64_t bits = 0, line = 0;
    for (LinkNumber link = 0; link < queues_.size(); ++link) {
      queues_[link].line = std::exchange(line, line + lengths[link]);
      queues_[link].bits = std::exchange(bits, bits + (lengths[link] + 63) / 64);
    }
    bits_.assign(bits, 0);
    line_.resize(line);
    if (limited_) order_.resize(line);
    const std::size_t first_of_last = hops.size() - packets_that_move(routes);
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const auto [link, rank] = on_route_[hops[i].place];
      line_[queues_[link].line + rank] = {i < first_of_last ? hops[i].place : none, hops[i].id};
      if (limited_) order_[queues_[link].line + rank] = static_cast<std::uint32_t>(i);
    }
  }

  static std::size_t packets_that_move(const PacketRoutes& routes) {
    std::size_t result = 0;
    for (PacketId id = 0; id < routes.size(); ++id) result += routes.of(id).empty() ? 0 : 1;
    return result;
  }

  void join_queue(Place place, Node at) {
    const auto [link, rank] = on_route_[place];
    Queue& queue = queues_[link];
    if (queue.waiting++ == 0) busy_.push_back({link, at});
    bits_[queue.bits + rank / 64] |= std::uint64_t{1} << rank % 64;
    queue.next = std::min(queue.next, rank / 64);
  }

  // The rank of the first one that waits. @pre one does.
  std::uint32_t first_in_line(LinkNumber link) {
    Queue& queue = queues_[link];
    while (bits_[queue.bits + queue.next] == 0) ++queue.next;
    return queue.next * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_[queue.bits + queue.next]));
  }

  // Of equally busy nodes those with the farthest packets come first.
  void sort_busy() {
    struct Turn {
      std::uint32_t left, order;
      BusyLink link;
    };
    std::vector<Turn> turns;
    turns.reserve(busy_.size());
    for (const BusyLink& link : busy_) {
      const std::uint32_t order = order_[queues_[link.number].line + first_in_line(link.number)];
      turns.push_back({first_ == FirstServed::busiest ? most_left(link) : 0, order, link});
    }
    std::ranges::sort(turns, [](const Turn& a, const Turn& b) {
      return a.left != b.left ? a.left > b.left : a.order < b.order;
    });
    std::ranges::transform(turns, busy_.begin(), &Turn::link);
  }
  std::uint32_t most_left(const BusyLink& link) const {
    return std::max(left_.of_sends(link.from), left_.of_receipts(links_.to(link.number)));
  }
  void count_left(Node from, std::span<const LinkNumber> route) {
    for (const LinkNumber link : route) {
      ++left_.of_sends(from);
      from = links_.to(link);
      ++left_.of_receipts(from);
    }
  }

  void one_round(schedule::Rounds& rounds) {
    if (limited_) sort_busy();
    arrivals_.clear();
    std::vector<BusyLink> links;
    links.swap(busy_);
    for (const BusyLink& link : links) {
      send_over(link, rounds);
      if (queues_[link.number].waiting > 0) busy_.push_back(link);
    }
    ports_.next_round();
    for (const auto& [place, at] : arrivals_) join_queue(place, at);
  }

  void send_over(const BusyLink& link, schedule::Rounds& rounds) {
    const Node to = links_.to(link.number);
    if (limited_ && !ports_.admit(link.from, to)) return;
    Queue& queue = queues_[link.number];
    const std::uint32_t rank = first_in_line(link.number);
    bits_[queue.bits + rank / 64] &= ~(std::uint64_t{1} << rank % 64);
    --queue.waiting;
    const auto [place, id] = line_[queue.line + rank];
    if (first_ == FirstServed::busiest) {
      --left_.of_sends(link.from);
      --left_.of_receipts(to);
    }
    rounds.add({id, link.from, links_.port(link.from, link.number)});
    if (place != none) arrivals_.emplace_back(place + 1, to);
  }

  const LinkList& links_;
  bool limited_;
  FirstServed first_;
  PortsInUse ports_;
  PortCounts left_;                   // packets to send and to receive, if the busiest are first served
  std::vector<Queue> queues_;         // by link
  std::vector<Standing> on_route_;    // by place
  std::vector<Hop> line_;             // the lines of all links; without a place for last hops
  std::vector<std::uint32_t> order_;  // with few ports: the same, of all hops
  std::vector<std::uint64_t> bits_;
  std::vector<BusyLink> busy_;
  std::vector<std::pair<Place, Node>> arrivals_;
};

std::uint64_t packet_count(std::span<const schedule::Delivery> deliveries, std::uint32_t parts) {
  std::uint64_t blocks = 0;
  for (const schedule::Delivery& delivery : deliveries) blocks += delivery.blocks;
  return blocks > UINT32_MAX ? UINT64_MAX : blocks * parts;
}

schedule::Stage listed_stage(const Network& network, std::span<const schedule::Delivery> deliveries,
                             std::uint32_t parts) {
  if (packet_count(deliveries, parts) > UINT32_MAX) {
    throw Error(fmt::format("a task of more than {} packets: give fewer blocks or parts", UINT32_MAX));
  }
  return {schedule::Flow::move, schedule::Replication::none(), packets_of(network, deliveries, parts), {}};
}

// Packets that never wait. Each takes the ports that lead closer in cyclic order from one on that is drawn for it: on
// products axis after axis, and all axes are the first equally often, so that loads are even.
class AtOnce {
 public:
  AtOnce(const SurvivingNetwork& network, std::span<const Packet> packets)
      : network_(network), distances_(network, packets) {}

  void send(PacketId id, const Packet& packet) {
    std::uint32_t left = distances_.distance(packet.origin, packet.to);
    if (left == 0) return;
    if (hops_.size() < left) hops_.resize(left);
    const Port first = random_.below(network_.whole().degree());
    Node at = packet.origin;
    for (std::size_t round = 0; left > 0; ++round, --left) {
      const Port port = next(at, packet.to, left, first);
      hops_[round].push_back({id, at, port});
      at = network_.whole().neighbour(at, port);
    }
  }

  // By round.
  const std::vector<std::vector<schedule::Hop>>& hops() const { return hops_; }

 private:
  Port next(Node at, Node to, std::uint32_t left, Port first) const {
    Port least = UINT32_MAX, result = 0;
    network_.for_each_neighbour(at, [&](Port port, Node neighbour) {
      const Port turn = port >= first ? port - first : port + network_.whole().degree() - first;
      if (turn >= least || distances_.distance(neighbour, to) >= left) return;
      least = turn;
      result = port;
    });
    return result;
  }

  const SurvivingNetwork& network_;
  SurvivingDistances distances_;
  SplitMix random_{1};
  std::vector<std::vector<schedule::Hop>> hops_;
};

// One round fewer, again and again, while the search finds how.
void lower_deadline(const SurvivingNetwork& network, schedule::Stage& stage, schedule::PortModel ports,
                    const SearchLimits& limits) {
  constexpr std::uint32_t passes = 200, seeds = 8;
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 24;
  SearchBudget budget(limits);
  for (std::uint32_t seed = 0; seed < seeds;) {
    const std::uint64_t rounds = stage.rounds.size();
    if (rounds <= limits.target || rounds * network.whole().directed_links() > most_slots) return;
    auto fewer =
        route_by_deadline(network, stage.packets, ports, rounds - 1, passes, limits.seed + seed, budget);
    seed = fewer ? 0 : seed + 1;
    if (fewer) stage.rounds = *std::move(fewer);
  }
}

schedule::Rounds fewer(schedule::Rounds first, schedule::Rounds second) {
  if (second.size() < first.size()) return second;
  return first;
}

// Over all ports links are busiest, and around failures detours help until the busiest one has `enough` packets; over one port and
// half duplex nodes are. Over several ports either may be: the better routes count.
schedule::Rounds rounds_of(const SurvivingNetwork& network, std::span<const Packet> packets,
                           schedule::PortModel ports, std::uint64_t enough) {
  using Kind = schedule::PortModel::Kind;
  const Network& whole = network.whole();
  const LinkList links(network);
  const auto scheduled = [&](const PacketRoutes& routes) {
    const auto served = [&](FirstServed first) {
      return ListScheduling(whole, links, packets, routes, ports, first).run();
    };
    if (ports.kind == Kind::all_port) return served(FirstServed::farthest);
    return fewer(served(FirstServed::busiest), served(FirstServed::farthest));
  };
  if (network.failures().empty())
    return scheduled(RouteSearch(WholeDistances(whole), links, packets, whole, ports).run());
  const SurvivingDistances distances(network, packets);
  const auto with_detours = [&] {
    PacketRoutes shortest = RouteSearch(distances, links, packets, whole, schedule::PortModel::all()).run();
    return scheduled(negotiate(distances, links, packets, std::move(shortest), enough));
  };
  if (ports.kind == Kind::all_port) return with_detours();
  schedule::Rounds direct = scheduled(RouteSearch(distances, links, packets, whole, ports).run());
  if (ports.kind == Kind::k_port) return fewer(std::move(direct), with_detours());
  return direct;
}

}  // namespace

schedule::Schedule task_routing(const SurvivingNetwork& network,
                                std::span<const schedule::Delivery> deliveries, std::uint32_t parts,
                                schedule::PortModel ports, const SearchLimits& limits) {
  schedule::Stage stage = listed_stage(network.whole(), deliveries, parts);
  stage.rounds = rounds_of(network, stage.packets, ports, limits.target);
  if (limits.runs > 1) lower_deadline(network, stage, ports, limits);
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

schedule::Schedule merged_task_routing(const SurvivingNetwork& network,
                                       std::span<const schedule::Delivery> deliveries, std::uint32_t parts) {
  schedule::Stage stage = listed_stage(network.whole(), deliveries, parts);
  AtOnce way(network, stage.packets);
  for (PacketId id = 0; id < stage.packets.size(); ++id) way.send(id, stage.packets[id]);
  append(way.hops(), stage.rounds);
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
