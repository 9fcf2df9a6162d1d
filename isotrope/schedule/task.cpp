// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/task.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::schedule {
namespace {

// K and L are held against the number of nodes, not the diameter, which some networks must be searched for.
void parse_neighborhood(std::string_view parameters, const Network& network, Task& task) {
  const std::vector<std::string_view> pieces = split(parameters, ':');
  if (pieces.size() == 2) {
    const auto nearest = whole_number(pieces[0]), farthest = whole_number(pieces[1]);
    if (nearest && farthest && 1 <= *nearest && *nearest <= *farthest && *farthest < network.order()) {
      task.nearest = static_cast<std::uint32_t>(*nearest);
      task.farthest = static_cast<std::uint32_t>(*farthest);
      return;
    }
  }
  throw Error(fmt::format("neighborhood:{}: give neighborhood:K:L with 1 <= K <= L < {}, the nodes of {}",
                          parameters, network.order(), network.name()));
}

}  // namespace

std::string to_string(const Task& task) {
  if (task.collective == Collective::neighborhood)
    return fmt::format("neighborhood:{}:{}", task.nearest, task.farthest);
  return std::string(traits_of(task.collective).name);
}

Task parse_task(std::string_view collective, const Network& network, std::uint64_t root,
                std::uint64_t parts) {
  const std::size_t colon = collective.find(':');
  Task task;
  task.collective = parse_collective(collective.substr(0, colon));
  if (task.collective == Collective::neighborhood) {
    parse_neighborhood(colon == std::string_view::npos ? "" : collective.substr(colon + 1), network, task);
  } else if (colon != std::string_view::npos) {
    throw Error(fmt::format("collective '{}': only neighborhood:K:L takes parameters", collective));
  }
  if (root >= network.order())
    throw Error(fmt::format("root {} is outside {}, whose nodes are 0..{}", root, network.name(),
                            network.order() - 1));
  if (root != 0 && !is_rooted(task.collective))
    throw Error(fmt::format("root {} for {}: only broadcast, scatter, gather and reduce have a root", root,
                            to_string(task)));
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 32;
  const std::uint64_t most_parts = (most_packets - 1) / network.order();
  if (parts == 0 || parts > most_parts)
    throw Error(fmt::format("{} parts on {}: give 1 to {} (nodes times parts must stay below 2^32)", parts,
                            network.name(), most_parts));
  task.root = static_cast<Node>(root);
  task.parts = static_cast<std::uint32_t>(parts);
  return task;
}

}  // namespace isotrope::schedule
