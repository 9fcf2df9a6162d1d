// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/message_combining.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "isotrope/planner/plan.hpp"

namespace isotrope::mpi {
namespace {

using network::Node;
using rank::ListedBlock;

// Numbers the blocks of one rank as the packets of the task are: difference by difference, those of one difference in the
// order of their edges.
class BlockNumbers {
 public:
  explicit BlockNumbers(const IsotropicNeighbourhood& neighbourhood) {
    std::uint32_t first = 0;
    for (const auto [to, blocks] : neighbourhood.destinations) {
      next_[to] = first;
      first += blocks;
    }
  }
  std::uint32_t next(Node difference) { return next_.at(difference)++; }

 private:
  std::map<Node, std::uint32_t> next_;
};

std::vector<ListedBlock> sent_blocks(const IsotropicNeighbourhood& neighbourhood,
                                     const Neighbours& neighbours, Node rank) {
  BlockNumbers numbers(neighbourhood);
  std::vector<ListedBlock> result;
  for (const int neighbour : neighbours.destinations) {
    const auto to = static_cast<Node>(neighbour);
    result.push_back({to, numbers.next(neighbourhood.torus.group().subtract(to, rank))});
  }
  return result;
}

std::vector<ListedBlock> received_blocks(const IsotropicNeighbourhood& neighbourhood,
                                         const Neighbours& neighbours, Node rank) {
  BlockNumbers numbers(neighbourhood);
  std::vector<ListedBlock> result;
  for (const int neighbour : neighbours.sources) {
    const auto from = static_cast<Node>(neighbour);
    result.push_back({from, numbers.next(neighbourhood.torus.group().subtract(rank, from))});
  }
  return result;
}

// Where the program lists each of the named blocks.
std::vector<std::uint32_t> places_of(const std::vector<ListedBlock>& names,
                                     const std::vector<ListedBlock>& listed) {
  std::vector<std::uint32_t> result;
  for (const ListedBlock& name : names)
    result.push_back(static_cast<std::uint32_t>(std::ranges::find(listed, name) - listed.begin()));
  return result;
}

// As many messages at once as the ports allow, in as many rounds as necessary.
double direct_seconds(const IsotropicNeighbourhood& neighbourhood, std::uint64_t bytes,
                      const cost::Machine& machine) {
  const std::uint64_t blocks = neighbourhood.blocks();
  const std::uint64_t at_once = machine.ports.sends(static_cast<network::Port>(blocks));
  const std::uint64_t rounds = (blocks + at_once - 1) / at_once;
  return static_cast<double>(rounds) * machine.round_time(at_once, at_once * bytes, bytes, at_once);
}

double packing_seconds(const IsotropicNeighbourhood& neighbourhood, std::uint64_t bytes,
                       const cost::Machine& machine) {
  return machine.overhead(0, 2 * neighbourhood.blocks() * bytes);  // each block is packed and unpacked once
}

// No plan takes less: a message a round at least, and every block over all links of its way.
double least_combined_seconds(const IsotropicNeighbourhood& neighbourhood, std::uint64_t bytes,
                              const cost::Machine& machine) {
  const double rounds = neighbourhood.longest();
  return rounds * machine.round_time(1, 0, 0, 1) + machine.overhead(0, neighbourhood.hops() * bytes) +
         packing_seconds(neighbourhood, bytes, machine);
}

}  // namespace

schedule::Plan combining_plan(const IsotropicNeighbourhood& neighbourhood, schedule::PortModel ports) {
  return planner::make_plan(
      {.network = neighbourhood.torus,
       .task = {.collective = schedule::Collective::isotropic, .destinations = neighbourhood.destinations},
       .ports = ports,
       .aggregation = schedule::unbounded});
}

MessageCombining::MessageCombining(IsotropicNeighbourhood neighbourhood, const Neighbours& neighbours,
                                   network::Node rank, const cost::Machine& machine)
    : neighbourhood_(std::move(neighbourhood)),
      rank_(rank),
      machine_(machine),
      inputs_(sent_blocks(neighbourhood_, neighbours, rank)),
      outputs_(received_blocks(neighbourhood_, neighbours, rank)) {}

// Half duplex ports combine nothing: the catalogue has no plan for them.
const CombinedExchange* MessageCombining::find(std::uint64_t bytes) {
  if (bytes == 0 || neighbourhood_.longest() == 0 || machine_.ports.half_duplex()) return nullptr;
  const double direct = direct_seconds(neighbourhood_, bytes, machine_);
  if (least_combined_seconds(neighbourhood_, bytes, machine_) >= direct) return nullptr;
  if (!plan_) plan_ = planned();
  return combined_seconds(bytes) < direct ? &plan_->exchange : nullptr;
}

double MessageCombining::combined_seconds(std::uint64_t bytes) const {
  cost::RoundSynchronous time(bytes, 1, machine_);
  for (const cost::RoundLoad& load : plan_->loads) time.add(load, 1);
  return time.prediction().seconds + packing_seconds(neighbourhood_, bytes, machine_);
}

MessageCombining::Planned MessageCombining::planned() const {
  const schedule::Plan plan = combining_plan(neighbourhood_, machine_.ports);
  auto program = std::make_shared<const rank::RankProgram>(rank::compile(plan, rank_));
  auto inputs = places_of(inputs_, program->inputs), outputs = places_of(outputs_, program->outputs);
  return {{std::move(program), std::move(inputs), std::move(outputs)},
          cost::round_loads(plan.network, plan.schedule)};
}

}  // namespace isotrope::mpi
