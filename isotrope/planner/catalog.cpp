// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalog.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/balanced_scatter.hpp"
#include "isotrope/algorithm/multinode_broadcast.hpp"
#include "isotrope/algorithm/total_exchange.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::Schedule;

constexpr std::string_view hypercubes = "hypercube:1 to hypercube:26";
constexpr std::string_view all_ports = "all";

// A network is a hypercube by its ports, whatever its name: torus:2x2x2 is not, since its ports come in
// another order.
bool is_hypercube(const Network& network) {
  if (std::uint64_t{network.order()} != std::uint64_t{1} << network.degree()) return false;
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(0, port) != schedule::Node{1} << port || network.opposite(port) != port)
      return false;
  }
  return network.degree() > 0;
}

std::optional<std::string> hypercube_with_all_ports(const Request& request) {
  if (!is_hypercube(request.network))
    return fmt::format("it needs a hypercube, not {}", request.network.name());
  if (request.ports.kind != schedule::PortModel::Kind::all_port) {
    return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(request.ports));
  }
  return std::nullopt;
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

// The schedule of `forward` for the collective that this one is the reverse of.
Schedule backwards(const Request& request, Collective collective, Schedule (*forward)(const Request&)) {
  Request other = request;
  other.task.collective = collective;
  return reverse(other.network, other.task, forward(other)).schedule;
}

Schedule plan_balanced_gather(const Request& request) {
  return backwards(request, Collective::scatter, plan_balanced_scatter);
}

Schedule plan_multinode_reduction(const Request& request) {
  return backwards(request, Collective::allgather, plan_multinode_broadcast);
}

Schedule plan_reduction_and_broadcast(const Request& request) {
  return concatenate(plan_multinode_reduction(request), plan_multinode_broadcast(request));
}

constexpr std::array algorithms{
    Algorithm{"multinode-broadcast", Collective::allgather, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 2",
              "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least",
              hypercube_with_all_ports, plan_multinode_broadcast},
    Algorithm{"balanced-scatter", Collective::scatter, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 3",
              "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least", hypercube_with_all_ports,
              plan_balanced_scatter},
    Algorithm{"total-exchange", Collective::alltoall, hypercubes, all_ports,
              "Bertsekas et al. 1991, Section 4", "2^(d-1) P rounds, d 2^(2d-1) P transmissions: both least",
              hypercube_with_all_ports, plan_total_exchange},
    Algorithm{"balanced-gather", Collective::gather, hypercubes, all_ports, "balanced-scatter, reversed",
              "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least", hypercube_with_all_ports,
              plan_balanced_gather},
    Algorithm{"multinode-reduction", Collective::reduce_scatter, hypercubes, all_ports,
              "multinode-broadcast, reversed",
              "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least",
              hypercube_with_all_ports, plan_multinode_reduction},
    Algorithm{"reduction-and-broadcast", Collective::allreduce, hypercubes, all_ports,
              "multinode-reduction, then multinode-broadcast",
              "2 ceil((2^d - 1) P / d) rounds; each stage in its least", hypercube_with_all_ports,
              plan_reduction_and_broadcast},
};

}  // namespace

std::span<const Algorithm> catalog() {
  return algorithms;
}

}  // namespace isotrope::planner
