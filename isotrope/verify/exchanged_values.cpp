// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/exchanged_values.hpp"

#include <bit>

namespace isotrope::verify {

ExchangedValues::ExchangedValues(const schedule::Network& network, const schedule::Stage& stage,
                                 std::uint32_t parts, const schedule::NodeClasses& classes,
                                 const std::vector<Node>& nodes)
    : network_(network),
      stage_(stage),
      parts_(parts),
      classes_(classes),
      everyone_((network.order() + 63) / 64, 0),
      representatives_(classes.count(), network.order()),
      values_(std::uint64_t{parts} * classes.count()) {
  for (const Node node : nodes) everyone_[node / 64] |= std::uint64_t{1} << (node % 64);
  for (Node node = network.order(); node-- > 0;) representatives_[classes.of(node)] = node;
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (Node c = 0; c < classes.count(); ++c) {
      const Node node = representatives_[c];
      if (!takes_part(node)) continue;
      NodeSet own(everyone_.size(), 0);
      own[node / 64] = std::uint64_t{1} << (node % 64);
      values(part, c).push_back(std::move(own));
    }
  }
}

bool ExchangedValues::fits(const schedule::Stage& stage, std::uint64_t parts,
                           const schedule::NodeClasses& classes) {
  constexpr std::uint64_t most_bits = std::uint64_t{1} << 34;  // 2 GiB
  constexpr std::uint64_t list_bits = 512;                     // of an empty set and its place in a list
  const std::uint64_t most_sets = most_bits / (std::uint64_t{classes.count()} * classes.size() + list_bits);
  const std::uint64_t own = parts * classes.count();  // below 2^58
  return own <= most_sets && stage.rounds.hop_count() <= most_sets - own;
}

bool ExchangedValues::send(PacketId sum, Node from) {
  const schedule::Sum& terms = stage_.sums[sum];
  const std::vector<NodeSet>& own = values(terms.part, classes_.of(from));
  NodeSet set(everyone_.size(), 0);
  for (const schedule::ValueId value : terms.values) {
    if (value >= own.size()) {
      refusal_ = {Rule::holding, "the sender has not received a value of this sum by the start of the round"};
      return false;
    }
    if (!add(set, own[value])) {
      refusal_ = {Rule::contribution, "two values of this sum contain the same contribution"};
      return false;
    }
  }
  messages_.push_back({std::move(set), network_.group().subtract(from, representatives_[classes_.of(from)])});
  return true;
}

void ExchangedValues::receive(PacketId sum, Node to, std::uint64_t) {
  const Node to_class = classes_.of(to);
  const Node translation = network_.group().subtract(to, representatives_[to_class]);
  const SentSum& message = messages_.front();
  values(stage_.sums[sum].part, to_class)
      .push_back(translated(message.set, network_.group().subtract(message.translation, translation)));
  messages_.pop_front();
}

bool ExchangedValues::is_complete(std::uint32_t part, Node node_class) const {
  const bool same_everywhere = stage_.result.size() == parts_;
  const std::uint64_t index = std::uint64_t{part} * classes_.count() + node_class;
  const std::vector<NodeSet>& own = values_[index];
  NodeSet set(everyone_.size(), 0);
  for (const schedule::ValueId value : stage_.result[same_everywhere ? part : index]) {
    if (value >= own.size() || !add(set, own[value])) return false;
  }
  return set == everyone_;
}

bool ExchangedValues::add(NodeSet& sum, const NodeSet& more) {
  bool disjoint = true;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    disjoint = disjoint && (sum[i] & more[i]) == 0;
    sum[i] |= more[i];
  }
  return disjoint;
}

ExchangedValues::NodeSet ExchangedValues::translated(const NodeSet& set, Node by) const {
  if (by == 0) return set;
  NodeSet result(set.size(), 0);
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::uint64_t left = set[i]; left != 0; left &= left - 1) {
      const Node member = static_cast<Node>(64 * i) + static_cast<Node>(std::countr_zero(left));
      const Node moved = network_.group().add(member, by);
      result[moved / 64] |= std::uint64_t{1} << (moved % 64);
    }
  }
  return result;
}

}  // namespace isotrope::verify
