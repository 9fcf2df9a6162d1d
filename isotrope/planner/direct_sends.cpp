// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/direct_sends.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/complete.hpp"

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/timetable/digit_sends.hpp"
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using algorithm::DigitSends;
using schedule::Collective;
using schedule::Node;
using schedule::Port;
using schedule::Schedule;

// Fewer digits than all at once: 255 messages a round at most.
constexpr std::uint32_t most_digits_at_once = 8;

bool merges(const Request& request) {
  return request.merge > 1;
}

bool all_at_once(const Request& request) {
  return request.algorithm.empty() || request.algorithm == direct_sends_name;
}

// Of the numbers of nodes.
std::uint32_t digits_at_once(const Request& request) {
  if (all_at_once(request)) return UINT32_MAX;
  std::uint32_t digits = 1;
  const std::string& name = request.algorithm;
  std::from_chars(name.data() + name.rfind('-') + 1, name.data() + name.size(), digits);
  return digits;
}

// A collective that is another one backwards, or that one itself.
Collective forward(Collective collective) {
  switch (collective) {
    case Collective::gather:
      return Collective::scatter;
    case Collective::reduce:
      return Collective::broadcast;
    case Collective::reduce_scatter:
    case Collective::allreduce:  // and then forwards
      return Collective::allgather;
    default:
      return collective;
  }
}

}  // namespace

std::vector<std::string> direct_sends_names(const Network& network) {
  std::vector<std::string> result{std::string(direct_sends_name)};
  const std::uint32_t digits = DigitSends::digits(network.group());
  for (std::uint32_t at_once = 1; at_once < digits && at_once <= most_digits_at_once; ++at_once)
    result.push_back(fmt::format("{}-by-{}", direct_sends_name, at_once));
  return result;
}

// ---- prediction

class DirectSends::Counting {
 public:
  explicit Counting(const Request& request)
      : network_(request.network),
        senders_(is_rooted(request.task.collective) ? Senders::some : Senders::all) {}

  std::vector<DirectRound> merged(const Request& request) const {
    const Collective collective = forward(request.task.collective);
    std::vector<DirectRound> result;
    for (const BlocksByOffset& blocks : blocks_by_offset(collective, digits_at_once(request)))
      result.push_back(round(blocks));
    if (collective != request.task.collective) {
      for (DirectRound& each : result) std::swap(each.messages, each.received);
    }
    if (request.task.collective == Collective::allreduce) {
      const std::vector<DirectRound> once = result;
      result.insert(result.end(), once.begin(), once.end());
    }
    return result;
  }

  std::vector<DirectRound> single() const {
    std::vector<DirectRound> result;
    for (Node offset = 1; offset < network_.order(); ++offset) result.push_back(round({{offset, 1}}));
    return result;
  }

 private:
  DirectRound round(const BlocksByOffset& blocks) const { return direct_round(network_, blocks, senders_); }

  // A copy is one block to each, of a scatter's root and of an allgather every address that leaves there is
  // one, of alltoall every packet on its way.
  std::vector<BlocksByOffset> blocks_by_offset(Collective collective, std::uint32_t at_once) const {
    const network::Group& group = network_.group();
    const DigitSends sends(group, at_once);
    std::vector<BlocksByOffset> result(sends.rounds());
    for (Node address = 1; address < network_.order(); ++address) {
      for (Node left = address; left != 0;) {
        const auto [round, offset] = sends.leg(left);
        std::uint64_t& blocks = result[round][offset];
        blocks = collective == Collective::broadcast ? 1 : blocks + 1;
        left = collective == Collective::alltoall ? group.subtract(left, offset) : 0;
      }
    }
    return result;
  }

  const Network& network_;
  Senders senders_;
};

DirectSends::DirectSends(const Request& request)
    : rounds_(merges(request) ? Counting(request).merged(request) : Counting(request).single()) {}

// ---- plans

namespace {

// All pairs of nodes joined, port s - 1 leading from v to v + s. In the network's own group where the
// translations of a round matter.
Network single_overlay(const Request& request) {
  const network::Group& group = request.network.group();
  const auto proper = std::ranges::count_if(group.moduli(), [](auto modulus) { return modulus > 1; });
  if (is_rooted(request.task.collective) || proper <= 1) return network::complete(request.network.order());
  std::vector<Node> others(group.order() - 1);
  std::iota(others.begin(), others.end(), Node{1});
  return {"cayley", group, std::move(others)};
}

Schedule single_schedule(const Network& all, const Request& request) {
  const bool rooted = is_rooted(request.task.collective);
  const bool gathers = request.task.collective == Collective::gather;
  const bool copies =
      request.task.collective == Collective::allgather || request.task.collective == Collective::broadcast;
  schedule::Stage stage{copies ? schedule::Flow::copy : schedule::Flow::move,
                        rooted ? schedule::Replication::none() : schedule::Replication::all(),
                        {},
                        {}};
  stage.rounds.reserve(all.degree(), all.degree());
  for (Port port = 0; port < all.degree(); ++port) {
    const Node other = all.neighbour(rooted ? request.task.root : 0, port);
    const schedule::PacketId packet = copies ? 0 : port + 1;
    stage.rounds.add(gathers ? schedule::Hop{packet, other, all.opposite(port)}
                             : schedule::Hop{packet, rooted ? request.task.root : 0, port});
    stage.rounds.close_round();
  }
  return {request.ports, schedule::RoundKind::strict, {std::move(stage)}};
}

Network merged_overlay(const Request& request) {
  if (all_at_once(request)) return network::complete(request.network.order());
  return DigitSends(request.network.group(), digits_at_once(request)).overlay();
}

// Of a collective that is not another one backwards.
Schedule forward_schedule(const Network& overlay, const Request& request, Collective collective) {
  const algorithm::Timetable table = DigitSends(overlay.group(), digits_at_once(request)).timetable(overlay);
  const Node root = request.task.root;
  switch (collective) {
    case Collective::broadcast:
      return timetable_broadcast(overlay, root, 1, request.ports, table);
    case Collective::scatter:
      return timetable_scatter(overlay, root, 1, request.ports, table);
    case Collective::allgather:
      return timetable_allgather(overlay, 1, request.ports, table);
    default:
      return timetable_exchange(overlay, 1, request.ports, table);
  }
}

Schedule merged_schedule(const Network& overlay, const Request& request) {
  const Collective collective = forward(request.task.collective);
  Schedule schedule = forward_schedule(overlay, request, collective);
  if (collective == request.task.collective) return schedule;
  schedule::Task task = request.task;
  task.collective = collective;
  task.parts = 1;
  Schedule backwards = reverse(overlay, task, schedule).schedule;
  if (request.task.collective != Collective::allreduce) return backwards;
  return concatenate(std::move(backwards), std::move(schedule));
}

std::optional<std::string> merged_obstacle(const Request& request) {
  const bool one_message = digits_at_once(request) == 1;
  if (!one_message && request.ports.kind != schedule::PortModel::Kind::all_port)
    return fmt::format("merged, it uses all ports at once, so it cannot serve {}", to_string(request.ports));
  return std::nullopt;
}

std::optional<std::string> single_obstacle(const Request& request) {
  if (!all_at_once(request)) return "it merges all packets that go the same way, so give --merge all";
  if (forward(request.task.collective) == request.task.collective ||
      request.task.collective == Collective::gather)
    return std::nullopt;
  return "single, it serves broadcast, scatter, gather, allgather and alltoall";
}

}  // namespace

std::optional<std::string> direct_obstacle(const Request& request) {
  switch (request.task.collective) {
    case Collective::barrier:
    case Collective::neighborhood:
    case Collective::isotropic:
    case Collective::task:
      return "it serves broadcast, scatter, gather, reduce, allgather, alltoall, reduce-scatter and "
             "allreduce";
    default:
      break;
  }
  if (!request.failed.empty()) return "it needs the whole network, and something has failed";
  if (request.network.order() < 2 || request.network.order() > network::largest_complete_order)
    return fmt::format("it needs 2 to {} nodes", network::largest_complete_order);
  if (request.objective == Objective::delay) return "it looks at completion only, not at delays";
  if (request.order) return "it has no root order to choose";
  if (auto reason = merges(request) ? merged_obstacle(request) : single_obstacle(request)) return reason;
  if (!is_rooted(request.task.collective) && request.ports.half_duplex())
    return fmt::format("every node sends and receives at once, so it cannot serve {}",
                       to_string(request.ports));
  return std::nullopt;
}

schedule::Plan make_direct_plan(const Request& request) {
  Network overlay = merges(request) ? merged_overlay(request) : single_overlay(request);
  Schedule schedule = merges(request) ? merged_schedule(overlay, request) : single_schedule(overlay, request);
  schedule::Task task = request.task;
  task.parts = 1;
  return with_claims({std::move(overlay), {}, task, std::move(schedule), {}, {}});
}

}  // namespace isotrope::planner
