// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/price_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <span>
#include <utility>

namespace isotrope::bound {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t fewest_trials = 20;
constexpr std::uint64_t largest_price = 240;

// What hops use: a link, the sends of a node, the receipts of a node, a pair of nodes.
struct Use {
  Node from, to;
  std::array<std::uint32_t, 3> goods;  // by number, as far as they are priced
  std::uint32_t count;                 // of goods
};

// The links that are up, with what they use, and how much of each a round has.
class Market {
 public:
  explicit Market(const GraphView& view) : first_(view.network().order() + 1, 0) {
    const Network& network = view.network();
    const bool half = view.half_duplex();
    const bool limited = half || view.port_limit() < network.degree();
    const std::uint32_t nodes = network.order();
    if (limited) supply_.assign(half ? nodes : 2 * std::size_t{nodes}, half ? 1 : view.port_limit());
    if (half) supply_.push_back(view.node_count() / 2);
    for (Node node = 0; node < nodes; ++node) {
      for_each_neighbour(view, node, [&](Node other) {
        Use use{node, other, {}, 0};
        if (half) {
          use = {node, other, {node, other, nodes}, 3};
        } else if (limited) {
          use = {node, other, {node, nodes + other}, 2};
        }
        if (!limited || view.port_limit() > 1) {
          use.goods[use.count++] = static_cast<std::uint32_t>(supply_.size());
          supply_.push_back(1);
        }
        uses_.push_back(use);
      });
      first_[node + 1] = uses_.size();
    }
  }

  std::size_t size() const { return supply_.size(); }
  std::uint64_t supply(std::size_t good) const { return supply_[good]; }
  std::span<const Use> links_of(Node node) const {
    return {uses_.data() + first_[node], first_[node + 1] - first_[node]};
  }

 private:
  template <class Function>
  static void for_each_neighbour(const GraphView& view, Node node, Function&& function) {
    if (!view.intact()) {
      if (!view.survivors().alive(node)) return;
      return view.survivors().for_each_neighbour(node, [&](Port, Node other) { function(other); });
    }
    for (Port port = 0; port < view.network().degree(); ++port)
      function(view.network().neighbour(node, port));
  }

  std::vector<std::uint64_t> supply_;  // by good
  std::vector<Use> uses_;              // by sender
  std::vector<std::size_t> first_;
};

using Prices = std::vector<std::int64_t>;  // by good

using Prices = std::vector<std::int64_t>;  // by good

// The payments of all packets along cheapest ways, and how often each good is used.
class Trial {
 public:
  Trial(const Market& market, std::size_t nodes)
      : market_(market), cost_(nodes), arrival_(nodes), below_(nodes), used_(market.size()) {}

  std::uint64_t paid(const std::vector<Sender>& senders, const Prices& prices) {
    std::fill(used_.begin(), used_.end(), 0);
    std::uint64_t result = 0;
    for (const Sender& sender : senders) result += paid_by(sender, prices);
    return result;
  }
  const std::vector<std::uint64_t>& used() const { return used_; }

 private:
  std::uint64_t paid_by(const Sender& sender, const Prices& prices) {
    search(sender.from, prices);
    std::fill(below_.begin(), below_.end(), 0);
    std::uint64_t result = 0;
    for (const auto& [to, packets] : sender.packets) {
      below_[to] += packets;
      result += packets * static_cast<std::uint64_t>(cost_[to]);
    }
    for (std::size_t i = settled_.size(); i-- > 1;) {
      const Node node = settled_[i];
      const Use& use = *arrival_[node];
      for (std::uint32_t g = 0; g < use.count; ++g) used_[use.goods[g]] += below_[node];
      below_[use.from] += below_[node];
    }
    return result;
  }

  void search(Node from, const Prices& prices) {
    using Entry = std::pair<std::int64_t, Node>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::fill(cost_.begin(), cost_.end(), INT64_MAX);
    settled_.clear();
    cost_[from] = 0;
    arrival_[from] = nullptr;
    queue.emplace(0, from);
    while (!queue.empty()) {
      const auto [cost, node] = queue.top();
      queue.pop();
      if (cost != cost_[node]) continue;
      settled_.push_back(node);
      for (const Use& use : market_.links_of(node)) {
        std::int64_t next = cost;
        for (std::uint32_t g = 0; g < use.count; ++g) next += prices[use.goods[g]];
        if (next >= cost_[use.to]) continue;
        cost_[use.to] = next;
        arrival_[use.to] = &use;
        queue.emplace(next, use.to);
      }
    }
  }

  const Market& market_;
  std::vector<std::int64_t> cost_;
  std::vector<const Use*> arrival_;
  std::vector<std::uint64_t> below_;
  std::vector<Node> settled_;
  std::vector<std::uint64_t> used_;
};

// 240 * 2^(-sixteenths / 16), rounded down.
std::int64_t falling_price(std::uint64_t sixteenths) {
  constexpr std::array<std::uint64_t, 16> roots{65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
                                                46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219};
  if (sixteenths >= 256) return 0;
  return static_cast<std::int64_t>((largest_price * roots[sixteenths % 16] >> 16U) >> (sixteenths / 16));
}

class PriceSearch {
 public:
  PriceSearch(const GraphView& view, std::vector<Sender> senders)
      : market_(view),
        senders_(std::move(senders)),
        trial_(market_, view.network().order()),
        used_(market_.size(), 0) {}

  void run(std::uint64_t trials, const TakePayment& take) {
    Prices prices(market_.size(), 1);
    for (std::uint64_t t = 0; t < trials; ++t) {
      take({trial_.paid(senders_, prices), income_at(prices)});
      for (std::size_t g = 0; g < used_.size(); ++g) used_[g] += trial_.used()[g];
      // From 2^-4 to 2^-24 for what is not used at all.
      set_prices(prices, 64 + 320 * t / trials);
    }
  }

 private:
  std::uint64_t income_at(const Prices& prices) const {
    std::uint64_t result = 0;
    for (std::size_t g = 0; g < prices.size(); ++g)
      result += market_.supply(g) * static_cast<std::uint64_t>(prices[g]);
    return result;
  }

  void set_prices(Prices& prices, std::uint64_t steepness) const {
    std::uint64_t most = 1;
    for (std::size_t g = 0; g < used_.size(); ++g) most = std::max(most, used_[g] / market_.supply(g));
    for (std::size_t g = 0; g < used_.size(); ++g) {
      const std::uint64_t below = most - std::min(most, used_[g] / market_.supply(g));
      prices[g] = falling_price(static_cast<std::uint64_t>(Wide{below} * steepness / most));
    }
  }

  Market market_;
  std::vector<Sender> senders_;
  Trial trial_;
  std::vector<std::uint64_t> used_;  // in all trials, by good
};

}  // namespace

void search_prices(const GraphView& view, std::vector<Sender> senders, std::uint64_t most_links,
                   std::uint64_t most_trials, const TakePayment& take) {
  const std::uint64_t links = senders.size() * view.network().directed_links();
  const std::uint64_t trials = links == 0 ? 0 : std::min(most_trials, most_links / links);
  if (trials >= fewest_trials) PriceSearch(view, std::move(senders)).run(trials, take);
}

}  // namespace isotrope::bound
