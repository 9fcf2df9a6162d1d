// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/route_balancing.hpp"

#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {

using forward::BalancedRoutes;

RouteBalancing::RouteBalancing(std::shared_ptr<ForwardingTables> tables, network::Node rank,
                               std::vector<std::uint64_t> bytes, std::uint64_t received)
    : tables_(std::move(tables)),
      rank_(rank),
      bytes_(std::move(bytes)),
      received_(received),
      numbers_(BalancedRoutes::demand_numbers(tables_->lanes())) {}

void RouteBalancing::begin() {
  routes_.emplace(tables_->lanes(), rank_, bytes_, received_, tables_->diameter());
  wanted_ = made_ = 0;
  routes_->write_demand(numbers_);
}

void RouteBalancing::take_demand(double byte_s, double round_s) {
  routes_->take_demand(numbers_);
  wanted_ = routes_->rounds_that_pay(byte_s, round_s);
  if (wants_round()) routes_->write_loads(loads());
}

void RouteBalancing::take_loads() {
  routes_->take_loads(loads());
  ++made_;
  if (wants_round()) {
    routes_->write_loads(loads());
  } else {
    routes_->finish();
  }
}

namespace {

// Seconds of a round on the processor, as measured on tori of 16 to 512 nodes.
double own_work(const forward::LaneGraph& graph, std::uint32_t diameter) {
  constexpr double operation_s = 1e-9, per_hop = 5, per_lane = 50;
  return operation_s * static_cast<double>(graph.lanes().size()) * (per_hop * diameter + per_lane);
}

}  // namespace

double Collectives::round_seconds(ForwardingTables& tables) {
  const std::uint64_t bytes = BalancedRoutes::round_numbers(tables.lanes()) * sizeof(std::uint64_t);
  constexpr bool associative = true;
  return seconds(schedule::Collective::allreduce, 0, bytes, associative) +
         own_work(tables.lanes(), tables.diameter());
}

// The last exchange must have lasted so long that a sum in vain costs little. Large networks, on which the paths of a node
// would take more than 256 KiB, choose by their queues.
std::optional<double> Collectives::balancing_round() {
  constexpr double least_ratio = 8;
  constexpr std::uint64_t most_sums = std::uint64_t{1} << 15;
  if (exchanges_.last().most_bytes == 0) return std::nullopt;
  ForwardingTables& tables = *programs_->forwarding();
  const cost::Machine& machine = programs_->machine();
  const double lasted =
      machine.lane_byte_time_s() * static_cast<double>(exchanges_.last().most_bytes) / tables.degree();
  if (lasted < least_ratio * tables.diameter() * machine.startup_s) return std::nullopt;
  const std::uint64_t layers = std::uint64_t{tables.diameter()} + BalancedRoutes::more_hops + 1;
  if (layers * ranks() > most_sums || tables.links() > most_sums) return std::nullopt;
  const double round_s = round_seconds(tables);
  if (lasted < least_ratio * round_s || !exchanges_.tries_to_balance()) return std::nullopt;
  return round_s;
}

void Collectives::add_balancing(Stages& stages, const std::shared_ptr<RouteBalancing>& balancing,
                                double round_s) {
  const auto sum = [&](std::span<std::uint64_t> numbers) {
    return prepared({schedule::Collective::allreduce,
                     {MPI_IN_PLACE},
                     {numbers.data(), static_cast<MPI_Count>(numbers.size()), MPI_UINT64_T},
                     0,
                     MPI_SUM});
  };
  const double byte_s = programs_->machine().lane_byte_time_s();
  stages.call->at_start([=] { balancing->begin(); });
  stages.add(sum(balancing->demand())).on_completion([=] { balancing->take_demand(byte_s, round_s); });
  stages.add(sum(balancing->loads()), [=] { return balancing->wants_round(); }).on_completion([=] {
    balancing->take_loads();
  });
}

}  // namespace isotrope::mpi
