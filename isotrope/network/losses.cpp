// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/losses.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/rates.hpp"

namespace isotrope::network {
namespace {

// "link 3-4", "links 3-4,7-8", and of many the first ones.
std::string listed(std::string_view what, const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  if (names.size() > most)
    return fmt::format("{} {}s, {},...", names.size(), what,
                       fmt::join(names.begin(), names.begin() + most, ","));
  return fmt::format("{}{} {}", what, names.size() == 1 ? "" : "s", fmt::join(names, ","));
}

}  // namespace

std::string losses(const Network& network, const Failures& failed) {
  std::vector<std::string> nodes, links;
  for (const Node node : failed.nodes) nodes.push_back(fmt::format("{}", node));
  // One of several links side by side is known by its port alone.
  const std::vector<std::uint32_t> rates = port_rates(network);
  for (const auto [node, port] : failed.links)
    links.push_back(rates[port] > 1 ? fmt::format("{}:{}", node, port)
                                    : fmt::format("{}-{}", node, network.neighbour(node, port)));
  std::string text;
  if (!failed.edges.empty())
    text += fmt::format(" with {} of its {} links", failed.edges.size(), network.directed_links() / 2);
  if (!nodes.empty()) text += fmt::format(" without {}", listed("node", nodes));
  if (!links.empty()) text += fmt::format(" {} {}", nodes.empty() ? "without" : "and", listed("link", links));
  return text;
}

}  // namespace isotrope::network
