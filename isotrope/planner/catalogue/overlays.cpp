// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages to nodes that are no neighbours. On a cut-through machine a plan may join any nodes by an overlay, a
// network of the same nodes: the machine carries each message along a shortest path, and messages share links.
//
//     linear-exchange      one round in which every node sends to every other, all ports
//     pairwise-exchange    N - 1 rounds of one message per node: in round s - 1 node v sends to v + s
//     radix-exchange       `digits` binary digits of the nodes' numbers per round, radix 2^digits: fewer and longer
//                          messages (algorithm/timetable/digit_sends.hpp); with one digit also over one port
//     recursive-doubling   allreduce of whole vectors: in every round the sum of all so far, to twice as many nodes
//     doubling-scan        scan and exscan, to the nodes 1, 2, 4, ... numbers on (algorithm/scan/doubling_scan.hpp)
//
//     alltoall on torus:4x4     pairwise     15 rounds, busiest links 1 or 2: 19 blocks together
//                               linear       1 round, busiest link 8
//                               radix 4      2 rounds of 3 messages with 4 blocks each
//
// Cost: O(N distance). Memory: linear and pairwise exchanges have N - 1 ports, an offset each.
// Sources: J. Bruck et al., IEEE TPDS 8(11), 1997; R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/port_axis.hpp"

#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/traffic.hpp"

#include "isotrope/cost/routed_rounds.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"
#include "isotrope/algorithm/scan/doubling_scan.hpp"
#include "isotrope/algorithm/timetable/digit_sends.hpp"
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::DigitSends;
using schedule::Node;
using schedule::Port;
using schedule::Schedule;

// The most digits of a radix exchange: 255 messages per round.
constexpr std::uint32_t most_digits = 8;

// The number of blocks that a node sends to the node at each offset.
using BlocksByOffset = std::map<Node, std::uint64_t>;

// The nodes that send: all, or some, to others that receive one message each.
enum class Senders { all, some };

Senders senders(const Problem& problem) {
  return schedule::is_rooted(problem.task.collective) ? Senders::some : Senders::all;
}

std::vector<std::uint64_t> busiest_by_axis(const Network& network, const std::vector<std::uint64_t>& loads) {
  const auto rank = static_cast<std::uint32_t>(network.group().rank());
  std::vector<std::uint64_t> result(rank + 1, 0);
  for (Port port = 0; port < network.degree(); ++port) {
    std::uint64_t& busiest = result[network::axis_of(network, port).value_or(rank)];
    busiest = std::max(busiest, loads[port]);
  }
  return result;
}

// The load of a round of messages on a cut-through machine. The busiest link is found under the routes of isotropic
// tasks, which are balanced if all nodes send alike. If some send, the busiest link is assumed to leave a node, for
// machines route axis by axis: half of all messages leave the root of a hypercube over one link. By axis, all messages that go
// over links of a port then count as if one link carried them, up to the load of the busiest. Offsets are not 0.
// Cost: O(distance) per message.
cost::CutThroughRound routed_round(const Network& network, const BlocksByOffset& blocks, Senders senders) {
  cost::CutThroughRound result{.messages = blocks.size(),
                               .received = senders == Senders::all ? blocks.size() : 1};
  std::vector<schedule::RelativeDestination> offsets;
  std::vector<std::pair<std::uint32_t, std::size_t>> far_first;  // distances, and indices of offsets
  for (const auto& [offset, count] : blocks) {
    far_first.emplace_back(network.distance(0, offset), offsets.size());
    offsets.push_back({offset, 1});
    result.sent += count;
    result.largest = std::max(result.largest, count);
  }
  std::ranges::sort(far_first, std::ranges::greater());
  result.hops = far_first.front().first;
  const algorithm::TaskMatrix routes = algorithm::shortest_routes(network, offsets);
  std::vector<std::uint64_t> loads(network.degree(), 0), first_links = loads;
  const auto close_distance = [&] {
    cost::FarLoad& far = result.far.back();
    far.busiest = std::ranges::max(senders == Senders::all ? loads : first_links);
    std::vector<std::uint64_t> by_axis = busiest_by_axis(network, loads);
    for (std::uint64_t& load : by_axis) load = std::min(load, far.busiest);
    result.add_axes(far.hops, by_axis);
  };
  for (const auto& [distance, i] : far_first) {
    if (!result.far.empty() && result.far.back().hops != distance) close_distance();
    if (result.far.empty() || result.far.back().hops != distance) result.far.push_back({distance, 0});
    const std::uint64_t count = blocks.at(offsets[i].to);
    for (const auto [port, hops] : routes.row(i)) loads[port] += (senders == Senders::all ? hops : 1) * count;
    first_links[routes.row(i).front().column] += count;
  }
  close_distance();
  result.busiest = result.far.back().busiest;
  std::ranges::reverse(result.far);
  return result;
}

// The loads of a schedule whose messages go round missing links, from each sender another way.
std::vector<cost::CutThroughRound> rounds_around_links(const Algorithm& algorithm, const Problem& problem,
                                                       const Parameters& parameters) {
  return cost::routed_rounds(problem.network, problem.failed, *algorithm.overlay(problem, parameters),
                             algorithm.schedule(problem, parameters));
}

Reason unsuitable_overlay(const Problem& problem) {
  constexpr Node most_routed = 1024;
  const Node most = problem.failed.empty() ? network::largest_complete_order : most_routed;
  if (problem.network.order() < 2 || problem.network.order() > most)
    return fmt::format("it needs 2 to {} nodes{}", most,
                       problem.failed.empty() ? "" : " if links are missing");
  return senders(problem) == Senders::all ? half_duplex(problem) : std::nullopt;
}

// Port s - 1 leads from v to v + s, the sum taken in the network's own group: each offset then loads the links of a port alike.
Network joined_to_all(const network::Group& group) {
  const auto proper = std::ranges::count_if(group.moduli(), [](auto modulus) { return modulus > 1; });
  if (proper <= 1) return network::complete(group.order());
  std::vector<Node> others(group.order() - 1);
  std::iota(others.begin(), others.end(), Node{1});
  return Network("cayley", group, std::move(others));
}

Traits overlay_traits(std::string name, Collective collective, const char* ports, const char* source,
                      const char* claim) {
  Traits result{std::move(name),
                collective,
                fmt::format("every network with 2 to {} nodes", network::largest_complete_order),
                ports,
                source,
                claim};
  result.for_machines = result.overlay = result.around_links = true;
  return result;
}

/// Several digits per round, or all of them.
class RadixExchange final : public Algorithm {
 public:
  enum class Radix { all_digits, some_digits };

  RadixExchange(Traits traits, Radix radix) : Algorithm(std::move(traits)), radix_(radix) {}

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = unsuitable_overlay(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (linear()) return limited_ports(problem);
    if (DigitSends::digits(joined_network(problem).group()) < 2)
      return "it needs node numbers of two binary digits or more";
    return std::nullopt;
  }
  // One digit sends one message per round.
  std::vector<Parameters> choices(const Problem& problem) const override {
    if (linear()) return {Parameters{}};
    const std::uint32_t digits = DigitSends::digits(joined_network(problem).group());
    const std::uint32_t most = limited_ports(problem) ? 1 : std::min(most_digits, digits - 1);
    std::vector<Parameters> result;
    for (std::uint32_t each = 1; each <= most; ++each) result.push_back({.digits = each});
    return result;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    const Network joined = joined_network(problem);
    return DigitSends(joined.group(), at_once(parameters)).rounds();
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const override {
    const Network joined = joined_network(problem);
    if (linear()) return joined_to_all(joined.group());
    return DigitSends(joined.group(), at_once(parameters)).overlay();
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const Network network = *overlay(problem, parameters);
    const algorithm::Timetable table = DigitSends(network.group(), at_once(parameters)).timetable(network);
    const Node root = problem.task.root;
    switch (traits().collective) {
      case Collective::broadcast:
        return timetable_broadcast(network, root, 1, problem.ports, table);
      case Collective::scatter:
        return timetable_scatter(network, root, 1, problem.ports, table);
      case Collective::allgather:
        return timetable_allgather(network, 1, problem.ports, table);
      default:
        return timetable_exchange(network, 1, problem.ports, table);
    }
  }
  // Blocks per message: 1 of a broadcast; of scatter and allgather one per address that leaves over the offset; of
  // alltoall one per packet on its way.
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    if (!problem.failed.empty()) return rounds_around_links(*this, problem, parameters);
    const network::Group& group = problem.network.group();
    const DigitSends sends(group, at_once(parameters));
    const Collective collective = traits().collective;
    std::vector<BlocksByOffset> blocks(sends.rounds());
    for (Node address = 1; address < problem.network.order(); ++address) {
      for (Node left = address; left != 0;) {
        const auto [round, offset] = sends.leg(left);
        std::uint64_t& count = blocks[round][offset];
        count = collective == Collective::broadcast ? 1 : count + 1;
        left = collective == Collective::alltoall ? group.subtract(left, offset) : 0;
      }
    }
    std::vector<cost::CutThroughRound> result;
    for (const BlocksByOffset& each : blocks)
      result.push_back(routed_round(problem.network, each, senders(problem)));
    return result;
  }

 private:
  bool linear() const { return radix_ == Radix::all_digits; }
  std::uint32_t at_once(const Parameters& parameters) const {
    return linear() ? UINT32_MAX : std::max<std::uint32_t>(parameters.digits, 1);
  }

  Radix radix_;
};

/// N - 1 rounds of one message per node, to the nodes in order of their offsets.
class PairwiseExchange final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override { return unsuitable_overlay(problem); }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return problem.network.order() - 1;
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& /*parameters*/) const override {
    return joined_to_all(joined_network(problem).group());
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const Network all = *overlay(problem, parameters);
    const bool rooted = senders(problem) == Senders::some;
    const bool copies =
        traits().collective == Collective::allgather || traits().collective == Collective::broadcast;
    schedule::Stage stage{copies ? schedule::Flow::copy : schedule::Flow::move,
                          rooted ? schedule::Replication::none() : schedule::Replication::all(),
                          {},
                          {}};
    stage.rounds.reserve(all.degree(), all.degree());
    for (Port port = 0; port < all.degree(); ++port) {
      stage.rounds.add({copies ? 0 : port + 1, rooted ? problem.task.root : 0, port});
      stage.rounds.close_round();
    }
    return one_stage(problem.ports, schedule::RoundKind::strict, std::move(stage));
  }
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    if (!problem.failed.empty()) return rounds_around_links(*this, problem, parameters);
    std::vector<cost::CutThroughRound> result;
    for (Node offset = 1; offset < problem.network.order(); ++offset)
      result.push_back(routed_round(problem.network, {{offset, 1}}, senders(problem)));
    return result;
  }
};

/// Recursive doubling of whole vectors on groups whose moduli are powers of two.
///
///     round, of Z_8       0                1                2
///     node v sends to     v + 4            v + 2            v + 1
///     and has then        v, v + 4         all even, or     all
///                                          all odd, of them
///
/// Largest digits first, so that the nodes that share a partial result are cosets of a subgroup: both partners
/// reduce the same two values, and all nodes end with the same bits.
class RecursiveDoubling final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = unsuitable_overlay(problem)) return reason;
    // With moduli that are powers of two, so are the strides of coordinates.
    const Network joined = joined_network(problem);
    if (!std::ranges::all_of(joined.group().moduli(), [](auto m) { return std::has_single_bit(m); }))
      return "it needs a group whose moduli are powers of two";
    if (problem.task.parts > 1) return "it sends whole vectors: leave the parts at 1";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return offsets(problem.network).size();
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& /*parameters*/) const override {
    if (are_neighbours(problem)) return std::nullopt;
    const Network joined = joined_network(problem);
    return DigitSends(joined.group(), 1, DigitSends::DigitOrder::descending).overlay();
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const auto joined = overlay(problem, parameters);
    const Network& network = joined ? *joined : problem.network;
    std::vector<Port> ports;
    for (const Node offset : offsets(problem.network)) {
      const auto found = std::ranges::find(network.generators(), offset);
      ports.push_back(static_cast<Port>(found - network.generators().begin()));
    }
    return recursive_doubling(problem.ports, ports);
  }
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    if (!problem.failed.empty()) return rounds_around_links(*this, problem, parameters);
    std::vector<cost::CutThroughRound> result;
    for (const Node offset : offsets(problem.network))
      result.push_back(routed_round(problem.network, {{offset, 1}}, Senders::all));
    return result;
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    return offsets(problem.network).size();
  }

 private:
  static std::vector<Node> offsets(const Network& network) {
    std::vector<Node> result;
    for (Node offset = network.order() / 2; offset > 0; offset /= 2) result.push_back(offset);
    return result;
  }
  static bool are_neighbours(const Problem& problem) {
    const Network& network = problem.network;
    return problem.failed.empty() && std::ranges::all_of(offsets(network), [&](Node offset) {
             return network.distance(0, offset) == 1;
           });
  }
};

/// Every node to those whose numbers are 1, 2, 4, ... above its own, one after the other.
class DoublingScanByOverlay final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = unsuitable_overlay(problem)) return reason;
    if (problem.network.order() > algorithm::most_doubling_nodes)
      return fmt::format("it lists the hops of every node, of {} at most", algorithm::most_doubling_nodes);
    if (problem.failed.empty() && algorithm::adds_powers_of_two(problem.network))
      return "it needs no overlay: give doubling-scan";
    if (problem.task.parts > 1) return "it sends whole vectors: leave the parts at 1";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::doubling_scan_rounds(problem, *overlay(problem, parameters));
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& /*parameters*/) const override {
    return network::complete(problem.network.order());
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::doubling_scan(problem, *overlay(problem, parameters));
  }
  // As if the last nodes sent as well, and all in the network's own group.
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    if (!problem.failed.empty()) return rounds_around_links(*this, problem, parameters);
    std::vector<cost::CutThroughRound> result;
    for (Node offset = 1; offset < problem.network.order(); offset *= 2)
      result.push_back(routed_round(problem.network, {{offset, 1}}, Senders::all));
    return result;
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    return static_cast<std::uint64_t>(std::bit_width(problem.network.order() - 1));
  }
};

// The barrier that gathers everywhere is the dissemination of Hensgen, Finkel and Manber 1988.
std::vector<std::string> papers_names(Collective collective) {
  if (collective == Collective::allgather) return {"bruck", "dissemination"};
  if (collective == Collective::alltoall) return {"bruck"};
  return {};
}

// Broadcast, scatter, allgather and alltoall; the catalogue derives the others.
void add_radix(Algorithms& result, RadixExchange::Radix radix, const char* name, const char* ports,
               const char* claim) {
  for (const Collective collective :
       {Collective::broadcast, Collective::scatter, Collective::allgather, Collective::alltoall}) {
    Traits traits = overlay_traits(name, collective, ports, "J. Bruck et al. 1997, on any group", claim);
    traits.strict = false;
    traits.aggregates = true;
    if (collective != Collective::alltoall) traits.reversed = {name};
    if (collective == Collective::allgather) traits.reversed_then_forward = {name};
    if (collective == Collective::broadcast && radix == RadixExchange::Radix::some_digits)
      traits.reversed_then_forward = {"radix-tree-allreduce",
                                      "twice the rounds of the broadcast, the whole vector"};
    if (radix == RadixExchange::Radix::some_digits) traits.aliases = papers_names(collective);
    if (collective == Collective::allgather && radix == RadixExchange::Radix::some_digits)
      traits.by_leaders = {"leader-dissemination"};
    result.push_back(std::make_unique<RadixExchange>(std::move(traits), radix));
  }
}

}  // namespace

Algorithms overlays() {
  Algorithms result;
  add_radix(result, RadixExchange::Radix::all_digits, "linear-exchange", "all", "one round");
  add_radix(result, RadixExchange::Radix::some_digits, "radix-exchange", "all; with one digit also K, one",
            "ceil(digits / G) rounds of at most 2^G - 1 messages");
  for (const Collective collective :
       {Collective::broadcast, Collective::scatter, Collective::allgather, Collective::alltoall}) {
    Traits traits =
        overlay_traits("pairwise-exchange", collective, "all, K, one; with a root also half",
                       "pairwise exchange in the order of the group", "N - 1 rounds of one message");
    if (collective == Collective::scatter) traits.reversed = {"pairwise-exchange"};
    result.push_back(std::make_unique<PairwiseExchange>(std::move(traits)));
  }
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    result.push_back(std::make_unique<DoublingScanByOverlay>(overlay_traits(
        "doubling-scan-overlay", collective, "all, K, one", "W. D. Hillis and G. L. Steele 1986",
        "ceil(log2 N) rounds of one message, the whole vector")));
  }
  Traits doubling = overlay_traits("recursive-doubling", Collective::allreduce, "all, K, one",
                                   "R. Thakur, R. Rabenseifner and W. Gropp 2005, Section 4.5",
                                   "log2 N rounds of one message, the whole vector");
  doubling.networks = "every network with moduli that are powers of two";
  doubling.whole_vector = true;
  doubling.overlay = false;  // hypercubes have the overlay's links
  doubling.by_leaders = {"leader-recursive-doubling"};
  result.push_back(std::make_unique<RecursiveDoubling>(std::move(doubling)));
  return result;
}

}  // namespace isotrope::planner
