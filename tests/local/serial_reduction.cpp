// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/local/serial_reduction.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/local/contributions.hpp"

namespace isotrope::local {
namespace {

using network::Port;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::PacketId;
using schedule::Plan;
using schedule::Replication;
using schedule::Stage;

template <class T>
T applied(Operation operation, T a, T b) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const std::int64_t x = a, y = b;
    if (operation == Operation::sum) return static_cast<T>(x + y);
    if (operation == Operation::prod) return static_cast<T>(x * y);
  }
  if (operation == Operation::max) return std::max(a, b);
  if (operation == Operation::min) return std::min(a, b);
  return operation == Operation::sum ? a + b : a * b;
}

template <class T>
class Interpreter {
 public:
  Interpreter(const Plan& plan, std::uint64_t block_bytes, Reduction reduction, std::uint64_t seed)
      : plan_(plan),
        elements_(block_bytes / sizeof(T)),
        operation_(reduction.operation),
        contributions_(reduction, plan.network.order(), seed) {}

  Results run() {
    for (const Stage& stage : plan_.schedule.stages) {
      begin(stage);
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) run_round(stage, t);
      end(stage);
    }
    Results results;
    for (const auto& [place, values] : results_) {
      const auto bytes = std::as_bytes(std::span(values));
      results[place].assign(bytes.begin(), bytes.end());
    }
    return results;
  }

 private:
  using Values = std::vector<T>;
  using Instance = std::pair<PacketId, Node>;  // packet, translation
  struct Arrival {
    Instance instance;
    Node to;
    Port port;
    Values values;
  };

  std::vector<Node> translations(Replication replication) const {
    std::vector<Node> result = {0};
    const schedule::NodeClasses classes(plan_.network.group(), replication);
    for (Node node = 1; node < plan_.network.order(); ++node) {
      if (classes.of(node) == classes.of(0)) result.push_back(node);
    }
    return result;
  }
  Node moved(Node node, Node by) const {
    return node == schedule::to_all ? node : plan_.network.group().add(node, by);
  }
  std::uint64_t first_element(std::uint32_t part) const { return part * elements_ / plan_.task.parts; }
  Place place_of(const Packet& packet, Node owner, Node node) const {
    return {node, owner, packet.block, first_element(packet.part) * sizeof(T)};
  }
  Packet packet(Instance instance) const {
    Packet result = (*packets_)[instance.first];
    result.origin = moved(result.origin, instance.second);
    result.to = moved(result.to, instance.second);
    return result;
  }

  void begin(const Stage& stage) {
    packets_.emplace(plan_.network, plan_.task, stage);
    const auto before = std::exchange(results_, {});
    held_.clear();
    instances_.clear();
    for (const Node translation : translations(stage.replication)) {
      for (PacketId id = 0; id < packets_->size(); ++id) instances_.emplace_back(id, translation);
    }
    for (const Instance& instance : instances_) {
      const Packet piece = packet(instance);
      if (stage.flow == Flow::reduce) {
        contribute(instance, piece);
      } else {
        held_[{instance, piece.origin}] = before.at(place_of(piece, piece.origin, piece.origin));
      }
    }
  }

  void contribute(Instance instance, const Packet& piece) {
    const std::uint64_t first = first_element(piece.part);
    for (Node node = 0; node < plan_.network.order(); ++node) {
      Values& own = held_[{instance, node}];
      own.resize(first_element(piece.part + 1) - first);
      contributions_.write(std::as_writable_bytes(std::span(own)), node, piece.to, piece.block,
                           first * sizeof(T));
    }
  }

  void run_round(const Stage& stage, std::uint64_t t) {
    std::vector<Arrival> arrivals;
    for (const Hop& hop : stage.rounds.round(t)) {
      for (const Node translation : translations(stage.replication)) {
        const Instance instance{hop.packet, translation};
        const Node from = moved(hop.from, translation);
        const auto held = held_.find({instance, from});
        if (held == held_.end()) continue;
        arrivals.push_back({instance, plan_.network.neighbour(from, hop.port),
                            plan_.network.opposite(hop.port), held->second});
        if (stage.flow == Flow::reduce) held_.erase(held);
      }
    }
    std::ranges::stable_sort(arrivals, {}, &Arrival::port);
    for (const Arrival& arrival : arrivals) receive(stage, arrival);
  }

  void receive(const Stage& stage, const Arrival& arrival) {
    const auto [own, is_new] = held_.try_emplace({arrival.instance, arrival.to}, arrival.values);
    if (is_new || stage.flow != Flow::reduce) return;
    std::ranges::transform(own->second, arrival.values, own->second.begin(),
                           [&](T a, T b) { return applied(operation_, a, b); });
  }

  void end(const Stage& stage) {
    for (const auto& [where, values] : held_) {
      const auto& [instance, node] = where;
      const Packet piece = packet(instance);
      if (piece.to != schedule::to_all && piece.to != node) continue;
      results_[place_of(piece, stage.flow == Flow::reduce ? piece.to : piece.origin, node)] = values;
    }
  }

  const Plan& plan_;
  std::uint64_t elements_;  // of a block
  Operation operation_;
  Contributions contributions_;
  std::optional<schedule::Packets> packets_;
  std::vector<Instance> instances_;
  std::map<std::pair<Instance, Node>, Values> held_;
  std::map<Place, Values> results_;
};

}  // namespace

Results serial_results(const Plan& plan, std::uint64_t block_bytes, Reduction reduction, std::uint64_t seed) {
  switch (reduction.type) {
    case Type::int32:
      return Interpreter<std::int32_t>(plan, block_bytes, reduction, seed).run();
    case Type::float32:
      return Interpreter<float>(plan, block_bytes, reduction, seed).run();
    default:
      return Interpreter<double>(plan, block_bytes, reduction, seed).run();
  }
}

}  // namespace isotrope::local
