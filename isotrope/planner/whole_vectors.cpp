// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/whole_vectors.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/timetable/digit_sends.hpp"
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "isotrope/planner/direct_rounds.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using algorithm::DigitSends;
using network::Node;
using schedule::Collective;

// All powers of two: what nodes send by, in some order.
std::vector<Node> offsets(const Network& network) {
  std::vector<Node> result;
  for (Node offset = 1; offset < network.order(); offset *= 2) result.push_back(offset);
  return result;
}

bool are_neighbours(const Network& network, const std::vector<Node>& offsets) {
  return std::ranges::all_of(offsets, [&](Node offset) { return network.distance(0, offset) == 1; });
}

}  // namespace

// With moduli that are powers of two, so are the strides of coordinates.
bool doubles_whole_vectors(const Network& network, const cost::Machine& machine) {
  if (network.order() < 2 || machine.ports.half_duplex()) return false;
  if (!std::ranges::all_of(network.group().moduli(), [](auto m) { return std::has_single_bit(m); }))
    return false;
  return machine.cut_through || are_neighbours(network, offsets(network));
}

Prediction predict_whole_vectors(const Network& network, std::uint64_t vector_bytes,
                                 const cost::Machine& machine) {
  std::vector<DirectRound> rounds;
  for (const Node offset : offsets(network))
    rounds.push_back(direct_round(network, {{offset, 1}}, Senders::all));
  return predict_rounds(rounds, vector_bytes, machine);
}

schedule::Plan plan_whole_vectors(const Network& network) {
  const DigitSends sends(network.group(), 1, DigitSends::Order::descending);
  Network overlay = sends.overlay();
  const schedule::Task allgather{.collective = Collective::allgather};
  auto [task, schedule] =
      reverse(overlay, allgather,
              timetable_allgather(overlay, 1, schedule::PortModel::one(), sends.timetable(overlay)));
  return with_claims({std::move(overlay), {}, task, std::move(schedule), {}, {}});
}

}  // namespace isotrope::planner
