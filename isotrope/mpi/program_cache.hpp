// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of one rank, planned and compiled at the first call that needs them, and cached.
//
// A program serves any size, but the best program depends on the size. So sizes are put into classes, eight per
// octave, and the plan of a class is the one that planner::choose_for finds for the smallest size of the class: the
// plan that `isotrope plan --bytes` writes for that size. All ranks choose alike, because all make the same
// computation.
//
// The plan of a rooted collective is made for root 0 and translated to any other root.
//
// Method: two lists, of programs and of plans; the least recently used entry makes room. Cost of a hit: a
// linear search of at most `most_programs` entries. Cost of a miss: compilation, and planning if the class
// has no plan yet.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::mpi {

class ProgramCache {
 public:
  static constexpr std::size_t most_programs = 256, most_plans = 64;

  ProgramCache(network::Network network, network::Node rank, cost::Machine machine);

  /// The program for `bytes` bytes, as MPI counts them: of a vector or a block (planner/choice.hpp); of a barrier, any
  /// number.
  /// @throws Error if no algorithm of the catalogue supports the collective on this network
  std::shared_ptr<const rank::RankProgram> find(schedule::Collective collective, network::Node root,
                                                std::uint64_t bytes);

  const network::Network& network() const { return network_; }
  const cost::Machine& machine() const { return machine_; }

 private:
  struct ProgramKey {
    schedule::Collective collective;
    network::Node root;
    std::uint64_t least_bytes;  // of the class

    bool operator==(const ProgramKey&) const = default;
  };
  struct CachedProgram {
    ProgramKey key;
    std::shared_ptr<const rank::RankProgram> program;
  };

  struct CachedPlan {
    schedule::Collective collective;
    std::uint64_t least_bytes;
    std::shared_ptr<const schedule::Plan> plan;
  };

  std::shared_ptr<const rank::RankProgram> make_program(const ProgramKey& key);
  std::shared_ptr<const schedule::Plan> find_plan(schedule::Collective collective, std::uint64_t bytes);
  schedule::Plan make_plan(schedule::Collective collective, std::uint64_t bytes) const;

  network::Network network_;
  network::Node rank_;
  cost::Machine machine_;
  std::list<CachedProgram> programs_;  // most recently used first
  std::list<CachedPlan> plans_;        // most recently used first; rooted ones have root 0
};

}  // namespace isotrope::mpi
