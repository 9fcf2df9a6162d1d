// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets placed on links and rounds, each on consecutive rounds, by an ejection search.
//
//     job      A packet of a class of origins, with its routes. Hops of a route may come in any order, so a placement is a
//              route, a first round and an order of the route's ports
//     slot     (port, class of the sending node, round): one job. The class is that of schedule::NodeClasses: hop i of a job
//              is sent from the class of its origin plus the parities of the ports before
//     insert   The cheapest placement ejects the jobs in its way. A slot costs 0 if free and 64 times the weight of its
//              job if not, plus noise. The weight of a job grows by one whenever its insertion ejects another one, so
//              the jobs that are hard to place stay in the end
//     queue    Jobs without a placement: the last one in is the first one out; 1 in 4 is any. At the start the
//              shortest jobs are first in, so the longest ones are placed first, as early as possible
//
// The cheapest order of the ports is found by dynamic programming over the sub-multisets s of a route, for all first rounds
// t at once: f(s, t) = min over the last port p of s of f(s - p, t) + cost(p, class after s - p, t + |s| - 1).
//
// Cost of an insertion: the sum over the routes of their sub-multisets, times ports and rounds; 7 us on
// twisted-torus:4x4x8 in 74 rounds. Source: the metaheuristic is that of ejection chains, F. Glover, 1996.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/exchange/route_sets.hpp"

namespace isotrope::algorithm {

/// A packet of the origins of one class.
struct PlacedJob {
  std::uint32_t packet = 0;          ///< its number among those of an origin
  std::uint32_t origin_class = 0;    ///< 0 or 1
  const std::vector<Route>* routes;  ///< at least one
};

/// Where a job is: the rounds from `first` on, a port each.
struct Placement {
  std::uint64_t first = 0;
  std::vector<network::Port> ports;
};

class EjectionSearch {
 public:
  /// Jobs in `rounds` rounds. `parities` has 0 or 1 for every port: whether its hop leads to the other class; `classes` is 1
  /// or 2. The jobs refer to routes that must outlive the search. @pre every job has a route of at most `rounds` hops.
  EjectionSearch(std::vector<PlacedJob> jobs, std::vector<std::uint32_t> parities, std::uint32_t classes,
                 std::uint64_t rounds, std::uint32_t seed);

  /// Inserts jobs until all are placed, or until every job was inserted and about `steps` slots have been looked at. May
  /// be called again to go on.
  /// Returns whether all are placed.
  bool run(std::uint64_t steps);
  /// The slots looked at so far.
  std::uint64_t steps() const { return steps_; }
  /// Jobs without a placement.
  std::size_t unplaced() const { return queue_.size(); }

  const std::vector<PlacedJob>& jobs() const { return jobs_; }
  /// By job. @pre run has returned true.
  const std::vector<Placement>& placements() const { return placements_; }

 private:
  using Cost = std::int32_t;
  static constexpr std::uint32_t nobody = UINT32_MAX;

  struct Best {
    Cost cost = INT32_MAX;
    const Route* route = nullptr;
    std::uint64_t first = 0;
  };

  std::size_t slot(network::Port port, std::uint32_t node_class, std::uint64_t round) const {
    return (std::size_t{port} * classes_ + node_class) * rounds_ + round;
  }
  std::uint32_t next_job();
  void price_slots();
  void insert(std::uint32_t job);
  void look_at(const PlacedJob& job, const Route& route, Best& best);
  std::vector<network::Port> order(const PlacedJob& job, const Best& best);
  void place(std::uint32_t job, Placement placement);
  void eject(std::uint32_t job);
  template <class Visit>
  void visit_slots(std::uint32_t job, const Visit& visit) const;
  void raise_weight(std::uint32_t job);

  std::vector<PlacedJob> jobs_;
  std::vector<std::uint32_t> parities_;
  std::uint32_t classes_;
  std::uint64_t rounds_;
  SplitMix random_;
  std::vector<std::uint32_t> occupant_;
  std::vector<Cost> costs_;  // by slot, for the insertion at hand
  std::vector<Cost> least_;  // f, by sub-multiset and first round
  std::vector<std::uint32_t> weights_;
  std::vector<Placement> placements_;
  std::vector<std::uint32_t> queue_;
  std::uint64_t first_pass_;  // insertions left of the first pass
  std::uint64_t steps_ = 0;
};

}  // namespace isotrope::algorithm
