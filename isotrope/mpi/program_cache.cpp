// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/program_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isotrope/planner/choice.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

// The smallest size of the class of `bytes`: the four leading bits are kept.
std::uint64_t size_class(std::uint64_t bytes) {
  constexpr int kept = 4;
  const auto width = static_cast<int>(std::bit_width(bytes));
  return width <= kept ? bytes : bytes >> (width - kept) << (width - kept);
}

}  // namespace

ProgramCache::ProgramCache(network::Network network, network::Node rank, cost::Machine machine)
    : network_(std::move(network)), rank_(rank), machine_(machine) {}

std::shared_ptr<const rank::RankProgram> ProgramCache::find(Collective collective, network::Node root,
                                                            std::uint64_t bytes) {
  const ProgramKey key{collective, root, size_class(bytes)};
  const auto cached = std::ranges::find(programs_, key, &CachedProgram::key);
  if (cached != programs_.end()) {
    programs_.splice(programs_.begin(), programs_, cached);
    return cached->program;
  }
  programs_.push_front({key, make_program(key)});
  if (programs_.size() > most_programs) programs_.pop_back();
  return programs_.front().program;
}

std::shared_ptr<const rank::RankProgram> ProgramCache::make_program(const ProgramKey& key) {
  const auto plan = find_plan(key.collective, key.least_bytes);
  return std::make_shared<const rank::RankProgram>(rank::compile(*plan, rank_, key.root));
}

std::shared_ptr<const schedule::Plan> ProgramCache::find_plan(Collective collective, std::uint64_t bytes) {
  const auto cached = std::ranges::find_if(plans_, [&](const CachedPlan& held) {
    return held.collective == collective && held.least_bytes == bytes;
  });
  if (cached != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, cached);
    return cached->plan;
  }
  plans_.push_front(
      {collective, bytes, std::make_shared<const schedule::Plan>(make_plan(collective, bytes))});
  if (plans_.size() > most_plans) plans_.pop_back();
  return plans_.front().plan;
}

schedule::Plan ProgramCache::make_plan(Collective collective, std::uint64_t bytes) const {
  const schedule::Problem problem{
      .network = network_, .task = {.collective = collective}, .ports = machine_.ports};
  return planner::make_plan(planner::choose_for(problem, std::max<std::uint64_t>(bytes, 1), machine_).best());
}

}  // namespace isotrope::mpi
