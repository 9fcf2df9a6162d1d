// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The prices bound on tasks, and on alltoall over few ports around failures and with open axes: what all packets must pay, over
// what a round can take in (price_search.hpp), and K times as much with messages of K packets. Price 1 at one node is the degree
// bound, price 1 on the links out of a set is the bound by a cut, equal prices are the distance-sum bound.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/network_memo.hpp"

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/price_search.hpp"

namespace isotrope::bound {
namespace {

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

std::vector<Sender> senders_of(const GraphView& view, std::uint64_t parts) {
  std::map<Node, std::map<Node, std::uint64_t>> packets;
  for (const Travel& travel : view.travels()) packets[travel.from][travel.to] += travel.blocks * parts;
  std::vector<Sender> result;
  for (const auto& [from, to] : packets) result.push_back({from, {to.begin(), to.end()}});
  return result;
}

// The payment that says most.
Payment best_payment(const GraphView& view, std::uint64_t parts, std::uint64_t most_trials) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t most_links = std::uint64_t{1} << 20;
  Payment best{0, 1};
  search_prices(view, senders_of(view, parts), most_links, most_trials, [&](const Payment& payment) {
    if (Wide{payment.paid} * best.income > Wide{best.paid} * payment.income) best = payment;
  });
  return best;
}

// Of an alltoall all parts pay alike, and a choice bounds several numbers of parts.
Payment best_payment_of_exchange(const GraphView& view) {
  constexpr std::uint64_t trials = 200;
  thread_local std::map<std::pair<bool, Port>, network::NetworkMemo<Payment>> known;  // by the port model
  const Payment& of_one_part = known[{view.half_duplex(), view.port_limit()}].get(
      view.network(), view.problem().failed, [&] { return best_payment(view, 1, trials); });
  return {of_one_part.paid * view.parts(), of_one_part.income};
}

}  // namespace

// Nothing if it says no more than the bounds by distance-sum and by degree.
std::optional<Bound> prices_bound(const GraphView& view) {
  constexpr std::uint64_t trials = 1600;
  if (!is_priced(view)) return std::nullopt;
  const auto [paid, income] = view.traffic() == Traffic::listed ? best_payment(view, view.parts(), trials)
                                                                : best_payment_of_exchange(view);
  const std::uint64_t room = saturating_product(income, view.message_room()), value = ceil_div(paid, room);
  if (value <= std::max(distance_sum_bound(view)->value, degree_bound(view)->value)) return std::nullopt;
  return Bound{
      "prices", value,
      fmt::format(
          "with prices of links or nodes at which the packets pay at least {} in all, a round takes in "
          "at most {}: ceil({}/{}) = {}",
          paid, room, paid, room, value)};
}

}  // namespace isotrope::bound
