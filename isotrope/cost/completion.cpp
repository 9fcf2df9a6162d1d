// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/completion.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/complete_packets.hpp"
#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/occupancy.hpp"
#include "isotrope/cost/plan_check.hpp"
#include "isotrope/cost/round_messages.hpp"

namespace isotrope::cost {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::Packets;
using schedule::Plan;

// The nodes and translations by which the hops of a replicated stage are followed.
//
// The translates of a hop send from every node of one class and arrive at every node of one class, once each. So the
// same happens to all members of a class at the same time, and a class needs one entry:
//
//     0 -> g    g -> 2g    2g -> 3g ...      every node sends once and receives once
//
// Under half duplex a node cannot do both at once over a port that leads to the sender's own class. Then the
// translates have to queue: each is followed separately, in the order of verify::expand, and every node is a class.
// So they are if edges have times of their own.
class Translates {
 public:
  Translates(const Plan& plan, const Machine& machine)
      : classes_(plan.network.group(), plan.schedule.stages.empty() ? schedule::Replication::none()
                                                                    : plan.schedule.stages[0].replication) {
    const bool collides = std::ranges::any_of(plan.network.generators(),
                                              [&](Node g) { return classes_.of(g) == classes_.of(0); });
    const bool queues = machine.ports.half_duplex() && collides;
    if (!queues && plan.failed.edge_times.empty()) return;
    shifts_.clear();
    for (Node node = 0; node < plan.network.order(); ++node) {
      if (classes_.of(node) == classes_.of(0)) shifts_.push_back(node);
    }
    classes_ = schedule::NodeClasses(plan.network.group(), schedule::Replication::none());
  }

  /// The classes that need an entry each.
  const schedule::NodeClasses& classes() const { return classes_; }
  /// The translations of every listed hop that are followed; 0 alone if a class stands for its members.
  std::span<const Node> shifts() const { return shifts_; }

 private:
  schedule::NodeClasses classes_;
  std::vector<Node> shifts_{0};
};

// The entries of a table of times, as in table_size(1024, "nodes", 10, "ports").
std::uint64_t table_size(std::uint64_t rows, std::string_view row, std::uint64_t columns,
                         std::string_view column) {
  if (rows <= most_times / columns) return rows * columns;
  throw Error(
      fmt::format("{} {} by {} {} are more than the {} times that are kept: plan fewer packets or a "
                  "smaller network",
                  rows, row, columns, column, most_times));
}

// Tells how far the hops are, in steps of a hundredth.
class CompletionProgress {
 public:
  CompletionProgress(const std::function<void(double)>& listener, std::uint64_t hops)
      : listener_(listener), hops_(static_cast<double>(hops)) {}

  void add(std::size_t hops) {
    if (!listener_ || hops_ == 0) return;
    done_ += static_cast<double>(hops);
    const double share = done_ / hops_;
    if (share < told_ + 0.01) return;
    told_ = share;
    listener_(share);
  }

 private:
  const std::function<void(double)>& listener_;
  double hops_;
  double done_ = 0;
  double told_ = 0;
};

class Simulation {
 public:
  Simulation(const Plan& plan, const Machine& machine, const Workload& workload,
             const CompletionOptions& options)
      : plan_(plan),
        machine_(machine),
        workload_(workload),
        options_(options),
        translates_(plan, machine),
        classes_(translates_.classes()),
        degree_(plan.network.degree()),
        times_(plan.network, plan.failed, machine),
        links_(table_size(classes_.count(), "nodes", std::max<Port>(degree_, 1), "ports")),
        packet_time_(machine.message_time(workload.packet_bytes)),
        lanes_(classes_, plan.network.order(), machine.lanes),
        occupancy_(plan.network, machine, classes_.count(), lanes_),
        messages_(plan.schedule.round_kind, links_),
        progress_(options.progress, plan.schedule.hop_count()) {
    result_.class_finish_s.resize(classes_.count());
  }

  Completion run() {
    for (stage_ = 0; stage_ < plan_.schedule.stages.size(); ++stage_) {
      follow(plan_.schedule.stages[stage_]);
      result_.completion_s = std::max(result_.completion_s, result_.stage_finish_s.back());
    }
    result_.messages *= classes_.size();
    result_.startups *= classes_.size();
    result_.bytes *= classes_.size();
    return std::move(result_);
  }

 private:
  // A packet of origin 0 is followed in as many instances as there are shifts.
  std::uint64_t instance(PacketId packet, std::size_t shift) const {
    return std::uint64_t{packet} * translates_.shifts().size() + shift;
  }

  void follow(const schedule::Stage& stage) {
    const Packets packets(plan_.network, plan_.task, stage);
    const std::uint64_t instances =
        table_size(packets.size(), "packets", translates_.shifts().size(), "translations");
    if (stage_ == 0) at_origin_.assign(instances, 0);
    result_.stage_finish_s.push_back(0);
    plan_.network.visit([&](const auto& neighbour, const auto& group) {
      const Node order = plan_.network.order();
      switch (stage.flow) {
        case Flow::move:
          return follow_with(stage, packets, neighbour, group, MovedTimes(std::move(at_origin_)));
        case Flow::copy:
          table_size(instances, "packets", order, "nodes");
          return follow_with(stage, packets, neighbour, group, at_origins(packets, group));
        case Flow::reduce:
          table_size(instances, "packets", order, "nodes");
          return follow_with(stage, packets, neighbour, group, CombinedTimes(instances, order));
        case Flow::exchange:
          return follow_with(stage, packets, neighbour, group,
                             SummedTimes(stage, classes_, plan_.task.parts, translates_.shifts().size()));
        case Flow::reduce_then_copy:
          table_size(instances, "packets", order, "nodes");
          return follow_with(stage, packets, neighbour, group, reduced_then_copied(stage, packets, group));
      }
    });
  }

  // Visits every instance of every packet with its origin.
  template <class Group, class Visit>
  void each_instance(const Packets& packets, const Group& group, Visit visit) const {
    const auto shifts = translates_.shifts();
    for (PacketId packet = 0; packet < packets.size(); ++packet) {
      const Node origin = packets[packet].origin;
      for (std::size_t i = 0; i < shifts.size(); ++i)
        visit(instance(packet, i), group.add(origin, shifts[i]));
    }
  }

  template <class Group>
  CopiedTimes at_origins(const Packets& packets, const Group& group) const {
    CopiedTimes times(at_origin_.size(), plan_.network.order());
    each_instance(packets, group,
                  [&](std::uint64_t i, Node origin) { times.receive(i, origin, at_origin_[i]); });
    return times;
  }

  template <class Group>
  ReducedThenCopiedTimes reduced_then_copied(const schedule::Stage& stage, const Packets& packets,
                                             const Group& group) const {
    const std::vector<std::uint64_t> complete = complete_from(plan_, stage);
    std::vector<ReducedThenCopiedTimes::Result> results;
    each_instance(packets, group, [&](std::uint64_t i, Node origin) {
      results.push_back({complete[i / translates_.shifts().size()], i, origin});
    });
    return {std::move(results), plan_.network.order()};
  }

  template <class Neighbour, class Group, class PacketTimes>
  void follow_with(const schedule::Stage& stage, const Packets& packets, const Neighbour& neighbour,
                   const Group& group, PacketTimes times) {
    const PacketBytes bytes(packets, workload_, plan_.task.parts);
    for (round_ = 0; round_ < stage.rounds.size(); ++round_) {
      const std::span<const Hop> hops = stage.rounds.round(round_);
      if constexpr (requires { times.begin_round(round_); }) times.begin_round(round_);
      gather(hops, group, bytes, times);
      for (Transfer& transfer : messages_.all()) carry(transfer, neighbour(transfer.from, transfer.port));
      for (Transfer& transfer : messages_.all()) take(transfer, neighbour(transfer.from, transfer.port));
      deliver(hops, neighbour, group, times);
      progress_.add(hops.size());
    }
    hand_over(group, times);
  }

  // Visits every hop of the round, and its translates if they are followed separately.
  template <class Group, class Visit>
  void each_hop(std::span<const Hop> hops, const Group& group, Visit visit) const {
    const auto shifts = translates_.shifts();
    if (shifts.size() == 1) {
      for (const Hop& hop : hops) visit(hop, std::uint64_t{hop.packet});
      return;
    }
    for (const Hop& hop : hops) {
      for (std::size_t i = 0; i < shifts.size(); ++i)
        visit(Hop{hop.packet, group.add(hop.from, shifts[i]), hop.port}, instance(hop.packet, i));
    }
  }

  template <class Group, class PacketTimes>
  void gather(std::span<const Hop> hops, const Group& group, const PacketBytes& bytes,
              const PacketTimes& times) {
    messages_.begin_round();
    each_hop(hops, group, [&](const Hop& hop, std::uint64_t packet) {
      const std::uint64_t link = std::uint64_t{classes_.of(hop.from)} * degree_ + hop.port;
      Transfer& transfer = messages_.add(hop, link, bytes(hop.packet));
      transfer.time_s = std::max(transfer.time_s, times.since(packet, hop.from));
    });
  }

  // Of links that places share, one message stands for those of all places of the node in its class.
  double message_time(const Transfer& transfer, const LinkTime& link) const {
    if (!times_.alike()) {
      const std::uint64_t messages = link.lanes > 1 ? lanes_.members() : 1;
      return times_.message_time(times_.of(transfer.from, transfer.port), transfer.bytes * messages);
    }
    const bool full = transfer.bytes == workload_.packet_bytes;
    return full ? packet_time_ : machine_.message_time(transfer.bytes);
  }

  // Gives the message its start and end.
  void carry(Transfer& transfer, Node to) {
    const LinkTime& link = times_.all()[times_.of(transfer.from, transfer.port)];
    const PortUse way{classes_.of(transfer.from), transfer.port, classes_.of(to), link.lanes > 1};
    const double time = message_time(transfer, link);
    const double prepared = occupancy_.prepare(way.sender, transfer.time_s, transfer.bytes);
    const double start = occupancy_.start(way, prepared, link.startup_s);
    occupancy_.occupy(way, start, time);
    transfer.time_s = start + time;
    if (options_.visit) {
      options_.visit({stage_, round_, transfer.from, transfer.port, transfer.packet, transfer.packets,
                      transfer.bytes, start, transfer.time_s});
    }
  }

  // Turns the end of the message into when the receiver has it.
  void take(Transfer& transfer, Node to) {
    const PortUse way{classes_.of(transfer.from), transfer.port, classes_.of(to)};
    transfer.time_s = occupancy_.take(way.receiver, transfer.time_s);
    count(way, transfer);
  }

  void count(const PortUse& way, const Transfer& transfer) {
    ++result_.messages;
    result_.startups += machine_.startups(transfer.bytes);
    result_.bytes += transfer.bytes;
    for (double* finish : {&result_.stage_finish_s.back(), &result_.class_finish_s[way.sender],
                           &result_.class_finish_s[way.receiver]}) {
      *finish = std::max(*finish, transfer.time_s);
    }
  }

  template <class Neighbour, class Group, class PacketTimes>
  void deliver(std::span<const Hop> hops, const Neighbour& neighbour, const Group& group,
               PacketTimes& times) {
    std::size_t number = 0;
    each_hop(hops, group, [&](const Hop& hop, std::uint64_t packet) {
      times.receive(packet, neighbour(hop.from, hop.port), messages_.of_hop(number++).time_s);
    });
  }

  // The times at which the packets are where the next stage takes them up.
  template <class Group, class PacketTimes>
  void hand_over(const Group& group, const PacketTimes& times) {
    if (stage_ + 1 == plan_.schedule.stages.size()) return;
    const Packets packets(plan_.network, plan_.task, plan_.schedule.stages[stage_ + 1]);
    at_origin_.resize(packets.size() * translates_.shifts().size());
    each_instance(packets, group,
                  [&](std::uint64_t i, Node origin) { at_origin_[i] = times.since(i, origin); });
  }

  const Plan& plan_;
  const Machine& machine_;
  const Workload& workload_;
  const CompletionOptions& options_;
  Translates translates_;
  const schedule::NodeClasses& classes_;
  Port degree_;
  LinkTimes times_;
  std::uint64_t links_;  // directed, of the classes
  double packet_time_;   // of a message with one full packet
  LaneGroups lanes_;
  Occupancy occupancy_;
  RoundMessages messages_;
  CompletionProgress progress_;
  std::size_t stage_ = 0;
  std::uint64_t round_ = 0;
  Times at_origin_;  // from which each packet is at the node at which the stage takes it up
  Completion result_;
};

}  // namespace

Completion complete(const Plan& plan, const Machine& machine, const Workload& workload,
                    const CompletionOptions& options) {
  check(machine, plan.network.degree());
  check(plan, workload);
  return Simulation(plan, machine, workload, options).run();
}

}  // namespace isotrope::cost
