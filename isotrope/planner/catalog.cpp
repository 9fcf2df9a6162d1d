// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalog.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/balanced_scatter.hpp"
#include "isotrope/algorithm/binomial_scatter.hpp"
#include "isotrope/algorithm/hamiltonian_path.hpp"
#include "isotrope/algorithm/msbt_broadcast.hpp"
#include "isotrope/algorithm/multinode_broadcast.hpp"
#include "isotrope/algorithm/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/total_exchange.hpp"
#include "isotrope/algorithm/tree_broadcast.hpp"
#include "isotrope/algorithm/two_rooted_tree.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::Schedule;

using schedule::PortModel;

constexpr std::string_view hypercubes = "hypercube:1 to hypercube:26";

// A network is a hypercube by its ports, whatever its name: those of torus:2x2x2 come in another order.
bool is_hypercube(const Network& network) {
  if (std::uint64_t{network.order()} != std::uint64_t{1} << network.degree()) return false;
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(0, port) != schedule::Node{1} << port || network.opposite(port) != port)
      return false;
  }
  return network.degree() > 0;
}

std::optional<std::string> not_a_hypercube(const Request& request) {
  if (is_hypercube(request.network)) return std::nullopt;
  return fmt::format("it needs a hypercube, not {}", request.network.name());
}

std::optional<std::string> not_all_ports(const Request& request) {
  if (auto obstacle = not_a_hypercube(request)) return obstacle;
  if (request.ports.kind == PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(request.ports));
}

std::optional<std::string> not_one_port(const Request& request) {
  if (auto obstacle = not_a_hypercube(request)) return obstacle;
  if (request.ports.kind == PortModel::Kind::one_port || request.ports.half_duplex()) return std::nullopt;
  return fmt::format("it uses one port at a time, and {} is asked for", to_string(request.ports));
}

std::optional<std::string> some_ports(const Request& request) {
  if (auto obstacle = not_a_hypercube(request)) return obstacle;
  if (request.ports.kind != PortModel::Kind::k_port) return std::nullopt;
  return fmt::format("it uses all ports or one, and {} is asked for", to_string(request.ports));
}

std::uint64_t one_by_one_rounds(const Request& request) {
  return std::uint64_t{request.network.order() - 1} * request.task.parts;
}

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

template <bool capped>
std::uint64_t msbt_rounds(const Request& request) {
  return algorithm::msbt_broadcast_rounds(request.network.degree(), request.task.parts, request.ports,
                                          capped);
}

// The children of one of the hypercube's trees, as ports.
template <class Tree>
algorithm::ChildPorts child_ports(const Request& request) {
  return [tree = Tree(request.network.degree()), root = request.task.root](schedule::Node node) {
    std::vector<schedule::Port> ports;
    for (schedule::Node child : tree.children(node, root)) {
      ports.push_back(static_cast<schedule::Port>(std::countr_zero(node ^ child)));
    }
    return ports;
  };
}

template <class Tree>
std::uint64_t tree_rounds(const Request& request) {
  return algorithm::tree_broadcast_rounds(request.network, request.task.root, request.task.parts,
                                          request.ports, child_ports<Tree>(request));
}

template <class Tree>
Schedule plan_tree_broadcast(const Request& request) {
  return algorithm::tree_broadcast(request.network, request.task.root, request.task.parts, request.ports,
                                   child_ports<Tree>(request));
}

Schedule plan_msbt_broadcast(const Request& request) {
  return algorithm::msbt_broadcast(request.network.degree(), request.task.root, request.task.parts,
                                   request.ports);
}

Schedule plan_capped_msbt_broadcast(const Request& request) {
  return algorithm::capped_msbt_broadcast(request.network.degree(), request.task.root, request.task.parts,
                                          request.ports);
}

Schedule plan_multinode_broadcast(const Request& request) {
  return algorithm::multinode_broadcast(request.network.degree(), request.task.parts);
}

Schedule plan_balanced_scatter(const Request& request) {
  return algorithm::balanced_scatter(request.network.degree(), request.task.root, request.task.parts);
}

Schedule plan_binomial_scatter(const Request& request) {
  return algorithm::binomial_scatter(request.network.degree(), request.task.root, request.task.parts,
                                     request.ports);
}

Schedule plan_total_exchange(const Request& request) {
  return algorithm::total_exchange(request.network.degree(), request.task.parts);
}

// The reverse of the schedule that `forward` makes for `collective`.
template <Collective collective, Schedule (*forward)(const Request&)>
Schedule backwards(const Request& request) {
  Request other = request;
  other.task.collective = collective;
  return reverse(other.network, other.task, forward(other)).schedule;
}

constexpr auto plan_multinode_reduction = backwards<Collective::allgather, plan_multinode_broadcast>;

Schedule plan_reduction_and_broadcast(const Request& request) {
  return concatenate(plan_multinode_reduction(request), plan_multinode_broadcast(request));
}

template <Schedule (*broadcast)(const Request&)>
constexpr auto plan_reduce = backwards<Collective::broadcast, broadcast>;

using algorithm::HamiltonianPath;
using algorithm::SpanningBinomialTree;
using algorithm::TwoRootedTree;

constexpr std::string_view all_ports = "all";
constexpr std::string_view one_port = "one, half";
constexpr std::string_view all_or_one = "all, one, half";
constexpr std::string_view any_ports = "all, K, one, half";

constexpr std::string_view trees_of_ho_and_johnsson = "Ho and Johnsson 1986, Section 3.4";
constexpr std::string_view balanced_claim =
    "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least";
constexpr std::string_view one_by_one_claim = "(2^d - 1) P rounds, d 2^(d-1) P transmissions: both least";
constexpr std::string_view multinode_claim =
    "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least";
constexpr std::string_view capped_claim = "one: P + d - 1 rounds, the least; half: 2P + d - 2";
constexpr std::string_view msbt_claim =
    "all: ceil(P / d) + d rounds, one more than the bound; one: P + d; half: 2P + d - 1";
constexpr std::string_view binomial_claim = "all: P + d - 1 rounds; one, half: d P; least for P = 1";
constexpr std::string_view two_rooted_claim = "all: P + d - 1 rounds; one: 2 (P + d - 2); half: 3P + 2d - 5";
constexpr std::string_view path_claim = "all, one: P + 2^d - 2 rounds; half: 2P + 2^d - 3";

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
    Algorithm{"binomial-tree-scatter", Collective::scatter, hypercubes, one_port,
              "Ho and Johnsson 1986, Section 4.2.1", one_by_one_claim, not_one_port, one_by_one_rounds,
              plan_binomial_scatter},
    Algorithm{"binomial-tree-gather", Collective::gather, hypercubes, one_port,
              "binomial-tree-scatter, reversed", one_by_one_claim, not_one_port, one_by_one_rounds,
              backwards<Collective::scatter, plan_binomial_scatter>},
    Algorithm{"multinode-reduction", Collective::reduce_scatter, hypercubes, all_ports,
              "multinode-broadcast, reversed", multinode_claim, not_all_ports, balanced_rounds,
              plan_multinode_reduction},
    Algorithm{"reduction-and-broadcast", Collective::allreduce, hypercubes, all_ports,
              "multinode-reduction, then multinode-broadcast",
              "2 ceil((2^d - 1) P / d) rounds; each stage in its least", not_all_ports, twice_balanced_rounds,
              plan_reduction_and_broadcast},
    Algorithm{"binomial-tree-broadcast", Collective::broadcast, hypercubes, any_ports,
              "Ho and Johnsson 1986, Section 3.1", binomial_claim, not_a_hypercube,
              tree_rounds<SpanningBinomialTree>, plan_tree_broadcast<SpanningBinomialTree>},
    Algorithm{"capped-msbt-broadcast", Collective::broadcast, hypercubes, one_port,
              "Ho and Johnsson 1986, Section 3.3.2, one round better", capped_claim, not_one_port,
              msbt_rounds<true>, plan_capped_msbt_broadcast},
    Algorithm{"msbt-broadcast", Collective::broadcast, hypercubes, all_or_one,
              "Ho and Johnsson 1986, Section 3.3.2", msbt_claim, some_ports, msbt_rounds<false>,
              plan_msbt_broadcast},
    Algorithm{"two-rooted-tree-broadcast", Collective::broadcast, hypercubes, any_ports,
              trees_of_ho_and_johnsson, two_rooted_claim, not_a_hypercube, tree_rounds<TwoRootedTree>,
              plan_tree_broadcast<TwoRootedTree>},
    Algorithm{"hamiltonian-path-broadcast", Collective::broadcast, hypercubes, any_ports,
              trees_of_ho_and_johnsson, path_claim, not_a_hypercube, tree_rounds<HamiltonianPath>,
              plan_tree_broadcast<HamiltonianPath>},
    Algorithm{"binomial-tree-reduce", Collective::reduce, hypercubes, any_ports,
              "binomial-tree-broadcast, reversed", binomial_claim, not_a_hypercube,
              tree_rounds<SpanningBinomialTree>, plan_reduce<plan_tree_broadcast<SpanningBinomialTree>>},
    Algorithm{"capped-msbt-reduce", Collective::reduce, hypercubes, one_port,
              "capped-msbt-broadcast, reversed", capped_claim, not_one_port, msbt_rounds<true>,
              plan_reduce<plan_capped_msbt_broadcast>},
    Algorithm{"msbt-reduce", Collective::reduce, hypercubes, all_or_one, "msbt-broadcast, reversed",
              msbt_claim, some_ports, msbt_rounds<false>, plan_reduce<plan_msbt_broadcast>},
    Algorithm{"two-rooted-tree-reduce", Collective::reduce, hypercubes, any_ports,
              "two-rooted-tree-broadcast, reversed", two_rooted_claim, not_a_hypercube,
              tree_rounds<TwoRootedTree>, plan_reduce<plan_tree_broadcast<TwoRootedTree>>},
    Algorithm{"hamiltonian-path-reduce", Collective::reduce, hypercubes, any_ports,
              "hamiltonian-path-broadcast, reversed", path_claim, not_a_hypercube,
              tree_rounds<HamiltonianPath>, plan_reduce<plan_tree_broadcast<HamiltonianPath>>},
};

}  // namespace

std::span<const Algorithm> catalog() {
  return algorithms;
}

}  // namespace isotrope::planner
