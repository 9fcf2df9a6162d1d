// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of one rank, planned and compiled when they are first asked for, and kept.
//
// A program serves all sizes of blocks; which is the best one depends on the size. So sizes are put into
// classes, eight to an octave, and the plan for a class is the one that planner::choose_for finds for its
// least size. All ranks find the same, for they ask the same of the same code.
//
// What takes few rounds may come of another collective:
//
//     allreduce     small vectors are gathered at every node and combined there, or travel whole
//                   (planner/whole_vectors.hpp): half the rounds
//     barrier       so are blocks of nothing
//
// The plan of a rooted collective is made for root 0 and moved to any other.
//
// Cost: a search in a table of those held, at most `most_held`; else compiling, and planning where that class has
// no plan yet.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/rank/program.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::mpi {

class Programs {
 public:
  /// Programs that are kept, and plans; the one not asked for the longest makes room.
  static constexpr std::size_t most_held = 256, most_plans = 64;

  Programs(network::Network network, network::Node rank, cost::Machine machine);

  /// The program for blocks of `bytes` bytes (allreduce: vectors; barrier: any). None for an allreduce that
  /// is quicker by an allgather of the vectors. @throws Error where nothing in the catalogue applies.
  std::shared_ptr<const rank::Program> find(schedule::Collective collective, network::Node root,
                                            std::uint64_t bytes);

  const network::Network& network() const { return network_; }
  const cost::Machine& machine() const { return machine_; }

 private:
  struct Key {
    schedule::Collective collective;
    network::Node root;
    std::uint64_t least_bytes;  // of the class

    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const rank::Program> program;
  };

  // How a collective is done.
  struct Way {
    std::shared_ptr<const schedule::Plan> plan;  // none for an allreduce by an allgather
    bool whole_vectors = false;                  // an allreduce by a reduce-scatter
    std::uint32_t in_flight = 1;                 // above 1 it runs ahead (rank/run_ahead.hpp)
  };
  struct Plan {
    schedule::Collective collective;
    std::uint64_t least_bytes;
    Way way;
  };

  static Way way_of(const planner::Candidate& candidate);
  std::shared_ptr<const rank::Program> make_program(const Key& key);
  Way plan(schedule::Collective collective, std::uint64_t bytes);
  Way make_plan(schedule::Collective collective, std::uint64_t bytes) const;
  Way plan_allreduce(std::uint64_t bytes) const;
  planner::Choice choose(schedule::Collective collective, std::uint64_t bytes) const;
  double gathering_seconds(const planner::Choice& gathering) const;
  double doubling_seconds(std::uint64_t bytes) const;

  network::Network network_;
  network::Node rank_;
  cost::Machine machine_;
  std::list<Entry> held_;  // the one asked for last comes first
  std::list<Plan> plans_;  // so, from root 0
};

}  // namespace isotrope::mpi
