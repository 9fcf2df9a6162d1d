// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/choice.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/bandwidth_bound.hpp"

#include "isotrope/cost/workload.hpp"

#include "isotrope/planner/contenders.hpp"
#include "isotrope/planner/direct_sends.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

// The packets a block by which rounds are bounded: enough for what one more of them costs to show.
constexpr std::uint32_t many_parts = 1 << 16;

// How many blocks the busiest links of all rounds carry together, at least.
struct LinkBlocks {
  double least = 0;
  std::string kind = "unknown";  // of the bound
};

std::uint64_t value_of_kind(const std::vector<schedule::Bound>& bounds, const std::string& kind) {
  const auto found = std::ranges::find(bounds, kind, &schedule::Bound::kind);
  return found == bounds.end() ? 0 : found->value;
}

// Of rounds of single packets. Bounds are of the form ceil(x P) + constant, or the largest of several such,
// so x is at least the growth from 1 packet a block to P over P; and what holds for strict rounds of ever
// smaller packets holds for the bytes of any (schedule/bandwidth_bound.hpp).
LinkBlocks growth_of_bounds(Request request) {
  request.task.parts = 1;
  const auto one = request_bounds(request, schedule::RoundKind::strict);
  request.task.parts = many_parts;
  LinkBlocks result;
  for (const schedule::Bound& bound : request_bounds(request, schedule::RoundKind::strict)) {
    const std::uint64_t first = value_of_kind(one, bound.kind);
    const double growth = static_cast<double>(bound.value - first) / many_parts;
    if (first > 0 && growth > result.least) result = {growth, bound.kind};
  }
  return result;
}

// Nothing for barriers, whose packets are empty, and for what is left of an allreduce after failures.
LinkBlocks least_link_blocks(const Request& request) {
  if (request.task.collective == schedule::Collective::barrier) return {};
  if (request.failed.empty()) {
    schedule::Task task = request.task;
    task.parts = many_parts;
    if (const auto bound = bandwidth_bound(request.network, task, request.ports))
      return {static_cast<double>(bound->value - 1) / many_parts, bound->kind};
  }
  return request.task.collective == schedule::Collective::allreduce ? LinkBlocks{}
                                                                    : growth_of_bounds(request);
}

TimeBound time_bound(const Request& request, const LinkBlocks& link_blocks, std::uint64_t block_bytes,
                     const cost::Machine& machine) {
  TimeBound result;
  result.bytes = link_blocks.least * static_cast<double>(block_bytes);
  result.bytes_because = fmt::format("{}: {:.4g} times a block", link_blocks.kind, link_blocks.least);
  const auto bounds = request_bounds(request, schedule::RoundKind::combining);
  if (!bounds.empty()) {
    result.rounds = bounds.front().value;
    result.rounds_because = bounds.front().because;
  }
  result.seconds = static_cast<double>(result.rounds) * machine.round_time(1, 0, 0, 1) +
                   result.bytes * machine.byte_time_s;
  return result;
}

// The blocks of all nodes together can be counted: an allreduce may treat them as one.
void require_size(std::uint64_t block_bytes, const Network& network) {
  const std::uint64_t most = cost::most_block_bytes / network.order();
  if (block_bytes >= 1 && block_bytes <= most) return;
  throw Error(fmt::format("a block of {} bytes: give 1 to {}", block_bytes, most));
}

// Those with the fewest rounds of one packet come first, as they are the likeliest to leave others behind.
// One that finds no schedule, as by a search for trees, counts more rounds than there are; it is kept only
// where it is asked for by name, so that making its plan says why.
std::vector<std::size_t> likeliest_first(std::vector<Contender>& field) {
  std::vector<std::uint64_t> rounds;
  std::vector<std::size_t> order;
  for (Contender& contender : field) {
    rounds.push_back(contender.least_rounds());
    if (rounds.back() < UINT64_MAX || field.size() == 1) order.push_back(rounds.size() - 1);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rounds[i]; });
  return order;
}

Candidate candidate(const Contender& contender, const Predictor::Fastest& found, std::uint64_t block_bytes) {
  Candidate result{.name = contender.name(),
                   .request = contender.request(),
                   .direct = contender.direct(),
                   .block_bytes = block_bytes * contender.blocks_as_one(),
                   .prediction = found.prediction,
                   .at_least = found.at_least};
  result.request.task.parts = found.prediction.packets;
  return result;
}

std::vector<Candidate> predicted(std::vector<Contender>& field, std::uint64_t block_bytes,
                                 const cost::Machine& machine, bool fixed_parts, Detail detail) {
  std::vector<Candidate> result;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : likeliest_first(field)) {
    const Predictor::Fastest found = fixed_parts
                                         ? Predictor::Fastest{field[i].as_requested(block_bytes, machine)}
                                         : field[i].fastest_below(least, block_bytes, machine);
    if (detail == Detail::winner) least = std::min(least, found.prediction.seconds);
    result.push_back(candidate(field[i], found, block_bytes));
  }
  return result;
}

}  // namespace

Choice choose_for(const Request& request, std::uint64_t block_bytes, const cost::Machine& machine,
                  Fixed fixed, Detail detail) {
  check(machine, request.network.degree());
  require_size(block_bytes, request.network);
  if (request.task.collective == schedule::Collective::barrier) block_bytes = 0;  // its packets are empty
  const bool cut_through = machine.cut_through && !(fixed.parts && request.task.parts > 1);
  const LinkBlocks link_blocks = least_link_blocks(request);
  auto field = contenders(request, !fixed.merge, cut_through, link_blocks.least);
  Choice result{.request = request,
                .block_bytes = block_bytes,
                .machine = machine,
                .candidates = predicted(field, block_bytes, machine, fixed.parts, detail),
                .bound = time_bound(request, link_blocks, block_bytes, machine)};
  std::ranges::stable_sort(result.candidates, [](const Candidate& a, const Candidate& b) {
    if (a.prediction.seconds != b.prediction.seconds) return a.prediction.seconds < b.prediction.seconds;
    return a.at_least < b.at_least;
  });
  return result;
}

schedule::Plan make_plan(const Candidate& candidate) {
  return candidate.direct ? make_direct_plan(candidate.request) : make_plan(candidate.request);
}

}  // namespace isotrope::planner
