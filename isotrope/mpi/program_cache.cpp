// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/program_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isotrope/rank/mapped_program.hpp"

#include "isotrope/mpi/forwarding.hpp"
#include "isotrope/mpi/own_plans.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

// The smallest size of the class of `bytes`: the four leading bits are kept.
std::uint64_t size_class(std::uint64_t bytes) {
  constexpr int kept = 4;
  const auto width = static_cast<int>(std::bit_width(bytes));
  return width <= kept ? bytes : bytes >> (width - kept) << (width - kept);
}

// The value of `key`, made by `make` if it is not cached. The least recently used of more than `most` values goes.
template <class Cached, class Key, class Make>
auto found_or_made(Cached& values, const Key& key, std::size_t most, const Make& make) {
  const auto cached = std::ranges::find(values, key, [](const auto& value) { return value.first; });
  if (cached != values.end()) {
    values.splice(values.begin(), values, cached);
  } else {
    using Value = decltype(make());
    values.emplace_front(key, std::make_shared<const Value>(make()));
    if (values.size() > most) values.pop_back();
  }
  return values.front().second;
}

}  // namespace

ProgramCache::ProgramCache(network::MappedNetwork network, network::Rank rank, cost::Machine machine,
                           bool own_plans)
    : network_(std::move(network)), rank_(rank), machine_(machine), own_plans_(own_plans) {}

ProgramCache::ProgramKey ProgramCache::key_of(Collective collective, network::Rank root, std::uint64_t bytes,
                                              bool associative) const {
  return {collective, ranks().node_of(root), size_class(bytes),
          associative && collective == Collective::allreduce};
}

ProgramCache::ProgramKey ProgramCache::planned(ProgramKey program) const {
  if (lacks().empty()) program.root = 0;
  return program;
}

std::shared_ptr<const rank::RankProgram> ProgramCache::find(Collective collective, network::Rank root,
                                                            std::uint64_t bytes, bool associative) {
  const std::scoped_lock lock(mutex_);
  const ProgramKey program = key_of(collective, root, bytes, associative);
  return found_or_made(programs_, program, most_programs, [&] {
    const ProgramKey key = planned(program);
    const auto plan = found_or_made(plans_, key, most_plans, [&] { return planner::make_plan(chosen(key)); });
    const network::Node moved_by = program.root - key.root;
    return rank::mapped(rank::compile(*plan, ranks().node_of(rank_), moved_by), collective, ranks());
  });
}

std::shared_ptr<ForwardingTables> ProgramCache::forwarding() {
  const std::scoped_lock lock(mutex_);
  if (!forwarding_) forwarding_ = std::make_shared<ForwardingTables>(network_, rank_, machine_);
  return forwarding_;
}

double ProgramCache::seconds(Collective collective, network::Rank root, std::uint64_t bytes,
                             bool associative) {
  const std::scoped_lock lock(mutex_);
  return chosen(planned(key_of(collective, root, bytes, associative))).prediction.seconds;
}

const planner::Candidate& ProgramCache::chosen(const ProgramKey& planned) {
  return *found_or_made(choices_, planned, most_choices, [&] {
    const schedule::Problem problem{.network = network(),
                                    .failed = lacks(),
                                    .task = {.collective = planned.collective, .root = planned.root},
                                    .ports = machine_.ports};
    const std::uint64_t bytes = std::max<std::uint64_t>(planned.least_bytes, 1);
    const planner::Preferences preferences{.associative = planned.associative, .plan_files = own_plans_};
    planner::Candidate best = planner::choose_for(problem, bytes, machine_, preferences).best();
    if (best.algorithm->traits().from_file) note_own_plan(best.algorithm->name(), planned.collective, bytes);
    return best;
  });
}

}  // namespace isotrope::mpi
