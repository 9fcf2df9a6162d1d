// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/local/reference.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "isotrope/schedule/packets.hpp"

namespace isotrope::local {
namespace {

using network::Node;
using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::Plan;
using schedule::Replication;
using schedule::Stage;

using Content = std::map<Node, int>;                          // contributor -> how often
using Instance = std::pair<schedule::PacketId, Node>;         // packet, translation
using Name = std::tuple<Node, std::uint32_t, std::uint32_t>;  // owner, block, part

class Reference {
 public:
  explicit Reference(const Plan& plan) : plan_(plan), packets_(std::nullopt) {}

  Outcome run() {
    for (const Stage& stage : plan_.schedule.stages) {
      begin(stage);
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) run_round(stage, t);
      end(stage);
    }
    return outcome_;
  }

 private:
  bool alive(Node node) const { return std::ranges::count(plan_.failed.nodes, node) == 0; }
  bool chained() const {
    return plan_.task.collective == Collective::allreduce || plan_.task.collective == Collective::barrier;
  }
  std::vector<Node> nodes() const {
    std::vector<Node> result;
    for (Node node = 0; node < plan_.network.order(); ++node) {
      if (alive(node)) result.push_back(node);
    }
    return result;
  }
  std::vector<Node> translations(Replication replication) const {
    if (replication.kind == Replication::Kind::none) return {0};
    std::vector<Node> result;
    for (Node node = 0; node < plan_.network.order(); ++node) {
      const bool any = replication.kind == Replication::Kind::all;
      std::uint64_t sum = 0;
      for (std::size_t axis = 0; axis < plan_.network.group().rank(); ++axis)
        sum += (replication.axes >> axis & 1) * plan_.network.group().coordinate(node, axis);
      if (any || sum % 2 == 0) result.push_back(node);
    }
    return result;
  }
  Node moved(Node node, Node by) const {
    return node == schedule::to_all ? node : plan_.network.group().add(node, by);
  }
  Packet packet(Instance instance) const {
    Packet result = (*packets_)[instance.first];
    result.origin = moved(result.origin, instance.second);
    result.to = moved(result.to, instance.second);
    return result;
  }
  Content whole() const {
    Content result;
    for (const Node node : nodes()) result[node] = 1;
    return result;
  }

  void begin(const Stage& stage) {
    packets_.emplace(plan_.network, plan_.task, stage);
    held_.clear();
    instances_.clear();
    for (const Node translation : translations(stage.replication)) {
      for (schedule::PacketId id = 0; id < packets_->size(); ++id) instances_.emplace_back(id, translation);
    }
    for (const Instance& instance : instances_) {
      const auto [origin, to, block, part] = packet(instance);
      if (stage.flow == Flow::reduce) {
        for (const Node node : nodes()) held_[{instance, node}] = {{node, 1}};
      } else if (chained()) {
        const auto result = results_.find({origin, block, part});
        if (result != results_.end()) held_[{instance, origin}] = result->second;
      } else if (alive(origin)) {
        held_[{instance, origin}] = {{origin, 1}};
      }
    }
  }

  void run_round(const Stage& stage, std::uint64_t t) {
    std::vector<std::tuple<Instance, Node, Content>> on_the_way;
    for (const Hop& hop : stage.rounds.round(t)) {
      for (const Node translation : translations(stage.replication)) {
        const Instance instance{hop.packet, translation};
        const Node from = moved(hop.from, translation);
        const Node to = plan_.network.neighbour(from, hop.port);
        const auto held = held_.find({instance, from});
        if (held == held_.end() || !alive(to)) continue;
        on_the_way.emplace_back(instance, to, held->second);
        if (stage.flow != Flow::copy) held_.erase(held);
      }
    }
    for (const auto& [instance, to, content] : on_the_way) {
      ++outcome_.transmissions;
      const auto [place, is_new] = held_.try_emplace({instance, to}, content);
      if (is_new || stage.flow != Flow::reduce) continue;
      for (const auto& [node, times] : content) place->second[node] += times;
    }
  }

  void end(const Stage& stage) {
    outcome_.correct = true;
    for (const Instance& instance : instances_) {
      const auto [origin, to, block, part] = packet(instance);
      const bool combined = stage.flow == Flow::reduce || chained();
      const Node owner = stage.flow == Flow::reduce ? to : origin;
      if (!alive(owner)) continue;
      const Content wanted = combined ? whole() : Content{{owner, 1}};
      for (const Node node : to == schedule::to_all ? nodes() : std::vector<Node>{to}) {
        if (!alive(node)) continue;
        const auto held = held_.find({instance, node});
        outcome_.correct = outcome_.correct && held != held_.end() && held->second == wanted;
        if (held != held_.end() && stage.flow == Flow::reduce) results_[{owner, block, part}] = held->second;
      }
    }
  }

  const Plan& plan_;
  std::optional<schedule::Packets> packets_;
  std::vector<Instance> instances_;
  std::map<std::pair<Instance, Node>, Content> held_;
  std::map<Name, Content> results_;
  Outcome outcome_;
};

}  // namespace

Outcome follow(const Plan& plan) {
  return Reference(plan).run();
}

}  // namespace isotrope::local
