// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/rank_map_file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/nodes_left.hpp"

#include "isotrope/io/text_file.hpp"

namespace isotrope::io {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::RankMap;

// The line without its comment and without blanks around it.
std::string_view content_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  line = line.substr(0, line.find('#'));
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

// "1,0,3", "1 0 3", "(1, 0, 3)" and "[1,0,3]" in numbers; nothing if the text is none of these.
std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view text) {
  const bool is_enclosed = (text.front() == '(' && text.back() == ')') ||  //
                           (text.front() == '[' && text.back() == ']');
  if (is_enclosed) text = content_of(text.substr(1, text.size() - 2));
  std::vector<std::uint64_t> result;
  for (const std::string_view piece : split(text, ',')) {
    const std::string_view between = content_of(piece);
    if (between.empty()) return std::nullopt;
    std::string words(between);
    std::ranges::replace(words, '\t', ' ');
    for (const std::string_view word : split(words, ' ')) {
      if (word.empty()) continue;
      const auto value = whole_number(word);
      if (!value) return std::nullopt;
      result.push_back(*value);
    }
  }
  return result;
}

std::optional<Node> node_in(std::string_view text, const Network& network) {
  const auto numbers = numbers_in(text);
  if (!numbers) return std::nullopt;
  const auto moduli = network.group().moduli();
  if (numbers->size() == 1 && numbers->front() < network.order()) return static_cast<Node>(numbers->front());
  if (numbers->size() != moduli.size()) return std::nullopt;
  std::vector<Coordinate> coordinates;
  for (std::size_t axis = 0; axis < moduli.size(); ++axis) {
    if ((*numbers)[axis] >= moduli[axis]) return std::nullopt;
    coordinates.push_back(static_cast<Coordinate>((*numbers)[axis]));
  }
  return network.group().number(coordinates);
}

// The nodes of a network, for a message.
std::string nodes_in_words(const Network& network) {
  const Node last = network.order() - 1;
  if (network.group().rank() < 2) return fmt::format("a number 0..{}", last);
  return fmt::format("a number 0..{} or coordinates ({})..({})", last,
                     fmt::join(network.group().coordinates(0), ","),
                     fmt::join(network.group().coordinates(last), ","));
}

// How many ranks a node has, for a message.
std::string ranks_in_words(std::uint32_t ranks_per_node) {
  return ranks_per_node == 1 ? "one rank" : fmt::format("{} ranks", ranks_per_node);
}

std::string places_in_words(std::size_t count, std::uint32_t ranks_per_node) {
  const std::string nodes = fmt::format("the {} nodes", count);
  return ranks_per_node == 1 ? nodes : fmt::format("{} ranks in each of {}", ranks_per_node, nodes);
}

// A node with the line that gives it to a rank.
struct Given {
  Node node;
  std::uint64_t line;
};

}  // namespace

RankMap parse_rank_map(const std::string& name, const std::string& text, const Network& network,
                       std::uint32_t ranks_per_node, std::span<const Node> failed) {
  const auto fail = [&](std::uint64_t line, const std::string& what) -> void {
    throw Error(fmt::format("{}:{}: {}", excerpt(name), line, what));
  };
  std::vector<Given> given;
  std::vector<std::size_t> rank_after(network.order(),
                                      0);  // by node: 1 more than its last rank, 0 if it has none
  std::vector<std::uint32_t> taken(network.order(), 0);  // by node
  std::vector<bool> has_failed(network.order(), false);
  for (const Node node : failed) has_failed[node] = true;
  std::uint64_t line = 0;
  for (const std::string_view whole : split(text, '\n')) {
    ++line;
    const std::string_view content = content_of(whole);
    if (content.empty()) continue;
    const auto node = node_in(content, network);
    if (!node)
      fail(line, fmt::format("{} is no node of {}: give {}", in_quotes(content), excerpt(network.name()),
                             nodes_in_words(network)));
    if (has_failed[*node]) fail(line, fmt::format("node {} has failed: give nodes that are left", *node));
    if (taken[*node] == ranks_per_node) {
      const std::size_t other = rank_after[*node];
      fail(line, fmt::format("node {} is rank {} already, by line {}: give every node to {}", *node,
                             other - 1, given[other - 1].line, ranks_in_words(ranks_per_node)));
    }
    given.push_back({*node, line});
    rank_after[*node] = given.size();
    ++taken[*node];
  }
  const std::size_t left = network.order() - failed.size();
  const std::uint64_t wanted = std::uint64_t{left} * ranks_per_node;
  if (given.size() < wanted)
    throw Error(fmt::format("{}: {} lines for {} of {}: give a line for every rank", excerpt(name),
                            given.size(), places_in_words(left, ranks_per_node), excerpt(network.name())));
  std::vector<Node> nodes;
  std::ranges::transform(given, std::back_inserter(nodes), &Given::node);
  return network::places_of_ranks(network::numbers_left(nodes, failed), ranks_per_node);
}

RankMap read_rank_map(const std::string& file, const Network& network) {
  return parse_rank_map(file, read_text(file), network);
}

std::string rank_map_text(const RankMap& map, const Network& network) {
  std::string text;
  for (network::Rank rank = 0; rank < network.order(); ++rank) {
    text += fmt::format("{}\n", fmt::join(network.group().coordinates(map.node_of(rank)), ","));
  }
  return text;
}

}  // namespace isotrope::io
