// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/layered_broadcast.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace isotrope::planner {

schedule::Schedule plan_layered_broadcast(const Request& request) {
  const algorithm::LayeredTree tree(request.network, request.task.root);
  return algorithm::tree_broadcast(request.network, request.task.root, request.task.parts, request.ports,
                                   algorithm::child_ports(request.network, tree));
}

std::uint64_t layered_broadcast_rounds(const Request& request) {
  const algorithm::LayeredTree tree(request.network, request.task.root);
  return algorithm::tree_broadcast_rounds(request.network, request.task.root, request.task.parts,
                                          request.ports, algorithm::child_ports(request.network, tree));
}

}  // namespace isotrope::planner
