// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/algorithm/broadcast/hexmesh_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/layered_broadcast.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::HexmeshVariant;
using schedule::Collective;
using schedule::PortModel;
using schedule::Schedule;

// A network is a hexagonal mesh by its generators, whatever its name.
std::optional<std::string> not_a_hexagonal_mesh(const Request& request) {
  if (network::hexmesh_size(request.network)) return std::nullopt;
  return fmt::format("it needs a hexagonal mesh, not {}", request.network.name());
}

std::optional<std::string> not_one_port(const Request& request) {
  if (auto misfit = not_a_hexagonal_mesh(request)) return misfit;
  if (request.ports.kind == PortModel::Kind::one_port) return std::nullopt;
  return fmt::format("it sends over one port and receives over one, and {} is asked for",
                     to_string(request.ports));
}

// What follows has no misfit.

std::uint32_t size_of(const Request& request) {
  return network::hexmesh_size(request.network).value();
}

algorithm::ChildPorts tree(const Request& request) {
  return algorithm::hexmesh_broadcast_tree(size_of(request), request.task.root);
}

std::uint64_t broadcast_rounds(const Request& request) {
  return algorithm::tree_broadcast_rounds(request.network, request.task.root, request.task.parts,
                                          request.ports, tree(request));
}

Schedule plan_broadcast(const Request& request) {
  return algorithm::tree_broadcast(request.network, request.task.root, request.task.parts, request.ports,
                                   tree(request));
}

constexpr auto plan_reduce = backwards<Collective::broadcast, plan_broadcast>;

// As printed the procedure knows one packet; parts follow one after the other.

std::uint64_t printed_broadcast_rounds(const Request& request) {
  return request.task.parts *
         algorithm::hexmesh_broadcast_rounds(size_of(request), HexmeshVariant::as_printed);
}

Schedule plan_printed_broadcast(const Request& request) {
  Schedule result =
      algorithm::hexmesh_broadcast(size_of(request), request.task.root, HexmeshVariant::as_printed);
  schedule::Rounds& rounds = result.stages.front().rounds;
  const schedule::Rounds first = rounds;
  for (schedule::PacketId part = 1; part < request.task.parts; ++part) {
    for (std::uint64_t t = 0; t < first.size(); ++t) {
      for (const schedule::Hop& hop : first.round(t)) rounds.add({part, hop.from, hop.port});
      rounds.close_round();
    }
  }
  return result;
}

// The global sum: one block reduced at node 0 and sent to all, each along a tree: of shortest paths, which
// takes n - 1 rounds with all ports, or the broadcast's own, which takes n.

std::optional<std::string> not_all_ports(const Request& request) {
  if (auto misfit = not_a_hexagonal_mesh(request)) return misfit;
  if (request.ports.kind == PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("its first phase receives over all ports at once, and {} is asked for",
                     to_string(request.ports));
}

template <Schedule (*broadcast)(const Request&)>
Schedule plan_reduce_and_broadcast(const Request& request) {
  return concatenate(backwards<Collective::broadcast, broadcast>(request), broadcast(request));
}

std::uint64_t global_sum_rounds(const Request& request) {
  return 2 * std::min(broadcast_rounds(request), layered_broadcast_rounds(request));
}

Schedule plan_global_sum(const Request& request) {
  const bool layered = layered_broadcast_rounds(request) < broadcast_rounds(request);
  return layered ? plan_reduce_and_broadcast<plan_layered_broadcast>(request)
                 : plan_reduce_and_broadcast<plan_broadcast>(request);
}

// The paper's two phases: inwards ring by ring, which needs six receipts at a time, then A2 over one port.

Request over_one_port(Request request) {
  request.ports = PortModel::one();
  return request;
}

std::uint64_t printed_global_sum_rounds(const Request& request) {
  return layered_broadcast_rounds(request) + broadcast_rounds(over_one_port(request));
}

Schedule plan_printed_global_sum(const Request& request) {
  Schedule outwards = plan_broadcast(over_one_port(request));
  outwards.ports = request.ports;
  return concatenate(backwards<Collective::broadcast, plan_layered_broadcast>(request), std::move(outwards));
}

// What the catalogue says.

constexpr std::string_view hexagonal_meshes = "hexmesh:2 to hexmesh:4730";
constexpr std::string_view tree_claim =
    "one: n + 2 + 4 (P - 1) rounds, least for P = 1; half: n + 2 + 5 (P - 1); n = 2: 3P; all: n + P - 1";
constexpr std::string_view printed_claim =
    "(n + 3) P rounds, one part after the other; 13 messages a part tell nothing new";

constexpr Algorithm of_one_block(Algorithm algorithm) {
  algorithm.one_block = true;
  return algorithm;
}

constexpr std::array algorithms{
    Algorithm{"hexmesh-broadcast", Collective::broadcast, hexagonal_meshes, "all, K, one, half",
              "Chen, Shin and Kandlur 1990, algorithm A2, corrected", tree_claim, not_a_hexagonal_mesh,
              broadcast_rounds, plan_broadcast},
    Algorithm{"hexmesh-reduce", Collective::reduce, hexagonal_meshes, "all, K, one, half",
              "hexmesh-broadcast, reversed", tree_claim, not_a_hexagonal_mesh, broadcast_rounds, plan_reduce},
    Algorithm{"hexmesh-broadcast-as-printed", Collective::broadcast, hexagonal_meshes, "one",
              "Chen, Shin and Kandlur 1990, algorithm A2, as printed", printed_claim, not_one_port,
              printed_broadcast_rounds, plan_printed_broadcast},
    of_one_block({"hexmesh-global-sum", Collective::allreduce, hexagonal_meshes, "all, K, one, half",
                  "Chen, Shin and Kandlur 1990, Section IV-C, under one port model",
                  "of one block; all: 2 (n + P - 2) rounds; one: 2n + 4 for P = 1", not_a_hexagonal_mesh,
                  global_sum_rounds, plan_global_sum}),
    of_one_block({"hexmesh-global-sum-as-printed", Collective::allreduce, hexagonal_meshes, "all",
                  "Chen, Shin and Kandlur 1990, Section IV-C and Fig. 12",
                  "of one block; 2n + 1 rounds for P = 1: inwards over all ports, outwards over one",
                  not_all_ports, printed_global_sum_rounds, plan_printed_global_sum}),
};

}  // namespace

std::span<const Algorithm> chen() {
  return algorithms;
}

}  // namespace isotrope::planner
