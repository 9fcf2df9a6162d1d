// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalog.hpp"

#include <vector>

#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {

std::span<const Algorithm> catalog() {
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> result;
    for (const auto source : {bertsekas(), ho_johnsson(), chen(), combining(), abelian(), surviving()}) {
      result.insert(result.end(), source.begin(), source.end());
    }
    return result;
  }();
  return all;
}

std::optional<std::string> obstacle(const Algorithm& algorithm, const Request& request) {
  if (!request.failed.empty() && !algorithm.survives)
    return "it needs the whole network, and something has failed";
  if (auto misfit = algorithm.misfit(request)) return misfit;
  if (request.objective == Objective::delay && !algorithm.least_delay)
    return "it looks at completion only, not at delays";
  if (request.order && !algorithm.takes_order) return "it has no root order to choose";
  if (request.merge > 1 && !algorithm.merges) return "it sends single packets and merges none";
  if (request.merge == 1 && algorithm.only_merges)
    return "it merges packets, so give --merge K or --merge all";
  return std::nullopt;
}

}  // namespace isotrope::planner
