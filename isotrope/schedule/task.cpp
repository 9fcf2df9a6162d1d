// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/task.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::schedule {
namespace {

struct Name {
  std::string_view name;
  Collective collective;
};

// The first name of a collective is the one printed.
constexpr std::array names{
    Name{"broadcast", Collective::broadcast},
    Name{"scatter", Collective::scatter},
    Name{"gather", Collective::gather},
    Name{"reduce", Collective::reduce},
    Name{"allgather", Collective::allgather},
    Name{"alltoall", Collective::alltoall},
    Name{"reduce-scatter", Collective::reduce_scatter},
    Name{"allreduce", Collective::allreduce},
    Name{"barrier", Collective::barrier},
    Name{"neighborhood", Collective::neighborhood},
    Name{"isotropic", Collective::isotropic},
    Name{"task", Collective::task},
    Name{"single-node-broadcast", Collective::broadcast},
    Name{"single-node-scatter", Collective::scatter},
    Name{"personalized", Collective::scatter},
    Name{"multinode-broadcast", Collective::allgather},
    Name{"total-exchange", Collective::alltoall},
    Name{"global-sum", Collective::allreduce},
};

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

bool is_rooted(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::scatter ||
         collective == Collective::gather || collective == Collective::reduce;
}

bool combines(Collective collective) {
  return collective == Collective::reduce || collective == Collective::reduce_scatter ||
         collective == Collective::allreduce || collective == Collective::barrier;
}

std::string to_string(const Task& task) {
  if (task.collective == Collective::neighborhood) {
    return fmt::format("neighborhood:{}:{}", task.nearest, task.farthest);
  }
  const auto entry = std::find_if(names.begin(), names.end(),
                                  [&](const Name& name) { return name.collective == task.collective; });
  return std::string(entry->name);
}

Collective parse_collective(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Name& entry : names) {
    if (entry.name == name) return entry.collective;
    known.push_back(entry.name);
  }
  throw Error(fmt::format("unknown collective '{}': {}", name, name_hint(name, known)));
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
  if (root >= network.order()) {
    throw Error(fmt::format("root {} is outside {}, whose nodes are 0..{}", root, network.name(),
                            network.order() - 1));
  }
  if (root != 0 && !is_rooted(task.collective)) {
    throw Error(fmt::format("root {} for {}: only broadcast, scatter, gather and reduce have a root", root,
                            to_string(task)));
  }
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 32;
  const std::uint64_t most_parts = (most_packets - 1) / network.order();
  if (parts == 0 || parts > most_parts) {
    throw Error(fmt::format("{} parts on {}: give 1 to {} (nodes times parts must stay below 2^32)", parts,
                            network.name(), most_parts));
  }
  task.root = static_cast<Node>(root);
  task.parts = static_cast<std::uint32_t>(parts);
  return task;
}

}  // namespace isotrope::schedule
