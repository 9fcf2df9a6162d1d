// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of one rank, planned and compiled at the first call that needs them, and cached.
//
// A program serves any size, but the best program depends on the size: that of a class of sizes follows the plan of the class
// (planner/plan_cache.hpp). All ranks make the same computation, and so the same choice.
//
// Plans know nodes, and everything outside knows ranks: this class takes roots and gives programs in the numbers of ranks
// (rank/mapped_program.hpp).
//
// Cost of a hit: a linear search of at most `most_programs` entries. Cost of a miss: compilation, and planning if the class has no
// plan yet. The plan is translated to the root.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/rank/program.hpp"

#include "isotrope/planner/plan_cache.hpp"

namespace isotrope::mpi {

class ForwardingTables;

class ProgramCache {
 public:
  static constexpr std::size_t most_programs = 256;

  /// Of `rank`. With `own_plans` plan files of the user are candidates (own_plans.hpp).
  ProgramCache(network::MappedNetwork network, network::Rank rank, cost::Machine machine,
               bool own_plans = false);
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// The program for `bytes` bytes of a vector or a block, as MPI counts them (planner/choice.hpp); for a barrier,
  /// any number. Several threads may call this at once.
  /// @param associative whether the operation of an allreduce gives the same bits in any order
  /// (mpi/associativity.hpp)
  /// @pre no scan or exscan unless the ranks are in order
  /// @throws Error if no algorithm of the catalogue supports the collective on this network
  std::shared_ptr<const rank::RankProgram> find(schedule::Collective collective, network::Rank root,
                                                std::uint64_t bytes, bool associative = false);
  /// The seconds that the model predicts for that program, at the least size of its class; the same on all ranks.
  /// @throws Error as find()
  double seconds(schedule::Collective collective, network::Rank root, std::uint64_t bytes,
                 bool associative = false);

  /// What collectives with blocks of unequal sizes need; made at the first call. Several threads may call this at once.
  std::shared_ptr<ForwardingTables> forwarding();

  const network::Network& network() const { return network_.named.network; }
  /// What the network lacks of its links.
  const network::Failures& lacks() const { return network_.named.lacks; }
  const network::RankMap& ranks() const { return network_.ranks; }
  network::Rank rank() const { return rank_; }
  const cost::Machine& machine() const { return machine_; }

 private:
  struct ProgramKey {
    planner::PlanCache::Key plan;
    network::Node root;  // to which the plan is translated

    bool operator==(const ProgramKey&) const = default;
  };

  planner::PlanCache::Key key_of(schedule::Collective collective, network::Rank root, std::uint64_t bytes,
                                 bool associative) const;

  std::mutex mutex_;
  network::MappedNetwork network_;
  network::Rank rank_;
  cost::Machine machine_;
  std::shared_ptr<planner::PlanCache> plans_;
  planner::RecentlyUsed<ProgramKey, rank::RankProgram> programs_{most_programs};
  std::shared_ptr<ForwardingTables> forwarding_;
};

}  // namespace isotrope::mpi
