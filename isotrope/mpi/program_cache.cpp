// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/program_cache.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/rank/mapped_program.hpp"

#include "isotrope/mpi/forwarding.hpp"
#include "isotrope/mpi/own_plans.hpp"

namespace isotrope::mpi {

using schedule::Collective;

ProgramCache::ProgramCache(network::MappedNetwork network, network::Rank rank, cost::Machine machine,
                           bool own_plans)
    : network_(std::move(network)),
      rank_(rank),
      machine_(machine),
      plans_(planner::PlanCache::shared(network_.named, machine_, own_plans)) {}

planner::PlanCache::Key ProgramCache::key_of(Collective collective, network::Rank root, std::uint64_t bytes,
                                             bool associative) const {
  return plans_->key_of(collective, ranks().node_of(root), bytes, associative);
}

std::shared_ptr<const rank::RankProgram> ProgramCache::find(Collective collective, network::Rank root,
                                                            std::uint64_t bytes, bool associative) {
  const std::scoped_lock lock(mutex_);
  const ProgramKey key{key_of(collective, root, bytes, associative), ranks().node_of(root)};
  return programs_.find_or_make(key, [&] {
    const auto choice = plans_->choice(key.plan);
    if (choice->algorithm->traits().from_file)
      note_own_plan(choice->algorithm->name(), collective, std::max<std::uint64_t>(key.plan.least_bytes, 1));
    const network::Node moved_by = key.root - key.plan.root;
    return rank::mapped(rank::compile(*plans_->plan(key.plan), ranks().node_of(rank_), moved_by), collective,
                        ranks());
  });
}

std::shared_ptr<ForwardingTables> ProgramCache::forwarding() {
  const std::scoped_lock lock(mutex_);
  if (!forwarding_) forwarding_ = std::make_shared<ForwardingTables>(network_, rank_, machine_);
  return forwarding_;
}

double ProgramCache::seconds(Collective collective, network::Rank root, std::uint64_t bytes,
                             bool associative) {
  return plans_->choice(key_of(collective, root, bytes, associative))->prediction.seconds;
}

}  // namespace isotrope::mpi
