// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/packet_simulator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <deque>
#include <iterator>
#include <limits>
#include <memory_resource>
#include <numeric>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/huge_pages.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/simulate/packet_queue.hpp"

namespace isotrope::simulate {
namespace {

using schedule::Delivery;
using schedule::PortModel;
using schedule::RelativeDestination;
using Order = RoutingPolicy::Order;

// The priority of a packet in the order: 0 is served first.
class Priorities {
 public:
  Priorities(Order order, std::uint32_t farthest) : order_(order), farthest_(std::max(farthest, 1U)) {}

  std::uint32_t count() const { return order_ == Order::random || order_ == Order::oldest ? 1 : farthest_; }
  // The priority at the origin of a packet with 1..farthest hops to go.
  std::uint32_t first(std::uint32_t hops) const {
    switch (order_) {
      case Order::nearest:
        return hops - 1;
      case Order::farthest:
      case Order::largest_residual:
        return farthest_ - hops;
      case Order::random:
      case Order::oldest:
        break;
    }
    return 0;
  }
  // The priority one hop later.
  std::uint32_t next(std::uint32_t priority) const {
    if (order_ == Order::nearest) return priority - 1;
    if (order_ == Order::largest_residual) return priority + 1;
    return priority;
  }

 private:
  Order order_;
  std::uint32_t farthest_;
};

// Memory for queues in large pieces of huge pages: with 4 KiB pages the translation of addresses takes most of the
// time.
class HugePages : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t /*alignment*/) override { return allocate_huge(bytes); }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t /*alignment*/) override {
    free_huge(memory, bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
constexpr double picoseconds_a_second = 1e12;
constexpr std::size_t first_piece = std::size_t{1} << 23;

// The queues of all nodes, one per node and priority, with a bit for each that is not empty.
template <class Queue>
class Queues {
 public:
  Queues(std::uint64_t nodes, std::uint32_t priorities)
      : priorities_(priorities), words_((priorities - 1) / 64 + 1) {
    queues_.reserve(nodes * priorities);
    for (std::uint64_t i = 0; i < nodes * priorities; ++i) queues_.emplace_back(&arena_);
    waiting_.resize(nodes * words_);
  }

  Queue& at(Node node, std::uint32_t priority) {
    return queues_[std::uint64_t{node} * priorities_ + priority];
  }
  void push(Node node, std::uint32_t priority, Node packet) {
    at(node, priority).push(packet);
    waiting_[std::uint64_t{node} * words_ + priority / 64] |= std::uint64_t{1} << priority % 64;
  }
  void mix(SplitMix& random) {
    for (Queue& queue : queues_) queue.mix(random);
  }

  // As Queue::offer, over all priorities in turn; take also gets the priority.
  template <class Take, class Done>
  bool offer(Node node, SplitMix& random, Take take, Done done) {
    for (std::uint32_t word = 0; word < words_; ++word) {
      std::uint64_t& waiting = waiting_[std::uint64_t{node} * words_ + word];
      for (std::uint64_t left = waiting; left != 0; left &= left - 1) {
        const auto priority = word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
        Queue& queue = at(node, priority);
        const bool all = queue.offer(
            random, [&](Node packet) { return take(packet, priority); }, done);
        if (queue.empty()) waiting ^= left & (0 - left);
        if (!all) return false;
      }
    }
    return true;
  }

 private:
  std::uint32_t priorities_;
  std::uint32_t words_;  // of 64 priorities
  HugePages pages_;
  std::pmr::monotonic_buffer_resource arena_{first_piece, &pages_};  // outlives the queues
  std::vector<Queue> queues_;
  std::vector<std::uint64_t> waiting_;  // a bit per queue
};

// The input of a run.
struct Setting {
  const Network& network;
  const PacketTask& task;
  RoutingPolicy policy;
  Port at_once;
  const ShortestPaths& paths;
  const TimedHops* timed;  // none: hops take a round
  std::uint32_t farthest;
};

template <class Group, class Queue>
class RoutingRun {
 public:
  RoutingRun(const Setting& setting, const Group& group, std::uint64_t seed, const PacketRunOptions& options)
      : setting_(setting),
        group_(group),
        paths_(setting.paths),
        generators_(setting.network.generators().data()),
        degree_(setting.network.degree()),
        symmetric_(setting.policy.symmetric),
        limited_(!symmetric_ && setting.at_once < degree_),
        options_(options),
        random_(seed),
        priorities_(setting.policy.order, setting.farthest),
        states_(symmetric_ ? 1 : setting.network.order()),
        queues_(states_.size(), priorities_.count()),
        under_way_(setting.timed == nullptr ? 0 : setting.timed->classes()) {
    result_.port_transmissions.resize(degree_);
    result_.delays.resize(1);
    fill();
    queues_.mix(random_);
  }

  PacketRun finish() {
    if (setting_.timed != nullptr) {
      run_by_time();
    } else {
      run_by_rounds();
    }
    result_.complete = waiting_ == 0;
    for (const NodeState& state : states_)
      result_.longest_queue = std::max(result_.longest_queue, state.packets);
    count_all_nodes();
    return std::move(result_);
  }

 private:
  void run_by_rounds() {
    std::uint64_t waited = 0;  // waiting packets, summed over rounds
    while (waiting_ > 0 && result_.rounds < options_.most_rounds) {
      waited += waiting_;
      do_round();
      if (options_.progress) options_.progress(static_cast<double>(sent_) / static_cast<double>(hops_));
    }
    if (result_.rounds > 0) {
      result_.mean_queue = static_cast<double>(waited) / static_cast<double>(result_.rounds) /
                           static_cast<double>(states_.size());
    }
  }

  // Until all has arrived: the packets that arrive next are put into the queues, and what has changed there is served.
  void run_by_time() {
    double waited = 0;  // waiting packets, summed over picoseconds
    for (Node node = 0; node < states_.size(); ++node) touch(node);
    while (waiting_ > 0) {
      serve_touched();
      const double next_ps = next_arrival();
      waited += static_cast<double>(waiting_) * (next_ps - now_ps_);
      now_ps_ = next_ps;
      arrive();
      if (options_.progress) options_.progress(static_cast<double>(sent_) / static_cast<double>(hops_));
    }
    result_.seconds = now_ps_ / picoseconds_a_second;
    result_.delay_seconds /= picoseconds_a_second;
    if (now_ps_ > 0) result_.mean_queue = waited / now_ps_ / static_cast<double>(states_.size());
  }

  struct NodeState {
    std::uint64_t packets = 0;   // waiting
    std::uint64_t useful = 0;    // ports that serve a waiting packet, and perhaps some that did
    std::uint64_t received = 0;  // in this round, or under way to here
    std::uint64_t busy = 0;      // ports over which packets are under way; none between rounds
    bool touched = false;        // whether a packet may leave that could not before
  };
  struct ReceivedPacket {
    Node node = 0;
    Node packet = 0;
    std::uint32_t priority = 0;
  };
  struct Travelling {
    double arrival_ps = 0;
    Node from = 0;
    Port bit = 0;
    ReceivedPacket packet;
  };

  void fill() {
    const auto& [isotropic, listed, parts] = setting_.task;
    std::vector<std::uint64_t> expected(priorities_.count());
    for (const auto [relative, blocks] : isotropic) {
      const std::uint32_t hops = paths_.distance(0, relative);
      if (relative != 0 && hops != network::unreachable)
        expected[priorities_.first(hops)] += std::uint64_t{blocks} * parts;
    }
    for (Node node = 0; node < states_.size(); ++node) {
      for (std::uint32_t p = 0; p < priorities_.count(); ++p) queues_.at(node, p).reserve(expected[p]);
      for (const auto [relative, blocks] : isotropic) add(node, relative, std::uint64_t{blocks} * parts);
    }
    for (const auto [from, to, blocks] : listed) {
      add(from, group_.subtract(to, from), std::uint64_t{blocks} * parts);
    }
  }

  // Packets from and to failed nodes are left out.
  void add(Node node, Node relative, std::uint64_t packets) {
    const std::uint32_t hops = paths_.distance(node, relative);
    if (hops == network::unreachable) return;
    result_.packets += packets;
    if (relative == 0) {
      result_.delays[0] += packets;
      return;
    }
    waiting_ += packets;
    hops_ += packets * hops;
    for (std::uint64_t i = 0; i < packets; ++i) store({node, relative, priorities_.first(hops)});
  }

  void store(const ReceivedPacket& arrival) {
    queues_.push(arrival.node, arrival.priority, arrival.packet);
    NodeState& state = states_[arrival.node];
    ++state.packets;
    state.useful |= paths_.ports(arrival.node, arrival.packet);
  }

  // Nodes come in the order of a random translate, so that no node is always first when receivers or places in a
  // queue are scarce.
  void do_round() {
    delivered_ = 0;
    arrivals_.clear();
    if (symmetric_) {
      serve(0);
    } else {
      const auto order = static_cast<Node>(states_.size());
      const Node shift = random_.below(order);
      for (Node node = 0; node < order; ++node) serve(group_.add(node, shift));
    }
    for (const ReceivedPacket& arrival : arrivals_) store(arrival);
    if (limited_) {
      for (NodeState& state : states_) state.received = 0;
    }
    waiting_ -= delivered_;
    ++result_.rounds;
    result_.delays.push_back(delivered_);
  }

  void serve(Node node) {
    NodeState& state = states_[node];
    if (state.packets == 0) return;
    result_.longest_queue = std::max(result_.longest_queue, state.packets);
    std::uint64_t free = state.useful & ~state.busy;
    std::uint64_t left_behind = 0;  // ports that serve packets offered and not sent
    Port sends = setting_.at_once - std::min(setting_.at_once, static_cast<Port>(std::popcount(state.busy)));
    const auto take = [&](Node packet, std::uint32_t priority) {
      const std::uint64_t ports = paths_.ports(node, packet);
      while ((ports & free) != 0) {
        const Port bit = any_of(ports & free);
        free ^= std::uint64_t{1} << bit;
        if (!send(node, bit, packet, priority)) continue;
        --sends;
        --state.packets;
        return true;
      }
      left_behind |= ports;
      return false;
    };
    const bool all = queues_.offer(node, random_, take, [&] { return free == 0 || sends == 0; });
    if (all) state.useful = left_behind;
  }

  Port any_of(std::uint64_t ports) {
    if (std::has_single_bit(ports)) return static_cast<Port>(std::countr_zero(ports));
    for (auto skip = random_.below(static_cast<std::uint32_t>(std::popcount(ports))); skip > 0; --skip) {
      ports &= ports - 1;
    }
    return static_cast<Port>(std::countr_zero(ports));
  }

  // Returns false if the receiver takes no more in this round.
  bool send(Node node, Port bit, Node packet, std::uint32_t priority) {
    const Port port = paths_.port(node, bit);
    const Node receiver = symmetric_ ? 0 : group_.add(node, generators_[port]);
    if (limited_) {
      if (states_[receiver].received == setting_.at_once) return false;
      ++states_[receiver].received;
    }
    ++sent_;
    ++result_.port_transmissions[port];
    if (options_.visit) options_.visit({result_.rounds, now_ps_ / picoseconds_a_second, node, port, packet});
    const Node relative = group_.subtract(packet, generators_[port]);
    if (setting_.timed != nullptr) {
      depart(node, bit, {receiver, relative, relative == 0 ? 0 : priorities_.next(priority)});
    } else if (relative == 0) {
      ++delivered_;
    } else {
      arrivals_.push_back({receiver, relative, priorities_.next(priority)});
    }
    return true;
  }

  // Of one class all take as long, so they arrive in the order of their departures.
  void depart(Node node, Port bit, const ReceivedPacket& packet) {
    const std::uint32_t link_class = setting_.timed->of(node, bit);
    states_[node].busy |= std::uint64_t{1} << bit;
    under_way_[link_class].push_back({now_ps_ + setting_.timed->picoseconds(link_class), node, bit, packet});
  }

  double next_arrival() const {
    double result = std::numeric_limits<double>::infinity();
    for (const auto& packets : under_way_) {
      if (!packets.empty()) result = std::min(result, packets.front().arrival_ps);
    }
    return result;
  }

  void arrive() {
    delivered_ = 0;
    for (auto& packets : under_way_) {
      for (; !packets.empty() && packets.front().arrival_ps == now_ps_; packets.pop_front())
        arrive(packets.front());
    }
    waiting_ -= delivered_;
    result_.delay_seconds += static_cast<double>(delivered_) * now_ps_;
  }

  void arrive(const Travelling& sent) {
    states_[sent.from].busy &= ~(std::uint64_t{1} << sent.bit);
    if (limited_) --states_[sent.packet.node].received;
    touch(sent.from);
    touch(sent.packet.node);
    if (sent.packet.packet == 0) {
      ++delivered_;
    } else {
      store(sent.packet);
    }
  }

  void touch(Node node) {
    if (std::exchange(states_[node].touched, true)) return;
    touched_.push_back(node);
  }

  // In the order of do_round(). Where receivers may be full, every node may have waited for one.
  void serve_touched() {
    if (limited_) {
      for (Node node = 0; node < states_.size(); ++node) touch(node);
    }
    if (!symmetric_) {
      const Node shift = random_.below(static_cast<Node>(states_.size()));
      std::ranges::sort(touched_, {}, [&](Node node) { return group_.subtract(node, shift); });
    }
    for (const Node node : touched_) {
      states_[node].touched = false;
      serve(node);
    }
    touched_.clear();
  }

  // Scales the counts of one node to all nodes.
  void count_all_nodes() {
    result_.transmissions = sent_;
    if (!symmetric_) return;
    const std::uint64_t nodes = setting_.network.order();
    result_.packets *= nodes;
    result_.transmissions *= nodes;
    for (std::uint64_t& count : result_.delays) count *= nodes;
    for (std::uint64_t& count : result_.port_transmissions) count *= nodes;
    result_.delay_seconds *= static_cast<double>(nodes);
  }

  const Setting& setting_;
  const Group& group_;
  const ShortestPaths& paths_;
  const Node* generators_;
  Port degree_;
  bool symmetric_;
  bool limited_;  // whether receivers may be full
  const PacketRunOptions& options_;
  SplitMix random_;
  Priorities priorities_;
  std::vector<NodeState> states_;
  Queues<Queue> queues_;
  std::vector<ReceivedPacket> arrivals_;
  std::vector<std::deque<Travelling>> under_way_;  // with hop times, by class of links
  std::vector<Node> touched_;
  double now_ps_ = 0;
  std::uint64_t waiting_ = 0;
  std::uint64_t delivered_ = 0;  // in this round
  std::uint64_t sent_ = 0;
  std::uint64_t hops_ = 0;  // of all packets together
  PacketRun result_;
};

void check(const PacketTask& task, Node order) {
  const auto check_node = [order](Node node) {
    if (node < order) return;
    throw Error(fmt::format("a packet of node {}: the nodes of the network are 0 to {}", node, order - 1));
  };
  if (task.parts == 0) throw Error("blocks of 0 packets: give 1 part or more");
  for (const RelativeDestination& destination : task.isotropic) check_node(destination.to);
  for (const Delivery& delivery : task.listed) {
    check_node(delivery.from);
    check_node(delivery.to);
  }
}

void check(PortModel ports, Port degree) {
  if (ports.half_duplex()) {
    throw Error("packets are not simulated under half duplex: give all ports, one, or a number of them");
  }
  if (ports.kind == PortModel::Kind::k_port && (ports.k == 0 || ports.k > degree)) {
    throw Error(fmt::format("{} ports at once: give 1 to {}, the degree of the network", ports.k, degree));
  }
}

// Checks the size of a run that follows the packets of `nodes` nodes.
void check_size(const PacketTask& task, std::uint64_t nodes, std::uint32_t priorities) {
  std::uint64_t room = most_packets;
  const auto count = [&](std::uint32_t blocks, std::uint64_t origins) {
    const std::uint64_t packets = std::uint64_t{blocks} * task.parts;
    if (packets > room / origins) {
      throw Error(
          fmt::format("more than {} packets to follow: give a smaller network, fewer parts, or a symmetric "
                      "policy, which follows one origin",
                      most_packets));
    }
    room -= packets * origins;
  };
  for (const auto [relative, blocks] : task.isotropic) count(blocks, nodes);
  for (const auto [from, to, blocks] : task.listed) count(blocks, 1);
  if (nodes > most_queues / priorities) {
    throw Error(
        fmt::format("{} nodes by {} priorities are more than {} queues: give a smaller network, or the "
                    "order random or oldest, which has one priority",
                    nodes, priorities, most_queues));
  }
}

void require_few_ports(const Network& network, Port degree) {
  if (degree <= most_ports) return;
  throw Error(fmt::format("{} has {} ports per node: packets are simulated on networks of at most {}",
                          network.name(), degree, most_ports));
}

ShortestPaths paths_of(const Network& network, const network::Failures& missing) {
  if (missing.empty()) return ShortestPaths(network);
  const network::SurvivingNetwork survivors(network, missing);
  const std::vector<Node> cut_off = survivors.cut_off(survivors.nodes().front());
  if (cut_off.empty()) return ShortestPaths(survivors);
  throw Error(fmt::format("no path leads from node {} to node {} of {}: give a network that is connected",
                          survivors.nodes().front(), cut_off.front(), network.name()));
}

}  // namespace

ShortestPaths::ShortestPaths(const Network& network) {
  require_few_ports(network, network.degree());
  distances_.resize(network.order());
  for (Node node = 0; node < network.order(); ++node) distances_[node] = network.distance(0, node);
  ports_.resize(network.order());
  network.visit([&](const auto& /*neighbour*/, const auto& group) {
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        const Node next = group.subtract(node, network.generators()[port]);
        if (distances_[next] < distances_[node]) ports_[node] |= std::uint64_t{1} << port;
      }
    }
  });
}

ShortestPaths::ShortestPaths(const network::SurvivingNetwork& network) : stride_(network.whole().order()) {
  const Network& whole = network.whole();
  if (whole.order() > most_nodes_without_symmetry)
    throw Error(fmt::format(
        "{} has {} nodes: with links or nodes missing, packets are simulated on networks of at most {}",
        whole.name(), whole.order(), most_nodes_without_symmetry));
  for (Node node = 0; node < whole.order(); ++node) {
    require_few_ports(whole, network.degree(node));
    first_.push_back(listed_.size());
    std::ranges::copy(network.ports(node), std::back_inserter(listed_));
  }
  distances_.assign(stride_ * stride_, network::unreachable);
  ports_.resize(stride_ * stride_);
  for (const Node to : network.nodes()) add_paths_to(to, network);
}

void ShortestPaths::add_paths_to(Node to, const network::SurvivingNetwork& network) {
  const std::vector<std::uint32_t> distance = network.distances(to);
  for (const Node from : network.nodes()) {
    const std::size_t pair = entry(from, network.whole().group().subtract(to, from));
    distances_[pair] = distance[from];
    std::uint64_t bit = 1;
    network.for_each_neighbour(from, [&](Port, Node neighbour) {
      if (distance[neighbour] < distance[from]) ports_[pair] |= bit;
      bit <<= 1;
    });
  }
}

std::uint64_t PacketRun::delay_sum() const {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < delays.size(); ++w) sum += w * delays[w];
  return sum;
}

double PacketRun::mean_delay_s() const {
  return packets == 0 ? 0 : delay_seconds / static_cast<double>(packets);
}

double PacketRun::mean_delay() const {
  const std::uint64_t arrived = std::accumulate(delays.begin(), delays.end(), std::uint64_t{0});
  return arrived == 0 ? 0 : static_cast<double>(delay_sum()) / static_cast<double>(arrived);
}

TimedHops::TimedHops(const HopTimes& times, const Network& network, const ShortestPaths& paths) {
  for (const double seconds : times.seconds) {
    picoseconds_.push_back(std::round(seconds * picoseconds_a_second));
    if (!(picoseconds_.back() >= 1))
      throw Error(
          fmt::format("a packet that takes {:g} s over a link: give links a start-up or a time per byte, "
                      "1 ps or more for a packet",
                      seconds));
  }
  const auto add = [&](Node node, Port port) {
    classes_.push_back(static_cast<std::uint8_t>(times.link_class(node, port)));
  };
  if (!paths.is_listed()) {
    stride_ = times.by_port ? 0 : network.degree();
    const Node rows = times.by_port ? 1 : network.order();
    for (Node node = 0; node < rows; ++node) {
      for (Port port = 0; port < network.degree(); ++port) add(node, port);
    }
    return;
  }
  for (Node node = 0; node < network.order(); ++node) {
    first_.push_back(classes_.size());
    for (Port bit = 0; bit < paths.port_count(node); ++bit) add(node, paths.port(node, bit));
  }
}

PacketSimulator::PacketSimulator(const Network& network, PacketTask task, RoutingPolicy policy,
                                 PortModel ports, const network::Failures& missing,
                                 const std::optional<HopTimes>& times)
    : network_(network),
      task_(std::move(task)),
      policy_(policy),
      at_once_(ports.sends(network.degree())),
      paths_(paths_of(network, missing)) {
  check(task_, network.order());
  check(ports, network.degree());
  if (policy.symmetric && !task_.listed.empty()) {
    throw Error(
        fmt::format("packets listed one by one cannot be routed by {}: give a policy by which every "
                    "node decides on its own, without 'symmetric-'",
                    to_string(policy)));
  }
  if (policy.symmetric && !missing.empty()) {
    throw Error(fmt::format(
        "{} without some of its nodes or links has no symmetry for {}: give a policy by which every "
        "node decides on its own, without 'symmetric-'",
        network.name(), to_string(policy)));
  }
  if (policy.symmetric && times && !times->by_port) {
    throw Error(
        fmt::format("links of {} along one port take unlike times, so that it has no symmetry for {}: give a "
                    "policy by which "
                    "every node decides on its own, without 'symmetric-'",
                    network.name(), to_string(policy)));
  }
  if (times) timed_.emplace(*times, network, paths_);
  const auto see = [&](Node from, Node relative) {
    const std::uint32_t hops = paths_.distance(from, relative);
    if (hops != network::unreachable) farthest_ = std::max(farthest_, hops);
  };
  const Node origins = missing.empty() ? 1 : network.order();  // unlike ones
  for (Node from = 0; from < origins; ++from) {
    for (const auto [relative, blocks] : task_.isotropic) see(from, relative);
  }
  for (const auto [from, to, blocks] : task_.listed) see(from, network.group().subtract(to, from));
  check_size(task_, policy.symmetric ? 1 : network.order(), Priorities(policy.order, farthest_).count());
}

PacketRun PacketSimulator::run(std::uint64_t seed, const PacketRunOptions& options) const {
  const Setting setting{network_, task_, policy_, at_once_, paths_, timed_ ? &*timed_ : nullptr, farthest_};
  return network_.visit([&](const auto& /*neighbour*/, const auto& group) {
    using Group = std::decay_t<decltype(group)>;
    if (policy_.order == Order::oldest)
      return RoutingRun<Group, ArrivalQueue>(setting, group, seed, options).finish();
    return RoutingRun<Group, RandomQueue>(setting, group, seed, options).finish();
  });
}

}  // namespace isotrope::simulate
