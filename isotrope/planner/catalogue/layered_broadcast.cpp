// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/layered_broadcast.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace isotrope::planner {

schedule::Schedule plan_layered_broadcast(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   algorithm::child_ports(problem.network, tree));
}

std::uint64_t layered_broadcast_rounds(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast_rounds(problem.network, problem.task.root, problem.task.parts,
                                          problem.ports, algorithm::child_ports(problem.network, tree));
}

}  // namespace isotrope::planner
