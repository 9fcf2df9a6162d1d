// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope map: proposes a rank map of a Cartesian program on a network, beside the map in order and one that is given.
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/graph/embedding.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/rank_map_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

using graph::Dilation;
using graph::GridAxis;
using network::RankMap;

[[noreturn]] void refuse_grid(const std::string& text) {
  throw Error(
      fmt::format("--grid {}: give the extents of a Cartesian grid, 1 or more each, as in --grid 8x4x2",
                  in_quotes(text)));
}

// "8x4x2", all axes periodic.
std::vector<GridAxis> parsed_grid(const std::string& text) {
  std::vector<GridAxis> grid;
  for (const std::string_view piece : split(text, 'x')) {
    const auto extent = whole_number(piece);
    if (!extent || *extent == 0 || *extent > network::largest_order) refuse_grid(text);
    grid.push_back({static_cast<network::Coordinate>(*extent), true});
  }
  return grid;
}

// "0,2" or "all".
void open_axes(const std::string& text, std::vector<GridAxis>& grid) {
  if (text == "all") {
    for (GridAxis& axis : grid) axis.is_periodic = false;
    return;
  }
  for (const std::string_view piece : split(text, ',')) {
    const auto axis = whole_number(piece);
    if (!axis || *axis >= grid.size())
      throw Error(fmt::format("--open {}: give axes of the grid, 0..{}, as in --open 0, or all",
                              in_quotes(text), grid.size() - 1));
    grid[*axis].is_periodic = false;
  }
}

std::vector<GridAxis> chosen_grid(const MapOptions& options) {
  std::vector<GridAxis> grid = parsed_grid(options.grid);
  if (!options.open.empty()) open_axes(options.open, grid);
  return grid;
}

std::string in_words(const Dilation& dilation) {
  return fmt::format("dilation {}, mean distance {:.3f}", dilation.largest, dilation.mean());
}

Json facts_of(const Dilation& dilation) {
  return {{"dilation", dilation.largest}, {"mean_distance", dilation.mean()}};
}

std::string proposal_in_words(const graph::Embedding& proposed) {
  const std::string text = line("proposed", fmt::format("{}, {}", in_words(proposed.dilation), proposed.way));
  return text + (proposed.why_least.empty() ? "" : line("", "least possible: " + proposed.why_least));
}

}  // namespace

int map_command(const MapOptions& options) {
  const network::NamedNetwork machine = chosen_named_network(options);
  const network::Network& network = machine.network;
  const graph::GridEmbedding embedding(chosen_grid(options), machine);
  std::optional<Dilation> given;
  if (!options.ranks.empty()) given = embedding.dilation_of(io::read_rank_map(options.ranks, network));
  const Dilation in_order = embedding.dilation_of(RankMap());
  const graph::Embedding proposed = embedding.propose();
  if (!options.output.empty()) {
    io::write_atomically(options.output,
                         [&](std::ostream& out) { out << io::rank_map_text(proposed.ranks, network); });
  }
  if (options.json) {
    Json facts = {{"network", network.name()}, {"grid", embedding.program().name()}};
    facts["in_order"] = facts_of(in_order);
    if (given) facts["given"] = facts_of(*given);
    facts["proposed"] = facts_of(proposed.dilation);
    facts["proposed"]["way"] = proposed.way;
    if (!proposed.why_least.empty()) facts["proposed"]["why_least"] = proposed.why_least;
    std::vector<network::Node> nodes;
    for (network::Rank rank = 0; rank < network.order(); ++rank)
      nodes.push_back(proposed.ranks.node_of(rank));
    facts["nodes"] = nodes;
    print(answer("map", facts));
    return 0;
  }
  print(fmt::format("{} of {} on {}\n", embedding.program().name(), counted(network.order(), "rank"),
                    network.name()) +
        line("in order", in_words(in_order)) +
        (given ? line("given", fmt::format("{}, {}", in_words(*given), options.ranks)) : "") +
        proposal_in_words(proposed) + (options.output.empty() ? "" : line("written to", options.output)));
  return 0;
}

}  // namespace isotrope::app
