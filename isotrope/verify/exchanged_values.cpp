// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/exchanged_values.hpp"

#include <algorithm>

namespace isotrope::verify {
namespace {

using network::Coordinate;
using network::Group;

// A value of a scan as the nodes of a class see it: the number of its contributors, and where they are.
class Contributors {
 public:
  Contributors(const Group& group, schedule::Collective collective)
      : group_(group), takes_own_(collective == schedule::Collective::scan) {}

  /// The contributor at the node plus `difference`.
  void add(Node difference) {
    ++count_;
    std::size_t axis = 0;
    while (axis < group_.rank() && group_.coordinate(difference, axis) == 0) ++axis;
    if (axis == group_.rank()) {
      only_before_ = only_before_ && takes_own_;
      return;
    }
    const Coordinate step = group_.coordinate(difference, axis);
    const auto found = std::ranges::find(leads_, axis, &Lead::axis);
    if (found == leads_.end()) {
      leads_.push_back({axis, step});
    } else {
      found->least = std::min(found->least, step);
    }
  }
  std::uint64_t count() const { return count_; }
  /// Whether `node` adds the value: all contributors come before the node, or are the node itself in a scan.
  bool are_before(Node node) const {
    return only_before_ && std::ranges::all_of(leads_, [&](const Lead& lead) {
             return group_.coordinate(node, lead.axis) + std::uint64_t{lead.least} >=
                    group_.moduli()[lead.axis];
           });
  }

 private:
  // The least of the differences whose first coordinate other than 0 is that of `axis`.
  struct Lead {
    std::size_t axis;
    Coordinate least;
  };

  const Group& group_;
  bool takes_own_;
  bool only_before_ = true;
  std::uint64_t count_ = 0;
  std::vector<Lead> leads_;
};

}  // namespace

ExchangedValues::ExchangedValues(const schedule::Network& network, const schedule::Task& task,
                                 const schedule::Stage& stage, const schedule::NodeClasses& classes,
                                 const std::vector<Node>& nodes)
    : network_(network),
      collective_(task.collective),
      stage_(stage),
      parts_(task.parts),
      classes_(classes),
      everyone_((network.order() + 63) / 64, 0),
      representatives_(classes.count(), network.order()),
      values_(std::uint64_t{task.parts} * classes.count()) {
  for (const Node node : nodes) everyone_[node / 64] |= std::uint64_t{1} << (node % 64);
  for (Node node = network.order(); node-- > 0;) representatives_[classes.of(node)] = node;
  if (schedule::is_prefix(collective_)) count_survivors();
  for (std::uint32_t part = 0; part < parts_; ++part) {
    for (Node c = 0; c < classes.count(); ++c) {
      const Node node = representatives_[c];
      if (!takes_part(node)) continue;
      NodeSet own(everyone_.size(), 0);
      own[node / 64] = std::uint64_t{1} << (node % 64);
      values(part, c).push_back(std::move(own));
    }
  }
}

void ExchangedValues::count_survivors() {
  survivors_before_.resize(network_.order());
  for (Node node = 0, before = 0; node < network_.order(); ++node) {
    survivors_before_[node] = before;
    before += takes_part(node) ? 1 : 0;
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
  const std::vector<NodeSet>& own = values_[std::uint64_t{part} * classes_.count() + node_class];
  NodeSet set(everyone_.size(), 0);
  for (const schedule::ValueId value : result(part, node_class)) {
    if (value >= own.size() || !add(set, own[value])) return false;
  }
  return set == everyone_;
}

std::vector<Node> ExchangedValues::taking_part(Node node_class) const {
  std::vector<Node> nodes;
  for (Node node = representatives_[node_class]; node < network_.order(); ++node) {
    if (classes_.of(node) == node_class && takes_part(node)) nodes.push_back(node);
    if (classes_.size() == 1) break;
  }
  return nodes;
}

// Sets are disjoint, so a node that adds contributors of the right number, all of them among those it must have, has
// them all.
std::vector<Node> ExchangedValues::nodes_without_prefix(std::uint32_t part, Node node_class) const {
  std::vector<Node> nodes = taking_part(node_class);
  const std::vector<NodeSet>& own = values_[std::uint64_t{part} * classes_.count() + node_class];
  NodeSet all(everyone_.size(), 0);
  for (const schedule::ValueId value : result(part, node_class)) {
    if (value >= own.size() || !add(all, own[value])) return nodes;
  }
  const Node last = collective_ == schedule::Collective::scan ? 1 : 0;
  const auto has_all = [&](Node node, std::uint64_t added) {
    return added == survivors_before_[node] + last;
  };
  if (classes_.size() == 1) {
    std::erase_if(nodes, [&](Node node) { return has_all(node, added_by_one(part, node_class, node)); });
    return nodes;
  }
  std::vector<Contributors> listed;
  for (const schedule::ValueId value : result(part, node_class)) {
    Contributors& contributors = listed.emplace_back(network_.group(), collective_);
    for_each(own[value], [&](Node node) {
      contributors.add(network_.group().subtract(node, representatives_[node_class]));
    });
  }
  std::erase_if(nodes, [&](Node node) {
    std::uint64_t added = 0;
    for (const Contributors& contributors : listed)
      added += contributors.are_before(node) ? contributors.count() : 0;
    return has_all(node, added);
  });
  return nodes;
}

// The contributors in those of the listed values that `node`, the only one of its class, adds. The last contributor decides.
std::uint64_t ExchangedValues::added_by_one(std::uint32_t part, Node node_class, Node node) const {
  const std::vector<NodeSet>& own = values_[std::uint64_t{part} * classes_.count() + node_class];
  const Node end = node + (collective_ == schedule::Collective::scan ? 1 : 0);
  std::uint64_t added = 0;
  for (const schedule::ValueId value : result(part, node_class)) {
    const NodeSet& set = own[value];
    std::size_t word = set.size();
    while (word > 0 && set[word - 1] == 0) --word;
    const std::size_t members_end =
        word == 0 ? 0 : 64 * (word - 1) + static_cast<std::size_t>(std::bit_width(set[word - 1]));
    if (members_end > end) continue;
    for (const std::uint64_t bits : set) added += static_cast<std::uint64_t>(std::popcount(bits));
  }
  return added;
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
  for_each(set, [&](Node member) {
    const Node moved = network_.group().add(member, by);
    result[moved / 64] |= std::uint64_t{1} << (moved % 64);
  });
  return result;
}

}  // namespace isotrope::verify
