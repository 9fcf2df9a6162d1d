// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/matched_gossip.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "isotrope/algorithm/broadcast/link_matching.hpp"

namespace isotrope::algorithm {
namespace {

class MatchedGossip {
 public:
  MatchedGossip(const Network& network, const std::vector<DirectedLink>& links, schedule::PortModel ports,
                std::uint32_t seed)
      : nodes_(network.order()),
        links_(links),
        per_round_(ports.half_duplex() ? 1 : ports.sends(network.degree())),
        words_((std::size_t{nodes_} + 63) / 64),
        matching_(links_, nodes_, ports.half_duplex()),
        random_(seed),
        knows_(nodes_ * words_, 0) {
    for (Node node = 0; node < nodes_; ++node)
      knows_[node * words_ + node / 64] |= std::uint64_t{1} << node % 64;
    noise_ = std::exp2(std::uniform_real_distribution<float>(-4, 0)(random_));
  }

  std::optional<Gossip> run(std::uint64_t enough, SearchBudget& budget) {
    Gossip result;
    std::uint64_t known = nodes_;
    while (known < std::uint64_t{nodes_} * nodes_) {
      if (result.rounds.size() + 1 >= enough) return std::nullopt;
      soon_ = knows_;
      auto& sends = result.rounds.emplace_back();
      used_.assign(links_.size(), false);
      for (std::uint32_t port = 0; port < per_round_; ++port) match(sends, budget);
      knows_ = soon_;
      known = 0;
      for (const std::uint64_t word : knows_) known += static_cast<std::uint64_t>(std::popcount(word));
    }
    return result;
  }

 private:
  std::uint32_t news(const DirectedLink& link) const {
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      result += static_cast<std::uint32_t>(
          std::popcount(knows_[link.from * words_ + i] & ~soon_[link.to * words_ + i]));
    }
    return result;
  }

  void match(std::vector<Send>& sends, SearchBudget& budget) {
    std::uniform_real_distribution<float> chance(1 - noise_, 1);
    weighed_.clear();
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      if (used_[i]) continue;
      if (const std::uint32_t told = news(links_[i]); told > 0)
        weighed_.emplace_back(static_cast<float>(told) * chance(random_), i);
    }
    budget.spend(links_.size() * words_);
    std::ranges::sort(weighed_, std::greater());
    order_.clear();
    for (const auto& [weight, link] : weighed_) order_.push_back(link);
    for (const std::uint32_t i : matching_.match(order_)) {
      if (i == LinkMatching::no_link) continue;
      const auto [from, to, port] = links_[i];
      sends.push_back({from, port});
      used_[i] = true;
      for (std::size_t w = 0; w < words_; ++w) soon_[to * words_ + w] |= knows_[from * words_ + w];
    }
  }

  Node nodes_;
  const std::vector<DirectedLink>& links_;
  std::uint32_t per_round_;  // matchings
  std::size_t words_;
  LinkMatching matching_;
  std::mt19937 random_;
  float noise_;
  std::vector<std::uint64_t> knows_, soon_;  // by node, then origin
  std::vector<bool> used_;                   // by link, in this round
  std::vector<std::pair<float, std::uint32_t>> weighed_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::optional<Gossip> matched_gossip(const Network& network, schedule::PortModel ports,
                                     const SearchLimits& limits) {
  const std::vector<DirectedLink> links = all_links(network);
  std::optional<Gossip> best;
  std::uint64_t enough = UINT64_MAX;
  SearchBudget budget(limits);
  for (std::uint32_t run = 1; enough > limits.target && budget.allows(run); ++run) {
    auto found = MatchedGossip(network, links, ports, limits.seed + run).run(enough, budget);
    if (!found) continue;
    enough = found->rounds.size();
    best = std::move(found);
  }
  return best;
}

}  // namespace isotrope::algorithm
