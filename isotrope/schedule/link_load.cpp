// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/link_load.hpp"

#include <algorithm>

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::schedule {
namespace {

// The length of the longest run of equal values. Sorts `links`.
std::uint64_t most_of_one(std::vector<std::uint64_t>& links) {
  std::sort(links.begin(), links.end());
  std::uint64_t most = 0;
  for (auto run = links.begin(); run != links.end();) {
    const auto end = std::upper_bound(run, links.end(), *run);
    most = std::max(most, static_cast<std::uint64_t>(end - run));
    run = end;
  }
  return most;
}

}  // namespace

std::vector<std::uint64_t> link_loads(const network::Network& network, const Schedule& schedule) {
  std::vector<std::uint64_t> loads, links;
  for (const Stage& stage : schedule.stages) {
    const NodeClasses classes(network.group(), stage.replication);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      links.clear();
      for (const Hop& hop : stage.rounds.round(t))
        links.push_back(std::uint64_t{classes.of(hop.from)} * network.degree() + hop.port);
      loads.push_back(most_of_one(links));
    }
  }
  return loads;
}

}  // namespace isotrope::schedule
