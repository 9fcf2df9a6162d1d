// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "isotrope/algorithm/broadcast/multinode_broadcast.hpp"
#include "isotrope/algorithm/exchange/total_exchange.hpp"
#include "isotrope/algorithm/scatter/balanced_scatter.hpp"

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/misfit.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::Schedule;

// ceil((2^d - 1) P / d)
std::uint64_t balanced_rounds(const Request& request) {
  const std::uint64_t packets = std::uint64_t{request.network.order() - 1} * request.task.parts;
  return (packets + request.network.degree() - 1) / request.network.degree();
}

std::uint64_t twice_balanced_rounds(const Request& request) {
  return 2 * balanced_rounds(request);
}

std::uint64_t exchange_rounds(const Request& request) {
  return std::uint64_t{request.network.order() / 2} * request.task.parts;
}

Schedule plan_multinode_broadcast(const Request& request) {
  return algorithm::multinode_broadcast(request.network.degree(), request.task.parts);
}

Schedule plan_balanced_scatter(const Request& request) {
  return algorithm::balanced_scatter(request.network.degree(), request.task.root, request.task.parts);
}

Schedule plan_total_exchange(const Request& request) {
  return algorithm::total_exchange(request.network.degree(), request.task.parts);
}

constexpr auto plan_multinode_reduction = backwards<Collective::allgather, plan_multinode_broadcast>;

Schedule plan_reduction_and_broadcast(const Request& request) {
  return concatenate(plan_multinode_reduction(request), plan_multinode_broadcast(request));
}

constexpr std::string_view all_ports = "all";
constexpr std::string_view balanced_claim =
    "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least";
constexpr std::string_view multinode_claim =
    "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least";

constexpr std::array algorithms{
    Algorithm{"multinode-broadcast", Collective::allgather, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 2", multinode_claim, not_all_ports, balanced_rounds,
              plan_multinode_broadcast},
    Algorithm{"balanced-scatter", Collective::scatter, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 3", balanced_claim, not_all_ports, balanced_rounds,
              plan_balanced_scatter},
    Algorithm{"total-exchange", Collective::alltoall, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 4", "2^(d-1) P rounds, d 2^(2d-1) P transmissions: both least",
              not_all_ports, exchange_rounds, plan_total_exchange},
    Algorithm{"balanced-gather", Collective::gather, hypercubes, all_ports, "balanced-scatter, reversed",
              balanced_claim, not_all_ports, balanced_rounds,
              backwards<Collective::scatter, plan_balanced_scatter>},
    Algorithm{"multinode-reduction", Collective::reduce_scatter, hypercubes, all_ports,
              "multinode-broadcast, reversed", multinode_claim, not_all_ports, balanced_rounds,
              plan_multinode_reduction},
    Algorithm{"reduction-and-broadcast", Collective::allreduce, hypercubes, all_ports,
              "multinode-reduction, then multinode-broadcast",
              "2 ceil((2^d - 1) P / d) rounds; each stage in its least", not_all_ports, twice_balanced_rounds,
              plan_reduction_and_broadcast},
};

}  // namespace

std::span<const Algorithm> bertsekas() {
  return algorithms;
}

}  // namespace isotrope::planner
