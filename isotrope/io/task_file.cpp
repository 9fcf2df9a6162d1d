// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/task_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/input_file.hpp"

namespace isotrope::io {
namespace {

using network::Network;
using network::Node;
using schedule::Delivery;
using schedule::RelativeDestination;

constexpr std::uint64_t most_blocks = UINT32_MAX;

using Blocks = std::map<std::pair<Node, Node>, std::uint64_t>;  // by source and destination

// The lines of numbers in a file.
class TaskText {
 public:
  TaskText(const std::string& path, const Network& network) : path_(path), network_(network) {
    require_input(path);
    file_.open(path);
    if (!file_)
      throw Error(fmt::format("{}: cannot open this file: {}", path, std::generic_category().message(errno)));
  }

  // The numbers of the next line with numbers; nothing at the end.
  std::optional<std::vector<std::uint64_t>> next() {
    for (std::string text; std::getline(file_, text);) {
      ++line_;
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
      std::vector<std::uint64_t> numbers;
      for (const std::string_view word : split(std::string_view(text).substr(0, text.find('#')), ' ')) {
        if (!word.empty()) numbers.push_back(number(word));
      }
      if (!numbers.empty()) return numbers;
    }
    if (file_.bad()) throw Error(fmt::format("{}: cannot be read to its end", path_));
    return std::nullopt;
  }

  Node node(std::uint64_t number) const {
    if (number < network_.order()) return static_cast<Node>(number);
    fail(fmt::format("node {} is outside {}, whose nodes are 0..{}", number, network_.name(),
                     network_.order() - 1));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_, line_, what));
  }

 private:
  std::uint64_t number(std::string_view word) const {
    if (const auto value = whole_number(word); value && *value <= most_blocks) return *value;
    fail(fmt::format("'{}' is no number from 0 to {}", word, most_blocks));
  }

  const std::string& path_;
  const Network& network_;
  std::ifstream file_;
  std::uint64_t line_ = 0;
};

// The blocks of the lines from `line` on: source, destination and blocks if `in_full`, else relative destination and
// blocks, which are those of source 0. The number of blocks may be left out.
Blocks read_blocks(TaskText& text, std::optional<std::vector<std::uint64_t>> line, bool in_full) {
  Blocks result;
  std::uint64_t total = 0;
  const std::size_t nodes = in_full ? 2 : 1;
  for (; line; line = text.next()) {
    const std::size_t count = line->size();
    if (count < nodes || count > nodes + 1) {
      text.fail(in_full ? "give source, destination and number of blocks"
                        : "give a relative destination and its number of blocks, as in the lines above");
    }
    const Node from = in_full ? text.node(line->front()) : 0, to = text.node((*line)[nodes - 1]);
    const std::uint64_t blocks = count > nodes ? line->back() : 1;
    total += blocks;
    if (total > most_blocks) text.fail(fmt::format("more than {} blocks in all", most_blocks));
    if (blocks > 0) result[{from, to}] += blocks;
  }
  return result;
}

std::uint64_t blocks_between(const Blocks& blocks, Node from, Node to) {
  const auto found = blocks.find({from, to});
  return found == blocks.end() ? 0 : found->second;
}

// Every node must send, by relative address, the same as node 0.
void require_isotropic(const std::string& path, const Network& network, const Blocks& blocks) {
  const auto differ = [&](Node from, Node relative) {
    const Node to = network.group().add(from, relative);
    const std::uint64_t here = blocks_between(blocks, from, to), there = blocks_between(blocks, 0, relative);
    if (here == there) return;
    throw Error(
        fmt::format("{}: not isotropic: {} blocks from 0 to {}, but {} from {} to {}, which is the same "
                    "in relative addresses; as it is, it can be planned as task:{}",
                    path, there, relative, here, from, to, path));
  };
  for (const auto& [pair, count] : blocks)
    differ(pair.first, network.group().subtract(pair.second, pair.first));
  for (const auto& [pair, count] : blocks) {
    if (pair.first != 0) break;  // sorted by source
    for (Node from = 1; from < network.order(); ++from) differ(from, pair.second);
  }
}

}  // namespace

std::vector<RelativeDestination> read_isotropic_task(const std::string& path, const Network& network) {
  TaskText text(path, network);
  auto line = text.next();
  const bool in_full = line && line->size() == 3;
  const Blocks blocks = read_blocks(text, std::move(line), in_full);
  if (in_full) require_isotropic(path, network, blocks);
  std::vector<RelativeDestination> result;
  for (const auto& [pair, count] : blocks) {
    if (pair.first == 0) result.push_back({pair.second, static_cast<std::uint32_t>(count)});
  }
  return result;
}

std::vector<Delivery> read_task(const std::string& path, const Network& network) {
  TaskText text(path, network);
  std::vector<Delivery> result;
  for (const auto& [pair, count] : read_blocks(text, text.next(), true)) {
    result.push_back({pair.first, pair.second, static_cast<std::uint32_t>(count)});
  }
  return result;
}

}  // namespace isotrope::io
