// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The prices bound on tasks, and on alltoall over few ports around failures and with open axes: what all packets must pay, over what a round can take in (price_search.hpp), and K times as much with
// messages of K packets. Price 1 at one node is the degree bound, price 1 on the links out of a set is the bound by a cut, equal prices
// are the distance-sum bound.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/price_search.hpp"

namespace isotrope::bound {
namespace {

constexpr std::uint64_t most_links = std::uint64_t{1} << 20;

// In an alltoall over few ports nodes in the middle of a network that is not whole are busiest. Over all ports cuts say as much.
bool is_priced(const GraphView& view) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 39;
  if (view.traffic() == Traffic::listed) return !view.travels().empty();
  const std::uint64_t nodes = view.node_count();
  return view.problem().task.collective == schedule::Collective::alltoall && !view.intact() &&
         view.problem().ports.kind != schedule::PortModel::Kind::all_port &&
         saturating_product(saturating_product(nodes, nodes), saturating_product(nodes, view.parts())) <=
             most_hops;
}

std::vector<Sender> senders_of(const GraphView& view) {
  std::map<Node, std::map<Node, std::uint64_t>> packets;
  for (const Travel& travel : view.travels()) packets[travel.from][travel.to] += travel.blocks * view.parts();
  std::vector<Sender> result;
  for (const auto& [from, to] : packets) result.push_back({from, {to.begin(), to.end()}});
  return result;
}

}  // namespace

// Nothing if it says no more than the bounds by distance-sum and by degree.
std::optional<Bound> prices_bound(const GraphView& view) {
  if (!is_priced(view)) return std::nullopt;
  Bound best{"prices", 0, ""};
  search_prices(view, senders_of(view), most_links, [&](const Payment& payment) {
    const std::uint64_t room = saturating_product(payment.income, view.message_room()),
                        value = room == 0 ? 0 : ceil_div(payment.paid, room);
    if (value <= best.value) return;
    best.value = value;
    best.because = fmt::format(
        "with prices of links or nodes at which the packets pay at least {} in all, a round takes in "
        "at most {}: ceil({}/{}) = {}",
        payment.paid, room, payment.paid, room, value);
  });
  if (best.value <= std::max(distance_sum_bound(view)->value, degree_bound(view)->value)) return std::nullopt;
  return best;
}

}  // namespace isotrope::bound
