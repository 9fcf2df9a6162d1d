// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/routed_completion.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/plan.hpp"

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

}  // namespace

RoutedMessages::RoutedMessages(const network::Network& machine, const network::Network& overlay,
                               const schedule::Schedule& schedule, const schedule::Task& task,
                               std::uint32_t chains)
    : nodes_(machine.order()), chains_(chains) {
  const network::SimpleNetwork simple = network::without_copies(machine);
  const OverlayRoutes routes(simple.network, overlay);
  for (Node node = 0; node < nodes_; ++node) {
    for (const auto& copies : simple.copies) capacities_.push_back(static_cast<std::uint32_t>(copies.size()));
  }
  std::vector<std::uint32_t> newest(overlay.directed_links() * chains, UINT32_MAX);  // of link and chain
  const auto add = [&](const schedule::Hop& hop, std::uint32_t chain) -> Message& {
    std::uint32_t& index = newest[(std::uint64_t{hop.from} * overlay.degree() + hop.port) * chains + chain];
    if (index != UINT32_MAX && messages_[index].round == rounds_) return messages_[index];
    index = static_cast<std::uint32_t>(messages_.size());
    const auto& way = routes.way(hop.from, hop.port);
    messages_.push_back({hop.from, overlay.neighbour(hop.from, hop.port), chain, rounds_, hop.port,
                         overlay.opposite(hop.port), 0, static_cast<std::uint32_t>(links_.size()),
                         static_cast<std::uint32_t>(way.size())});
    Node node = hop.from;
    for (const Port port : way) {
      links_.push_back(node * simple.network.degree() + port);
      node = simple.network.neighbour(node, port);
    }
    return messages_.back();
  };
  for (const schedule::Stage& stage : schedule.stages) {
    const PartOfHop part_of(overlay, task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++rounds_) {
      for (const schedule::Hop& hop : stage.rounds.round(t))
        ++add(hop, schedule::chain_of(part_of(hop), task.parts, chains)).packets;
    }
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
                                  .hops = 1});
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
  are_neighbours_ = std::ranges::all_of(messages_, [](const Message& message) { return message.hops == 1; });
  sends_ = sorted(&Message::from, &Message::port);
  receipts_ = sorted(&Message::to, &Message::receiver_port);
}

template <class NodeOf, class PortOf>
RoutedMessages::Lists RoutedMessages::sorted(NodeOf node_of, PortOf port_of) const {
  Lists result;
  result.messages.resize(messages_.size());
  std::iota(result.messages.begin(), result.messages.end(), 0U);
  const auto list_of = [&](const Message& message) {
    return list(message.*node_of, message.chain, message.round);
  };
  std::ranges::sort(result.messages, {},
                    [&](std::uint32_t i) { return std::pair(list_of(messages_[i]), messages_[i].*port_of); });
  result.ends.assign(std::size_t{nodes_} * chains_ * rounds_, 0);
  for (const Message& message : messages_) ++result.ends[list_of(message)];
  std::partial_sum(result.ends.begin(), result.ends.end(), result.ends.begin());
  return result;
}

// What happens at one time.
struct Moment {
  std::vector<std::uint32_t> starting;  // messages whose bytes start
  std::vector<network::Node> waking;

  void clear() {
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

  /// Takes the first one out and puts it in the place of `moment`.
  void take_first(Moment& moment) {
    spare_ = by_time_.extract(by_time_.begin());
    newest_ = by_time_.end();
    std::swap(moment, spare_.mapped());
    spare_.mapped().clear();
  }

 private:
  using ByTime = std::map<double, Moment>;

  ByTime::iterator find_or_add(double time) {
    const auto next = by_time_.lower_bound(time);
    if (next != by_time_.end() && next->first == time) return next;
    if (spare_.empty()) return by_time_.try_emplace(next, time);
    spare_.key() = time;
    return by_time_.insert(next, std::move(spare_));
  }

  ByTime by_time_;
  ByTime::iterator newest_ = by_time_.end();
  ByTime::node_type spare_;  // its memory is used again
};

// One execution. A message of share s has the number s M + i, if it has number i of M in the plan, and chain c of it s C + c, if
// the plan has C.
class RoutedClock {
 public:
  RoutedClock(const RoutedMessages& plan, std::span<const std::uint64_t> part_bytes, const Machine& machine)
      : plan_(plan),
        part_bytes_(part_bytes),
        machine_(machine),
        nodes_(plan.nodes_),
        chains_a_node_(plan.chains_ * static_cast<std::uint32_t>(part_bytes.size())),
        chains_(std::size_t{plan.nodes_} * chains_a_node_),
        sent_(plan.messages_.size() * part_bytes.size(), never),
        posted_(sent_.size(), never),
        users_(plan.capacities_.size(), 0),
        loads_(plan.capacities_.size()) {}

  std::optional<double> run(std::uint64_t& work_left) {
    for (Node node = 0; node < plan_.nodes_; ++node) {
      for (std::uint32_t chain = 0; chain < chains_a_node_; ++chain)
        nodes_[node].free_at = begin_round(node, chain, nodes_[node].free_at);
      wake(node);
    }
    while (!moments_.are_over() || !active_.empty()) {
      step();
      if (work_ > work_left) {
        work_left = 0;
        return std::nullopt;
      }
    }
    work_left -= work_;
    return last_;
  }

 private:
  using Node = network::Node;
  using Message = RoutedMessages::Message;

  struct NodeState {
    double free_at = 0;                  // the processor
    std::vector<std::uint32_t> arrived;  // messages that it has not taken
  };
  struct ChainState {
    std::uint32_t next = 0;  // round to begin
    std::size_t open = 0;    // receipts of the one under way
  };
  // Bytes of a message on their way.
  struct Flow {
    std::uint32_t message = 0;
    double left = 0, rate = 0;
    bool is_settled = false;  // its rate, while links are shared
  };
  struct Load {
    double weight = 0, room = 0;  // of the flows that are not settled
    std::uint32_t flows = 0;      // of these
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

  void wake(Node node) {
    last_ = std::max(last_, nodes_[node].free_at);
    moments_.at(nodes_[node].free_at).waking.push_back(node);
  }

  // Begins rounds until one has receipts; returns when all is prepared.
  double begin_round(Node node, std::uint32_t chain, double now) {
    ChainState& state = chains_[std::size_t{node} * chains_a_node_ + chain];
    const auto first = static_cast<std::uint32_t>(chain / plan_.chains_ * plan_.messages_.size());
    while (state.open == 0 && state.next < plan_.rounds_) {
      const std::size_t list = plan_.list(node, chain % plan_.chains_, state.next++);
      for (const std::uint32_t i : plan_.receipts_.at(list)) {
        posted_[first + i] = now;
        launch(first + i);
      }
      for (const std::uint32_t i : plan_.sends_.at(list)) {
        now += machine_.overhead(1, bytes(first + i));
        sent_[first + i] = now;
        launch(first + i);
      }
      state.open = plan_.receipts_.at(list).size();
    }
    return now;
  }

  // Once the message is prepared and expected.
  void launch(std::uint32_t i) {
    const double start = std::max(sent_[i], posted_[i]);
    if (start == never) return;
    const double on_the_way = static_cast<double>(machine_.startups(bytes(i))) * machine_.startup_s +
                              (message(i).hops - 1) * machine_.hop_time_s;
    moments_.at(start + on_the_way).starting.push_back(i);
  }

  // All that happens at the next time at which anything does.
  void step() {
    double now = moments_.are_over() ? never : moments_.first_time();
    for (const Flow& flow : active_) now = std::min(now, now_ + flow.left / flow.rate);
    const double soon = now + 1e-11 * now;
    for (Flow& flow : active_)
      flow.left = now_ + flow.left / flow.rate <= soon ? 0 : flow.left - (now - now_) * flow.rate;
    now_ = now;
    std::erase_if(active_, [&](const Flow& flow) {
      if (flow.left > 0) return false;
      leave_links(flow);
      arrive(flow.message);
      return true;
    });
    waking_.clear();
    // An arrival at this time wakes its node at this time.
    while (!moments_.are_over() && moments_.first_time() <= soon) {
      moments_.take_first(moment_);
      for (const std::uint32_t message : moment_.starting) start_bytes(message);
      waking_.insert(waking_.end(), moment_.waking.begin(), moment_.waking.end());
    }
    for (const Node node : waking_) take_next(node);
    if (std::exchange(links_are_shared_anew_, false)) share();
    work_ += active_.size() + waking_.size() + 1;
  }

  void start_bytes(std::uint32_t i) {
    const double left = static_cast<double>(bytes(i)) * machine_.byte_time_s;
    if (left > 0) {
      enter_links(active_.emplace_back(Flow{i, left}));
    } else {
      arrive(i);
    }
  }

  void arrive(std::uint32_t i) {
    const Node node = message(i).to;
    nodes_[node].arrived.push_back(i);
    last_ = std::max(last_, now_);
    if (nodes_[node].free_at <= now_) moments_.at(now_).waking.push_back(node);
  }

  // Takes the message whose round began first, and goes on with its chain.
  void take_next(Node node) {
    NodeState& state = nodes_[node];
    if (state.arrived.empty() || state.free_at > now_ * (1 + 1e-11)) return;
    const auto first = std::ranges::min_element(state.arrived, {}, [&](std::uint32_t i) {
      return std::tuple(posted_[i], chain_of(i), message(i).receiver_port);
    });
    const std::uint32_t chain = chain_of(*first);
    state.arrived.erase(first);
    state.free_at = now_ + machine_.receive_overhead(1);
    if (--chains_[std::size_t{node} * chains_a_node_ + chain].open == 0)
      state.free_at = begin_round(node, chain, state.free_at);
    wake(node);
  }

  // A flow that is alone on its links changes nothing for others.
  void enter_links(Flow& flow) {
    flow.rate = never;
    for (const std::uint32_t link : way(flow.message)) {
      links_are_shared_anew_ |= users_[link]++ > 0;
      flow.rate = std::min<double>(flow.rate, plan_.capacities_[link]);
    }
  }
  void leave_links(const Flow& flow) {
    for (const std::uint32_t link : way(flow.message)) links_are_shared_anew_ |= --users_[link] > 0;
  }

  // Settles, again and again, the flows over the links that give the least.
  void share() {
    if (plan_.are_neighbours_) return share_single_links();
    used_.clear();
    for (Flow& flow : active_) {
      flow.is_settled = false;
      for (const std::uint32_t link : way(flow.message)) {
        Load& load = loads_[link];
        if (load.flows++ == 0) {
          used_.push_back(link);
          load.weight = 0;
          load.room = plan_.capacities_[link];
        }
        load.weight += weight(flow.message);
      }
    }
    for (std::size_t settled = 0; settled < active_.size();) {
      double least = never;
      for (const std::uint32_t link : used_) {
        if (loads_[link].flows > 0) least = std::min(least, loads_[link].share());
      }
      const double limit = least * (1 + 1e-9);
      for (Flow& flow : active_) {
        if (flow.is_settled) continue;
        const auto is_tight = [&](std::uint32_t link) { return loads_[link].share() <= limit; };
        flow.rate = std::ranges::any_of(way(flow.message), is_tight) ? least * weight(flow.message) : 0;
      }
      for (Flow& flow : active_) {
        if (flow.is_settled || flow.rate == 0) continue;
        flow.is_settled = true;
        ++settled;
        for (const std::uint32_t link : way(flow.message)) {
          Load& load = loads_[link];
          --load.flows;
          load.weight -= weight(flow.message);
          load.room -= flow.rate;
        }
      }
      work_ += active_.size();
    }
  }

  // No flow over one link has to do with those over others.
  void share_single_links() {
    for (Flow& flow : active_) {
      const std::uint32_t link = way(flow.message).front();
      flow.rate = static_cast<double>(plan_.capacities_[link]) / users_[link];
    }
    work_ += active_.size();
  }

  const RoutedMessages& plan_;
  std::span<const std::uint64_t> part_bytes_;  // by share
  const Machine& machine_;
  double now_ = 0, last_ = 0;
  std::uint64_t work_ = 0;
  std::vector<NodeState> nodes_;
  std::uint32_t chains_a_node_;
  std::vector<ChainState> chains_;     // by node, share and chain
  std::vector<double> sent_, posted_;  // by message
  Moments moments_;
  Moment moment_;  // under way
  std::vector<Flow> active_;
  std::vector<std::uint32_t> users_;  // flows, by link
  bool links_are_shared_anew_ = false;
  std::vector<Load> loads_;          // by link; no flows between two calls of share()
  std::vector<std::uint32_t> used_;  // links
  std::vector<Node> waking_;
};

std::optional<double> RoutedMessages::completion(std::span<const std::uint64_t> part_bytes,
                                                 const Machine& machine, std::uint64_t& work_left) const {
  return RoutedClock(*this, part_bytes, machine).run(work_left);
}

}  // namespace isotrope::cost
