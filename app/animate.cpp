// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/animate.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/verify.hpp"

#include "app/describe.hpp"

namespace isotrope::app {
namespace {

using network::Node;
using schedule::Hop;
using schedule::Plan;
using schedule::Stage;

constexpr std::uint64_t most_flights = 20'000;

std::uint64_t transmissions(const Plan& plan) {
  std::uint64_t sum = 0;
  for (const Stage& stage : plan.schedule.stages)
    sum += stage.rounds.hop_count() * schedule::NodeClasses(plan.network.group(), stage.replication).size();
  return sum;
}

// The node whose packets the eye follows.
Node followed_node(const Plan& plan) {
  return is_rooted(plan.task.collective) ? plan.task.root : 0;
}

// Adds the flights and counts the arrivals by round and node, for hops written out in full.
class Motion {
 public:
  Motion(const Plan& plan, Node followed)
      : plan_(plan),
        followed_(followed),
        arrivals_(plan.schedule.round_count(), std::vector<double>(plan.network.order())) {
    for (const Stage& stage : plan.schedule.stages) add(stage);
  }

  io::Animation animation() && { return {arrivals_.size(), std::move(flights_), shares()}; }

 private:
  void add(const Stage& stage) {
    const schedule::Packets packets(plan_.network, plan_.task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round_) {
      for (const Hop& hop : stage.rounds.round(t)) add(stage.flow, hop, packets[hop.packet]);
    }
  }

  void add(schedule::Flow flow, const Hop& hop, const schedule::Packet& packet) {
    const Node to = plan_.network.neighbour(hop.from, hop.port);
    const Node owner = flow == schedule::Flow::exchange ? hop.from : packet.origin;
    flights_.push_back({round_, {hop.from, hop.port}, owner == followed_});
    if (flow != schedule::Flow::move || packet.to == to) ++arrivals_[round_][to];
  }

  std::vector<std::vector<double>> shares() const {
    std::vector<std::vector<double>> result(plan_.network.order());
    for (Node node = 0; node < plan_.network.order(); ++node) {
      double all = 0, so_far = 0;
      for (const auto& round : arrivals_) all += round[node];
      constexpr double strongest = 0.6;  // numbers stay legible
      result[node].push_back(0);
      for (const auto& round : arrivals_) {
        so_far += round[node];
        result[node].push_back(all == 0 ? 0 : strongest * so_far / all);
      }
    }
    return result;
  }

  const Plan& plan_;
  Node followed_;
  std::uint64_t round_ = 0;
  std::vector<io::Flight> flights_;
  std::vector<std::vector<double>> arrivals_;
};

io::Animation animation_of(const Plan& plan) {
  return Motion(verify::expand(plan), followed_node(plan)).animation();
}

}  // namespace

std::optional<std::string> reason_not_animated(const Plan& plan) {
  if (plan.overlay)
    return "messages of this plan go to nodes that are no neighbours; give a plan of hops over links";
  const std::uint64_t hops = transmissions(plan);
  if (hops <= most_flights) return std::nullopt;
  return fmt::format(
      "{} hops are too many for a picture, at most {}; give a smaller network, or use `isotrope view`", hops,
      most_flights);
}

io::NetworkPicture motion_picture(const Subject& subject) {
  const Plan& plan = subject.plan;
  if (const auto reason = reason_not_animated(plan)) throw Error("--animate: " + *reason);
  using Sign = io::KeyEntry::Sign;
  const Node node = followed_node(plan);
  io::NetworkPicture picture;
  picture.title = headline(subject);
  picture.title.pop_back();  // the end of the line
  picture.note =
      fmt::format("At least {} are needed: {}.", counted(plan.bound.value, "round"), plan.bound.because);
  picture.nodes.push_back({node, "#333333"});
  picture.key = {{Sign::node, io::followed_colour, fmt::format("packets of node {}", node)},
                 {Sign::node, io::other_colour, "packets of other nodes"},
                 {Sign::node, io::filling_colour, "what a node has received"}};
  picture.failed = plan.failed;
  picture.animation = animation_of(plan);
  return picture;
}

}  // namespace isotrope::app
