// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/lower_bounds.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/prefix_cut.hpp"

namespace isotrope::bound {

std::vector<Bound> bounds_on(const GraphView& view) {
  if (!view.is_connected()) return {};
  if (view.node_count() == 1) return {{"degree", 0, "a single node has nothing to send"}};
  std::vector<Bound> bounds;
  for (const BoundKind& kind : kinds) {
    if (view.unlimited() && !kind.holds_unlimited) continue;
    if (auto bound = kind.bound(view)) bounds.push_back(*std::move(bound));
  }
  std::ranges::stable_sort(bounds, std::greater<>(), &Bound::value);
  return bounds;
}

namespace {

// A message of a scan or exscan that contains the contribution of its first node makes it known as a broadcast does.
std::vector<Bound> prefix_bounds(const Problem& problem) {
  const bool intact = problem.failed.empty();
  const Node first = intact ? 0 : SurvivingNetwork(problem.network, problem.failed).nodes().front();
  Problem broadcast = problem;
  broadcast.task.collective = schedule::Collective::broadcast;
  broadcast.task.root = first;
  const GraphView view(broadcast);
  std::vector<Bound> bounds = bounds_on(view);
  for (Bound& bound : bounds)
    bound.because =
        fmt::format("every node needs the vector of node {}, as in its broadcast: {}", first, bound.because);
  if (bounds.empty() || view.node_count() == 1 || view.unlimited()) return bounds;
  if (auto cut = prefix_cut_bound(problem)) bounds.push_back(*std::move(cut));
  std::ranges::stable_sort(bounds, std::greater<>(), &Bound::value);
  return bounds;
}

}  // namespace

std::vector<Bound> lower_bounds(const Problem& problem) {
  if (schedule::is_prefix(problem.task.collective)) return prefix_bounds(problem);
  return bounds_on(GraphView(problem));
}

}  // namespace isotrope::bound
