// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/prefix.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

[[noreturn]] void refuse_unknown(ValueId value, std::size_t values) {
  throw Error(
      fmt::format("the result of an exchange has value {}: its node has values 0..{}; give a valid plan "
                  "(verify it first)",
                  value, values - 1));
}

}  // namespace

PrefixValues::PrefixValues(const network::Network& network, const Task& task, const Stage& stage)
    : network_(network), task_(task), stage_(stage), classes_(network.group(), stage.replication) {
  if (classes_.size() == 1) {
    follow_nodes();
  } else {
    follow_classes();
  }
}

void PrefixValues::follow_nodes() {
  last_contributors_.resize(std::size_t{task_.parts} * network_.order());
  for (std::uint32_t part = 0; part < task_.parts; ++part) {
    for (Node node = 0; node < network_.order(); ++node) last_contributors_[place(part, node)] = {node};
  }
  for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
    std::vector<std::pair<std::size_t, Node>> arrivals;
    for (const Hop& hop : stage_.rounds.round(t)) {
      const Sum& sum = stage_.sums[hop.packet];
      Node last = 0;
      for (const ValueId value : sum.values)
        last = std::max(last, last_contributors_[place(sum.part, hop.from)][value]);
      arrivals.emplace_back(place(sum.part, network_.neighbour(hop.from, hop.port)), last);
    }
    for (const auto& [to, last] : arrivals) last_contributors_[to].push_back(last);
  }
}

void PrefixValues::follow_classes() {
  using Differences = std::vector<Node>;  // of a value: contributors minus node
  std::vector<std::vector<Differences>> received(std::size_t{task_.parts} * classes_.count(), {{0}});
  for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
    std::vector<std::pair<std::size_t, Differences>> arrivals;
    for (const Hop& hop : stage_.rounds.round(t)) {
      const Sum& sum = stage_.sums[hop.packet];
      const Node offset = network_.generators()[hop.port];
      Differences differences;
      for (const ValueId value : sum.values) {
        for (const Node difference : received[place(sum.part, hop.from)][value])
          differences.push_back(network_.group().subtract(difference, offset));
      }
      arrivals.emplace_back(place(sum.part, network_.neighbour(hop.from, hop.port)), std::move(differences));
    }
    for (auto& [to, differences] : arrivals) received[to].push_back(std::move(differences));
  }
  values_.resize(received.size());
  for (std::size_t i = 0; i < received.size(); ++i) {
    for (const Differences& differences : received[i]) values_[i].push_back(summary(differences));
  }
}

PrefixValues::Value PrefixValues::summary(const std::vector<Node>& differences) const {
  const network::Group& group = network_.group();
  std::vector<network::Coordinate> least(group.rank(), 0);
  Value result;
  for (const Node difference : differences) {
    std::uint32_t axis = 0;
    while (axis < group.rank() && group.coordinate(difference, axis) == 0) ++axis;
    if (axis == group.rank()) {
      result.own = true;
      continue;
    }
    const network::Coordinate lead = group.coordinate(difference, axis);
    least[axis] = least[axis] == 0 ? lead : std::min(least[axis], lead);
  }
  for (std::uint32_t axis = 0; axis < group.rank(); ++axis) {
    if (least[axis] > 0) result.leads.push_back({axis, least[axis]});
  }
  return result;
}

bool PrefixValues::is_before(const Value& value, Node node) const {
  if (value.own && task_.collective == Collective::exscan) return false;
  const network::Group& group = network_.group();
  return std::ranges::all_of(value.leads, [&](const Value::Lead& lead) {
    return group.coordinate(node, lead.axis) + std::uint64_t{lead.least} >= group.moduli()[lead.axis];
  });
}

std::vector<ValueId> PrefixValues::result(std::uint32_t part, Node node) const {
  const std::size_t own = place(part, node);
  const bool alike = stage_.result.size() == task_.parts, single = classes_.size() == 1;
  const Node end = node + (task_.collective == Collective::scan ? 1 : 0);
  const std::size_t known = single ? last_contributors_[own].size() : values_[own].size();
  std::vector<ValueId> result;
  for (const ValueId value : stage_.result[alike ? part : own]) {
    if (value >= known) refuse_unknown(value, known);
    if (single ? last_contributors_[own][value] < end : is_before(values_[own][value], node))
      result.push_back(value);
  }
  const auto first = std::ranges::find(result, ValueId{0});
  if (first != result.end()) std::rotate(result.begin(), first, first + 1);
  return result;
}

}  // namespace isotrope::schedule
