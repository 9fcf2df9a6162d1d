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

// What a line has to give.
struct Form {
  const char* in_words;
  std::size_t nodes;
  const char* unit;
  std::uint64_t most;  // of the unit, in all
  bool may_omit_last;  // a missing number is 1
};
constexpr std::uint64_t most_blocks = UINT32_MAX, most_bytes = std::uint64_t{1} << 62;
constexpr Form relative_blocks{"a relative destination and its number of blocks, as in the lines above", 1,
                               "blocks", most_blocks, true};
constexpr Form blocks_of_pairs{"source, destination and number of blocks", 2, "blocks", most_blocks, true};
constexpr Form bytes_of_pairs{"source, destination and bytes", 2, "bytes", most_bytes, false};
constexpr Form bytes_of_nodes{"node and bytes", 1, "bytes", most_bytes, false};

using Blocks = std::map<std::pair<Node, Node>, std::uint64_t>;  // or bytes, by source and destination

// The lines of numbers in a file.
class TaskText {
 public:
  TaskText(const std::string& path, const Network& network, std::uint64_t most)
      : path_(path), network_(network), most_(most) {
    require_input(path);
    file_.open(path);
    if (!file_)
      throw Error(fmt::format("{}: cannot open this file: {}", path, std::generic_category().message(errno)));
  }

  // The numbers of the next line with numbers; nothing at the end.
  std::optional<std::vector<std::uint64_t>> next() {
    for (std::string text; std::getline(file_, text);) {
      // Spreadsheets begin text in UTF-8 with the mark for the order of bytes.
      if (++line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
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
    if (const auto value = whole_number(word); value && *value <= most_) return *value;
    fail(fmt::format("'{}' is no number from 0 to {}", word, most_));
  }

  const std::string& path_;
  const Network& network_;
  std::uint64_t most_;  // number
  std::ifstream file_;
  std::uint64_t line_ = 0;
};

// What the lines from `line` on give. Those of one node are of source 0.
Blocks read_blocks(TaskText& text, std::optional<std::vector<std::uint64_t>> line, const Form& form) {
  Blocks result;
  std::uint64_t total = 0;
  const std::size_t nodes = form.nodes, least = form.may_omit_last ? nodes : nodes + 1;
  for (; line; line = text.next()) {
    const std::size_t count = line->size();
    if (count < least || count > nodes + 1) text.fail(fmt::format("give {}", form.in_words));
    const Node from = nodes > 1 ? text.node(line->front()) : 0, to = text.node((*line)[nodes - 1]);
    const std::uint64_t blocks = count > nodes ? line->back() : 1;
    total += blocks;
    if (total > form.most) text.fail(fmt::format("more than {} {} in all", form.most, form.unit));
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

// The file of isotropic:FILE or task:FILE.
std::string file_of_listed_task(const std::string& collective) {
  const std::size_t colon = collective.find(':');
  const std::string name = collective.substr(0, colon);
  if (name != "isotropic" && name != "task") return "";
  if (colon == std::string::npos || colon + 1 == collective.size())
    throw Error(fmt::format("collective {}: give {}:FILE, a file with the packets", collective, name));
  return collective.substr(colon + 1);
}

}  // namespace

schedule::Task named_task(const std::string& collective, const Network& network, std::uint64_t root,
                          std::uint64_t parts) {
  const std::string listed = file_of_listed_task(collective);
  if (listed.empty()) return schedule::parse_task(collective, network, root, parts);
  schedule::Task task =
      schedule::parse_task(collective.substr(0, collective.find(':')), network, root, parts);
  if (task.collective == schedule::Collective::isotropic) {
    task.destinations = read_isotropic_task(listed, network);
  } else {
    task.deliveries = read_task(listed, network);
  }
  return task;
}

std::vector<RelativeDestination> read_isotropic_task(const std::string& path, const Network& network) {
  TaskText text(path, network, most_blocks);
  auto line = text.next();
  const bool in_full = line && line->size() == 3;
  const Blocks blocks = read_blocks(text, std::move(line), in_full ? blocks_of_pairs : relative_blocks);
  if (in_full) require_isotropic(path, network, blocks);
  std::vector<RelativeDestination> result;
  for (const auto& [pair, count] : blocks) {
    if (pair.first == 0) result.push_back({pair.second, static_cast<std::uint32_t>(count)});
  }
  return result;
}

std::vector<Delivery> read_task(const std::string& path, const Network& network) {
  TaskText text(path, network, most_blocks);
  std::vector<Delivery> result;
  for (const auto& [pair, count] : read_blocks(text, text.next(), blocks_of_pairs)) {
    result.push_back({pair.first, pair.second, static_cast<std::uint32_t>(count)});
  }
  return result;
}

std::vector<schedule::SizedBlock> read_exchange_sizes(const std::string& path, const Network& network) {
  TaskText text(path, network, most_bytes);
  std::vector<schedule::SizedBlock> result;
  for (const auto& [pair, bytes] : read_blocks(text, text.next(), bytes_of_pairs)) {
    if (pair.first != pair.second) result.push_back({pair.first, pair.second, bytes});
  }
  return result;
}

std::vector<std::uint64_t> read_block_sizes(const std::string& path, const Network& network) {
  TaskText text(path, network, most_bytes);
  std::vector<std::uint64_t> result(network.order(), 0);
  for (const auto& [pair, bytes] : read_blocks(text, text.next(), bytes_of_nodes))
    result[pair.second] = bytes;
  return result;
}

}  // namespace isotrope::io
