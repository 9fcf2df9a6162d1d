// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Neighbourhood collectives in few messages: blocks for several neighbours share a message along an axis of a torus.
//
//     27-point stencil, 26 neighbours      one block a message    1 round     26 messages    26 blocks
//                                          combined               3 rounds     6 messages    54 blocks
//
// An exchange is the task `isotropic` on the torus of the neighbourhood. Its plan is that of the catalogue with the fewest
// rounds of unbounded messages, one part a block; it does not depend on the size of blocks.
//
// Choice: the time of the plan and of packing and unpacking against that of one message per block, by the machine
// (cost/machine.hpp) and the loads of the rounds. All ranks make the same computation, and so the same choice. Cost: O(rounds)
// a call, and planning and compilation once, at the first call that a bound on all plans does not exclude. On the default
// machine, a memory shared by all ranks, nothing is combined (docs/performance.md): a rank waits longer for the next round
// than messages cost.
// Source: J. L. Traff, A. Carpen-Amarie, S. Hunold and A. Rougier, Message-combining algorithms for isotropic, sparse
// collective communication, 2016.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/rank/program.hpp"

#include "isotrope/mpi/isotropic_neighbourhood.hpp"

namespace isotrope::mpi {

/// A program, and the numbers that the blocks of the caller have in its buffers.
struct CombinedExchange {
  std::shared_ptr<const rank::RankProgram> program;
  std::vector<std::uint32_t> inputs;   ///< by place of the destination
  std::vector<std::uint32_t> outputs;  ///< by place of the source
};

/// The plan of the exchange. @pre the neighbourhood has a destination that is not 0
/// @throws Error if the ports allow none
schedule::Plan combining_plan(const IsotropicNeighbourhood& neighbourhood, schedule::PortModel ports);

class MessageCombining {
 public:
  /// @param neighbours of `rank`
  MessageCombining(IsotropicNeighbourhood neighbourhood, const Neighbours& neighbours, network::Node rank,
                   const cost::Machine& machine);

  const IsotropicNeighbourhood& neighbourhood() const { return neighbourhood_; }
  /// The exchange of blocks of `bytes` bytes, or nullptr if one message per block is faster. Valid as long as this.
  const CombinedExchange* find(std::uint64_t bytes);

 private:
  struct Planned {
    CombinedExchange exchange;
    std::vector<cost::RoundLoad> loads;  // of the rounds, in blocks
  };

  Planned planned() const;
  double combined_seconds(std::uint64_t bytes) const;

  IsotropicNeighbourhood neighbourhood_;
  network::Node rank_;
  cost::Machine machine_;
  std::vector<rank::ListedBlock> inputs_, outputs_;  // the names of the blocks, by place
  std::optional<Planned> plan_;
};

}  // namespace isotrope::mpi
