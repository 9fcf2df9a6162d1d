// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/addition_order.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::schedule {
namespace {

// A tree of additions.
using Mark = std::uint64_t;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): no two marks become one.
constexpr Mark mixed(Mark mark) {
  mark += 0x9E3779B97F4A7C15U;
  mark = (mark ^ (mark >> 30)) * 0xBF58476D1CE4E5B9U;
  mark = (mark ^ (mark >> 27)) * 0x94D049BB133111EBU;
  return mark ^ (mark >> 31);
}

constexpr Mark added(Mark a, Mark b) {
  return mixed(mixed(a) + mixed(b));
}

class Additions {
 public:
  Additions(const network::Network& network, std::uint32_t parts, const Stage& exchange)
      : network_(network),
        parts_(parts),
        exchange_(exchange),
        classes_(network.group(), exchange.replication),
        values_(std::size_t{network.order()} * parts) {
    for (Node node = 0; node < network.order(); ++node) {
      for (std::uint32_t part = 0; part < parts; ++part) values(node, part).push_back(mixed(node));
      if (classes_.of(node) == classes_.of(0)) translations_.push_back(node);
    }
  }

  void run_rounds() {
    for (std::uint64_t t = 0; t < exchange_.rounds.size(); ++t) run_round(exchange_.rounds.round(t));
  }
  /// The sum at the end.
  Mark result(Node node, std::uint32_t part) {
    const auto& lists = exchange_.result;
    const bool one_a_part = lists.size() == parts_;
    std::vector<ValueId> terms =
        lists[one_a_part ? part : std::size_t{part} * classes_.count() + classes_.of(node)];
    const auto own = std::ranges::find(terms, ValueId{0});
    if (own != terms.end()) std::rotate(terms.begin(), own, own + 1);
    return sum(node, part, terms);
  }

 private:
  std::vector<Mark>& values(Node node, std::uint32_t part) {
    return values_[std::size_t{node} * parts_ + part];
  }
  Mark sum(Node node, std::uint32_t part, const std::vector<ValueId>& terms) {
    const std::vector<Mark>& own = values(node, part);
    Mark result = own[terms.front()];
    for (std::size_t i = 1; i < terms.size(); ++i) result = added(result, own[terms[i]]);
    return result;
  }
  // Values of a round are received when all of them have been sent.
  void run_round(std::span<const Hop> hops) {
    std::vector<std::pair<std::vector<Mark>*, Mark>> received;
    for (const Hop& hop : hops) {
      const Sum& terms = exchange_.sums[hop.packet];
      for (const Node translation : translations_) {
        const Node from = network_.group().add(hop.from, translation);
        const Node to = network_.neighbour(from, hop.port);
        received.emplace_back(&values(to, terms.part), sum(from, terms.part, terms.values));
      }
    }
    for (const auto& [to, mark] : received) to->push_back(mark);
  }

  const network::Network& network_;
  std::uint32_t parts_;
  const Stage& exchange_;
  NodeClasses classes_;
  std::vector<Node> translations_;         // of every hop
  std::vector<std::vector<Mark>> values_;  // by node and part
};

}  // namespace

bool adds_alike(const network::Network& network, std::uint32_t parts, const Stage& exchange) {
  Additions additions(network, parts, exchange);
  additions.run_rounds();
  for (std::uint32_t part = 0; part < parts; ++part) {
    const Mark first = additions.result(0, part);
    for (Node node = 1; node < network.order(); ++node) {
      if (additions.result(node, part) != first) return false;
    }
  }
  return true;
}

}  // namespace isotrope::schedule
