// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/routed_completion.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/listed_subgroup.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/send_order.hpp"

#include "isotrope/cost/overlay_routes.hpp"

namespace isotrope::cost {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// The part that a hop of the stage carries.
class PartOfHop {
 public:
  PartOfHop(const network::Network& network, const schedule::Task& task, const schedule::Stage& stage)
      : stage_(stage), packets_(network, task, stage) {}

  std::uint32_t operator()(const schedule::Hop& hop) const {
    return stage_.flow == schedule::Flow::exchange ? stage_.sums[hop.packet].part : packets_[hop.packet].part;
  }

 private:
  const schedule::Stage& stage_;
  schedule::Packets packets_;
};

std::uint32_t chain_of(const schedule::OverlayMessages& messages,
                       const schedule::OverlayMessages::Message& message, std::uint32_t chains) {
  return schedule::chain_of(message.share, messages.shares, chains);
}

// What every node sends, as numbers that differ if the messages do: by round, port and chain, whatever they contain.
class SentMessages {
 public:
  SentMessages(const network::Group& group, const schedule::Schedule& schedule, const schedule::Task& task,
               const network::Network& overlay, std::uint32_t chains)
      : sums_(group.order(), 0) {
    std::uint64_t round = 0;
    for (const schedule::Stage& stage : schedule.stages) {
      const PartOfHop part_of(overlay, task, stage);
      const schedule::NodeClasses classes(group, stage.replication);
      std::vector<std::uint64_t> of_classes(classes.count(), 0);
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
        for (const schedule::Hop& hop : stage.rounds.round(t)) {
          const std::uint32_t chain = schedule::chain_of(part_of(hop), task.parts, chains);
          of_classes[classes.of(hop.from)] += number((round * overlay.degree() + hop.port) * chains + chain);
        }
      }
      for (network::Node node = 0; node < group.order(); ++node) sums_[node] += of_classes[classes.of(node)];
    }
  }
  SentMessages(const schedule::OverlayMessages& messages, std::uint32_t chains)
      : sums_(messages.overlay.order(), 0) {
    std::uint64_t first = 0;
    for (const auto& round : messages.rounds) {
      for (const auto& message : round)
        sums_[message.from] +=
            message.packets * number(first + message.port * chains + chain_of(messages, message, chains));
      first += std::uint64_t{messages.overlay.degree()} * chains;
    }
  }

  bool are_kept_by(const network::Group& group, network::Node shift) const {
    for (network::Node node = 0; node < sums_.size(); ++node) {
      if (sums_[group.add(node, shift)] != sums_[node]) return false;
    }
    return true;
  }

 private:
  static std::uint64_t number(std::uint64_t message) { return SplitMix(message)(); }

  std::vector<std::uint64_t> sums_;  // of hops
};

// The orbits of nodes under the translations that change neither messages nor ways: what the first node of each does, all do.
struct Orbits {
  std::vector<network::Node> of_node;  // numbers
  std::vector<network::Node> firsts;   // nodes, by number
};

Orbits orbits(const OverlayRoutes& routes, const network::Group& group, const SentMessages& sent) {
  network::ListedSubgroup shifts(group);
  for (network::Node node = 0; node < group.order(); ++node) {
    if (!shifts.has(node) && routes.keeps_ways(node) && sent.are_kept_by(group, node)) shifts.add(node);
  }
  Orbits result;
  result.of_node.assign(group.order(), UINT32_MAX);
  for (network::Node node = 0; node < group.order(); ++node) {
    if (result.of_node[node] != UINT32_MAX) continue;
    for (const network::Node shift : shifts.elements())
      result.of_node[group.add(node, shift)] = static_cast<network::Node>(result.firsts.size());
    result.firsts.push_back(node);
  }
  return result;
}

}  // namespace

// Writes the messages of nodes that are alike once, round by round.
class RoutedMessages::Writer {
 public:
  /// Refers to all but `sent`.
  Writer(RoutedMessages& result, const network::Network& machine, const network::Failures& lacks,
         const network::Network& overlay, const SentMessages& sent)
      : result_(result),
        simple_(network::without_copies(machine)),
        overlay_(overlay),
        routes_(simple_.network, lacks, overlay),
        orbits_(orbits(routes_, overlay.group(), sent)),
        port_hops_(schedule::port_distances(machine, lacks, overlay)) {
    result.nodes_ = static_cast<Node>(orbits_.firsts.size());
    result.orbit_size_ = machine.order() / result.nodes_;
    for (Node node = 0; node < result.nodes_; ++node) {
      for (const auto& copies : simple_.copies)
        result.capacities_.push_back(static_cast<std::uint32_t>(copies.size()));
    }
    newest_.assign(std::size_t{result.nodes_} * overlay.degree() * result.chains_, UINT32_MAX);
  }

  /// The node that stands for each orbit.
  const std::vector<Node>& firsts() const { return orbits_.firsts; }
  Node orbit_of(Node node) const { return orbits_.of_node[node]; }
  /// Adds packets that the nodes of an orbit send in this round.
  void add(Node orbit, Port port, std::uint32_t chain, std::uint64_t packets) {
    message(orbit, port, chain).packets += packets;
  }
  void close_round() { ++result_.rounds_; }

 private:
  Message& message(Node orbit, Port port, std::uint32_t chain) {
    auto& messages = result_.messages_;
    std::uint32_t& index = newest_[(std::size_t{orbit} * overlay_.degree() + port) * result_.chains_ + chain];
    if (index != UINT32_MAX && messages[index].round == result_.rounds_) return messages[index];
    index = static_cast<std::uint32_t>(messages.size());
    const Node from = orbits_.firsts[orbit];
    const std::span<const Port> way = routes_.way(from, port);
    messages.push_back({orbit, orbits_.of_node[overlay_.neighbour(from, port)], chain, result_.rounds_, port,
                        overlay_.opposite(port), 0, static_cast<std::uint32_t>(result_.links_.size()),
                        static_cast<std::uint32_t>(way.size()), port_hops_[port]});
    Node node = from;
    for (const Port hop : way) {
      result_.links_.push_back(orbits_.of_node[node] * simple_.network.degree() + hop);
      node = simple_.network.neighbour(node, hop);
    }
    return messages.back();
  }

  RoutedMessages& result_;
  network::SimpleNetwork simple_;
  const network::Network& overlay_;
  OverlayRoutes routes_;
  Orbits orbits_;
  std::vector<std::uint32_t> port_hops_;
  std::vector<std::uint32_t> newest_;  // message of an orbit's port and chain
};

RoutedMessages::RoutedMessages(const network::Network& machine, const network::Failures& lacks,
                               const network::Network& overlay, const schedule::Schedule& schedule,
                               const schedule::Task& task, std::uint32_t chains)
    : chains_(chains) {
  Writer writer(*this, machine, lacks, overlay, {overlay.group(), schedule, task, overlay, chains});
  for (const schedule::Stage& stage : schedule.stages) {
    const PartOfHop part_of(overlay, task, stage);
    const schedule::NodeClasses classes(overlay.group(), stage.replication);
    std::vector<std::vector<Node>> orbits_of(classes.count());  // by class
    for (Node orbit = 0; orbit < nodes_; ++orbit)
      orbits_of[classes.of(writer.firsts()[orbit])].push_back(orbit);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const schedule::Hop& hop : stage.rounds.round(t)) {
        const std::uint32_t chain = schedule::chain_of(part_of(hop), task.parts, chains);
        for (const Node orbit : orbits_of[classes.of(hop.from)]) writer.add(orbit, hop.port, chain, 1);
      }
      writer.close_round();
    }
  }
  sort_messages();
}

RoutedMessages::RoutedMessages(const network::Network& machine, const network::Failures& lacks,
                               const schedule::OverlayMessages& messages, std::uint32_t chains)
    : chains_(chains) {
  Writer writer(*this, machine, lacks, messages.overlay, {messages, chains});
  for (const auto& round : messages.rounds) {
    for (const auto& message : round) {
      const Node orbit = writer.orbit_of(message.from);
      if (writer.firsts()[orbit] == message.from)
        writer.add(orbit, message.port, chain_of(messages, message, chains), message.packets);
    }
    writer.close_round();
  }
  sort_messages();
}

RoutedMessages RoutedMessages::of_alike_nodes(std::span<const RoundLoad> rounds, const Machine& machine) {
  RoutedMessages result;
  for (const RoundLoad& load : rounds) {
    std::uint64_t left = load.sent, packets = load.packets;
    const std::uint64_t followed = machine.has_overheads() ? load.messages : 1;
    for (Port port = 0; port < followed; ++port) {
      if (port == result.capacities_.size()) {
        result.capacities_.push_back(1);
        result.links_.push_back(port);
      }
      result.messages_.push_back({.round = result.rounds_,
                                  .port = port,
                                  .receiver_port = port,
                                  .packets = packets,
                                  .first_link = port,
                                  .hops = 1,
                                  .port_hops = 1});
      left -= std::min(left, packets);
      const std::uint64_t after = followed - port - 1;
      packets = after == 0 ? 0 : schedule::ceil_div(left, after);
    }
    ++result.rounds_;
  }
  result.sort_messages();
  return result;
}

void RoutedMessages::sort_messages() {
  sends_ = sorted(&Message::from, [](const Message& message) {
    return schedule::SendOrder{}.place(message.port_hops, message.port);
  });
  receipts_ = sorted(&Message::to, &Message::receiver_port);
  for (std::size_t list = 0; list < sends_.ends.size(); ++list) {
    const auto sends = sends_.at(list);
    for (std::size_t i = 1; i < sends.size(); ++i) {
      const bool alike = messages_[sends[i]].port_hops == messages_[sends[i - 1]].port_hops;
      (alike ? are_distances_alike_ : are_distances_unlike_) = true;
    }
  }
}

RoutedMessages::Lists RoutedMessages::sends_in(schedule::SendOrder order) const {
  Lists result = sends_;
  if (order != schedule::SendOrder{})
    sort_lists(result, [&](const Message& message) { return order.place(message.port_hops, message.port); });
  return result;
}

template <class NodeOf, class Key>
RoutedMessages::Lists RoutedMessages::sorted(NodeOf node_of, Key key) const {
  const auto list_of = [&](const Message& message) {
    return list(message.*node_of, message.chain, message.round);
  };
  Lists result;
  result.ends.assign(std::size_t{nodes_} * chains_ * rounds_, 0);
  for (const Message& message : messages_) ++result.ends[list_of(message)];
  std::exclusive_scan(result.ends.begin(), result.ends.end(), result.ends.begin(), 0U);
  result.messages.resize(messages_.size());
  for (std::uint32_t i = 0; i < messages_.size(); ++i)
    result.messages[result.ends[list_of(messages_[i])]++] = i;
  sort_lists(result, key);
  return result;
}

template <class Key>
void RoutedMessages::sort_lists(Lists& lists, Key key) const {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : lists.ends) {
    std::ranges::sort(lists.messages.begin() + begin, lists.messages.begin() + end, {},
                      [&](std::uint32_t i) { return std::invoke(key, messages_[i]); });
    begin = end;
  }
}

// What happens at one time.
struct Moment {
  std::vector<std::uint32_t> ending;    // messages whose last byte comes, unless their rate has changed since
  std::vector<std::uint32_t> starting;  // messages whose first byte leaves
  std::vector<network::Node> waking;

  void clear() {
    ending.clear();
    starting.clear();
    waking.clear();
  }
};

// The moments to come. Nodes that are alike do the same at the same time, hundreds at once, so there are few.
class Moments {
 public:
  bool are_over() const { return by_time_.empty(); }
  /// @pre not are_over(), here and below
  double first_time() const { return by_time_.begin()->first; }

  Moment& at(double time) {
    if (newest_ == by_time_.end() || newest_->first != time) newest_ = find_or_add(time);
    return newest_->second;
  }

  /// Takes the first one out and puts it in the place of `moment`. Returns its time.
  double take_first(Moment& moment) {
    auto first = by_time_.extract(by_time_.begin());
    newest_ = by_time_.end();
    std::swap(moment, first.mapped());
    first.mapped().clear();
    const double time = first.key();
    spares_.push_back(std::move(first));
    return time;
  }

 private:
  using ByTime = std::map<double, Moment>;

  ByTime::iterator find_or_add(double time) {
    const auto next = by_time_.lower_bound(time);
    if (next != by_time_.end() && next->first == time) return next;
    if (spares_.empty()) return by_time_.try_emplace(next, time);
    auto spare = std::move(spares_.back());
    spares_.pop_back();
    spare.key() = time;
    return by_time_.insert(next, std::move(spare));
  }

  ByTime by_time_;
  ByTime::iterator newest_ = by_time_.end();
  std::vector<ByTime::node_type> spares_;  // whose memory is used again
};

// One execution. A message of share s has the number s M + i, if it has number i of M in the plan, and chain c of it s C + c, if
// the plan has C.
class RoutedClock {
 public:
  RoutedClock(const RoutedMessages& plan, std::span<const std::uint64_t> part_bytes, const Machine& machine,
              schedule::SendOrder order)
      : plan_(plan),
        part_bytes_(part_bytes),
        machine_(machine),
        order_(order),
        sends_(plan.sends_in(order)),
        nodes_(plan.nodes_),
        chains_a_node_(plan.chains_ * static_cast<std::uint32_t>(part_bytes.size())),
        chains_(std::size_t{plan.nodes_} * chains_a_node_),
        sent_(plan.messages_.size() * part_bytes.size(), never),
        posted_(sent_.size(), never),
        flows_(sent_.size()),
        links_(plan.capacities_.size()) {}

  std::optional<double> run(std::uint64_t& work_left, double limit) {
    limit_ = limit;
    if (limit < never) find_rest();
    for (Node node = 0; node < plan_.nodes_; ++node) {
      for (std::uint32_t chain = 0; chain < chains_a_node_; ++chain) begin_round(node, chain);
      wake(node);
    }
    while (!moments_.are_over() && !is_late_) {
      step();
      if (work_ > work_left) {
        work_left = 0;
        return std::nullopt;
      }
    }
    work_left -= work_;
    return is_late_ ? never : last_;
  }

 private:
  using Node = network::Node;
  using Message = RoutedMessages::Message;

  struct NodeState {
    double free_at = 0;                  // the processor
    std::vector<std::uint32_t> arrived;  // messages that it has not taken
    std::deque<std::uint32_t> sent;      // chains whose round has no receipts, by when it began
  };
  struct ChainState {
    std::uint32_t next = 0;  // round to begin
    std::size_t open = 0;    // receipts of the one under way
  };
  // Bytes of a message on their way.
  struct Flow {
    double left = 0, rate = 0;  // seconds over a link alone, and links: since the time of the last change
    double since = 0;
    double end = never;       // at that rate
    std::uint64_t found = 0;  // by the last sharing so numbered
    bool is_settled = false;  // its rate, in a sharing
  };
  struct Link {
    std::vector<std::uint32_t> flows;
    std::uint64_t found = 0;
    double weight = 0, room = 0;  // of the flows that are not settled
    std::uint32_t open = 0;       // how many these are
    double share() const { return room / weight; }
  };

  const Message& message(std::uint32_t i) const { return plan_.messages_[i % plan_.messages_.size()]; }
  std::uint32_t share_of(std::uint32_t i) const {
    return i / static_cast<std::uint32_t>(plan_.messages_.size());
  }
  std::uint32_t chain_of(std::uint32_t i) const { return share_of(i) * plan_.chains_ + message(i).chain; }
  std::uint64_t bytes(std::uint32_t i) const { return message(i).packets * part_bytes_[share_of(i)]; }
  std::span<const std::uint32_t> way(std::uint32_t i) const {
    const Message& known = message(i);
    return {plan_.links_.data() + known.first_link, known.hops};
  }
  double weight(std::uint32_t i) const { return 1.0 / message(i).hops; }

  void reach(double time) {
    last_ = std::max(last_, time);
    is_late_ = is_late_ || last_ > limit_;
  }
  void wake(Node node) {
    reach(nodes_[node].free_at);
    moments_.at(nodes_[node].free_at).waking.push_back(node);
  }

  ChainState& state_of(Node node, std::uint32_t chain) {
    return chains_[std::size_t{node} * chains_a_node_ + chain];
  }

  // Begins the next round in which the node has messages.
  void begin_round(Node node, std::uint32_t chain) {
    ChainState& state = state_of(node, chain);
    double& now = nodes_[node].free_at;
    const auto first = static_cast<std::uint32_t>(chain / plan_.chains_ * plan_.messages_.size());
    while (state.next < plan_.rounds_) {
      const std::size_t list = plan_.list(node, chain % plan_.chains_, state.next++);
      const auto receipts = plan_.receipts_.at(list), sends = sends_.at(list);
      if (receipts.empty() && sends.empty()) continue;
      if (limit_ < never && now + rest(node, chain, state.next - 1) > limit_) is_late_ = true;
      state.open = receipts.size();
      for (const std::uint32_t i : receipts) {
        posted_[first + i] = now;
        launch(first + i);
      }
      for (const std::uint32_t i : sends) {
        now += machine_.overhead(1, bytes(first + i));
        sent_[first + i] = now;
        launch(first + i);
      }
      if (receipts.empty()) nodes_[node].sent.push_back(chain);
      return;
    }
  }

  // Once the message is prepared and expected.
  void launch(std::uint32_t i) {
    const double start = std::max(sent_[i], posted_[i]);
    if (start == never) return;
    moments_.at(start + on_the_way(i)).starting.push_back(i);
  }
  // Until the first byte may leave.
  double on_the_way(std::uint32_t i) const {
    return static_cast<double>(machine_.startups(bytes(i))) * machine_.startup_s +
           (message(i).hops - 1) * machine_.hop_time_s;
  }

  // What is left at least when a node begins a round of a chain.
  double& rest(Node node, std::uint32_t chain, std::uint32_t round) {
    return rest_[(std::size_t{node} * chains_a_node_ + chain) * (plan_.rounds_ + std::size_t{1}) + round];
  }
  // As if every message had its links alone, and processors nothing else to do.
  void find_rest() {
    rest_.assign(chains_.size() * (plan_.rounds_ + std::size_t{1}), 0);
    for (std::uint32_t round = plan_.rounds_; round-- > 0;) {
      for (Node node = 0; node < plan_.nodes_; ++node) {
        for (std::uint32_t chain = 0; chain < chains_a_node_; ++chain)
          rest(node, chain, round) = least_rest(node, chain, round);
      }
    }
  }
  double least_rest(Node node, std::uint32_t chain, std::uint32_t round) {
    const auto first = static_cast<std::uint32_t>(chain / plan_.chains_ * plan_.messages_.size());
    const std::size_t list = plan_.list(node, chain % plan_.chains_, round);
    double prepared = 0, result = 0;
    for (const std::uint32_t each : sends_.at(list)) {
      const std::uint32_t i = first + each;
      prepared += machine_.overhead(1, bytes(i));
      const double taken = prepared + on_the_way(i) + seconds_alone(i) + machine_.receive_overhead(1);
      result = std::max(result, taken + rest(message(i).to, chain, round + 1));
    }
    const double before_next = plan_.receipts_.at(list).empty() ? prepared : 0;
    return std::max({result, prepared, before_next + rest(node, chain, round + 1)});
  }
  double seconds_alone(std::uint32_t i) const {
    std::uint32_t widest = 1;
    for (const std::uint32_t link : way(i)) widest = std::max(widest, plan_.capacities_[link]);
    return static_cast<double>(bytes(i)) * machine_.byte_time_s / widest;
  }

  // All that happens at the next time at which anything does.
  void step() {
    now_ = moments_.first_time();
    const double soon = now_ + 1e-11 * now_;
    waking_.clear();
    // An arrival at this time wakes its node at this time.
    while (!moments_.are_over() && moments_.first_time() <= soon) {
      const double time = moments_.take_first(moment_);
      for (const std::uint32_t i : moment_.ending) {
        if (flows_[i].end == time) end_bytes(i);
      }
      for (const std::uint32_t i : moment_.starting) start_bytes(i);
      waking_.insert(waking_.end(), moment_.waking.begin(), moment_.waking.end());
      work_ += moment_.ending.size() + moment_.starting.size() + moment_.waking.size() + 1;
    }
    for (const Node node : waking_) take_next(node);
    share();
  }

  // A flow that is alone on its links changes nothing for others.
  void start_bytes(std::uint32_t i) {
    const double left = static_cast<double>(bytes(i)) * machine_.byte_time_s;
    if (left <= 0) return arrive(i);
    double rate = never;
    bool is_alone = true;
    for (const std::uint32_t link : way(i)) {
      is_alone = is_alone && links_[link].flows.empty();
      links_[link].flows.push_back(i);
      rate = std::min<double>(rate, plan_.capacities_[link]);
    }
    flows_[i] = {.left = left, .since = now_};
    if (is_alone) return set_rate(i, rate);
    changed_.insert(changed_.end(), way(i).begin(), way(i).end());
  }

  void end_bytes(std::uint32_t i) {
    flows_[i].end = never;
    for (const std::uint32_t link : way(i)) {
      std::erase(links_[link].flows, i);
      if (!links_[link].flows.empty()) changed_.push_back(link);
    }
    arrive(i);
  }

  void set_rate(std::uint32_t i, double rate) {
    Flow& flow = flows_[i];
    flow.left = std::max(0.0, flow.left - (now_ - flow.since) * flow.rate);
    flow.since = now_;
    flow.rate = rate;
    flow.end = now_ + flow.left / rate;
    moments_.at(flow.end).ending.push_back(i);
  }

  void arrive(std::uint32_t i) {
    const Node node = message(i).to;
    nodes_[node].arrived.push_back(i);
    reach(now_);
    if (nodes_[node].free_at <= now_) moments_.at(now_).waking.push_back(node);
  }

  // Ends a round without receipts, if any, or takes the message whose round began first; and goes on with the chain.
  void take_next(Node node) {
    NodeState& state = nodes_[node];
    if (state.free_at > now_ * (1 + 1e-11) || (state.sent.empty() && state.arrived.empty())) return;
    state.free_at = std::max(state.free_at, now_);
    if (!state.sent.empty()) {
      begin_round(node, state.sent.front());
      state.sent.pop_front();
      return wake(node);
    }
    const auto first = std::ranges::min_element(state.arrived, {}, [&](std::uint32_t i) {
      return std::tuple(posted_[i], chain_of(i),
                        order_.place(message(i).port_hops, message(i).receiver_port));
    });
    const std::uint32_t chain = chain_of(*first);
    state.arrived.erase(first);
    state.free_at += machine_.receive_overhead(1);
    if (--state_of(node, chain).open == 0) begin_round(node, chain);
    wake(node);
  }

  // The links and flows that share bandwidth with those changed, directly or through others.
  void find_sharers() {
    ++sharing_;
    sharers_.clear();
    shared_.clear();
    const auto find = [&](std::uint32_t link) {
      if (links_[link].found == sharing_) return;
      links_[link].found = sharing_;
      links_[link].weight = 0;
      links_[link].room = plan_.capacities_[link];
      links_[link].open = static_cast<std::uint32_t>(links_[link].flows.size());
      shared_.push_back(link);
    };
    for (const std::uint32_t link : changed_) find(link);
    changed_.clear();
    std::size_t next = 0;
    while (next < shared_.size()) {  // more are found
      for (const std::uint32_t i : links_[shared_[next++]].flows) {
        if (flows_[i].found == sharing_) continue;
        flows_[i].found = sharing_;
        flows_[i].is_settled = false;
        sharers_.push_back(i);
        for (const std::uint32_t link : way(i)) {
          find(link);
          links_[link].weight += weight(i);
        }
      }
    }
  }

  // Settles, again and again, the flows over the links that give the least.
  void share() {
    if (changed_.empty()) return;
    find_sharers();
    for (std::size_t settled = 0; settled < sharers_.size();) {
      double least = never;
      for (const std::uint32_t link : shared_) {
        if (links_[link].open > 0) least = std::min(least, links_[link].share());
      }
      const double limit = least * (1 + 1e-9);
      tight_.clear();
      for (const std::uint32_t link : shared_) {
        if (links_[link].open > 0 && links_[link].share() <= limit) tight_.push_back(link);
      }
      for (const std::uint32_t link : tight_) {
        for (const std::uint32_t i : links_[link].flows) settled += settle(i, least * weight(i)) ? 1 : 0;
      }
      work_ += shared_.size();
    }
    work_ += sharers_.size();
  }

  // Returns whether the flow was open.
  bool settle(std::uint32_t i, double rate) {
    Flow& flow = flows_[i];
    if (flow.is_settled) return false;
    flow.is_settled = true;
    for (const std::uint32_t link : way(i)) {
      --links_[link].open;
      links_[link].weight -= weight(i);
      links_[link].room -= rate;
    }
    if (rate != flow.rate) set_rate(i, rate);
    return true;
  }

  const RoutedMessages& plan_;
  std::span<const std::uint64_t> part_bytes_;  // by share
  const Machine& machine_;
  schedule::SendOrder order_;
  RoutedMessages::Lists sends_;
  double now_ = 0, last_ = 0;
  double limit_ = never;
  bool is_late_ = false;      // beyond the limit
  std::vector<double> rest_;  // if there is a limit
  std::uint64_t work_ = 0;
  std::vector<NodeState> nodes_;
  std::uint32_t chains_a_node_;
  std::vector<ChainState> chains_;     // by node, share and chain
  std::vector<double> sent_, posted_;  // by message
  Moments moments_;
  Moment moment_;            // under way
  std::vector<Flow> flows_;  // by message
  std::vector<Link> links_;
  std::vector<std::uint32_t> changed_;                   // links that flows have entered or left
  std::uint64_t sharing_ = 0;                            // number of the last one
  std::vector<std::uint32_t> sharers_, shared_, tight_;  // flows, and links, of a sharing
  std::vector<Node> waking_;
};

std::optional<double> RoutedMessages::completion(std::span<const std::uint64_t> part_bytes,
                                                 const Machine& machine, std::uint64_t& work_left,
                                                 schedule::SendOrder order, double limit) const {
  return RoutedClock(*this, part_bytes, machine, order).run(work_left, limit);
}

}  // namespace isotrope::cost
