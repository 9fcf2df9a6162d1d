// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/completion_words.hpp"

#include <array>
#include <set>
#include <string_view>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/tpu_slices.hpp"

#include "isotrope/algorithm/trees/root_order.hpp"
#include "isotrope/local/reduction.hpp"
#include "isotrope/simulate/routing_policy.hpp"

#include "isotrope/planner/catalog.hpp"

#include "app/commands.hpp"
#include "isotrope/reproduce/exhibits.hpp"

namespace isotrope::app {
namespace {

using Words = std::vector<std::string>;

Words networks() {
  Words words;
  for (const std::string_view family : network::family_names()) words.push_back(std::string(family) + ":");
  for (const network::TpuSlice& slice : network::tpu_slices()) words.push_back("tpu:" + slice.name);
  return words;
}

Words collectives() {
  using enum schedule::Collective;
  Words words;
  for (const schedule::CollectiveTraits& traits : schedule::all_collectives()) {
    const bool has_parameters =
        traits.collective == neighborhood || traits.collective == isotropic || traits.collective == task;
    words.push_back(std::string(traits.name) + (has_parameters ? ":" : ""));
  }
  return words;
}

// Algorithms of several collectives may share a name.
Words algorithms() {
  std::set<std::string> names;
  for (const planner::Algorithm* algorithm : planner::catalog()) names.insert(algorithm->traits().name);
  return {names.begin(), names.end()};
}

Words root_orders() {
  using enum algorithm::RootOrder::Sequence;
  Words words;
  for (const bool by_turns : {false, true}) {
    for (const auto sequence : {descending, reverse_breadth_first, postorder, preorder})
      words.push_back(to_string(algorithm::RootOrder{sequence, by_turns}));
  }
  return words;
}

Words policies() {
  using enum simulate::RoutingPolicy::Order;
  Words words;
  for (const bool symmetric : {false, true}) {
    for (const auto order : {random, oldest, nearest, farthest, largest_residual})
      words.push_back(to_string(simulate::RoutingPolicy{order, symmetric}));
  }
  return words;
}

Words types() {
  using enum local::Type;
  Words words{"byte"};
  for (const auto type : {int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64})
    words.emplace_back(local::name_of(type));
  return words;
}

Words operations() {
  using enum local::Operation;
  Words words;
  for (const auto operation : {max, min, sum, prod, land, band, lor, bor, lxor, bxor})
    words.emplace_back(local::name_of(operation));
  return words;
}

Words export_names() {
  const std::vector<std::string_view> names = export_formats();
  return {names.begin(), names.end()};
}

Words exhibit_names() {
  Words words;
  for (const reproduce::Exhibit& exhibit : reproduce::exhibits()) words.emplace_back(exhibit.name);
  return words;
}

Words command_names(const CommandTree& tree) {
  Words words;
  for (const CommandNode& command : tree.commands) words.push_back(command.name);
  return words;
}

// The options of which words are known, by their last names.
struct KnownOption {
  std::string_view name;
  Words (*words)();
};

constexpr std::array known_options{
    KnownOption{"--network", networks},
    KnownOption{"--collective", collectives},
    KnownOption{"--algorithm", algorithms},
    KnownOption{"--algorithms", algorithms},
    KnownOption{"--order", root_orders},
    KnownOption{"--policy", policies},
    KnownOption{"--type", types},
    KnownOption{"--op", operations},
    KnownOption{"--format", export_names},
    KnownOption{"--ports",
                [] {
                  return Words{"all", "one", "half"};
                }},
    KnownOption{"--objective",
                [] {
                  return Words{"completion", "delay", "no-wait"};
                }},
    KnownOption{"--backend",
                [] {
                  return Words{"threads", "mpi"};
                }},
};

}  // namespace

CompletionWords words_of(const OptionEntry& option) {
  for (const KnownOption& known : known_options) {
    if (known.name == option.names.back()) return {known.words(), known.name == "--network"};
  }
  return {{}, option.value == "FILE" || option.value == "FOLDER"};
}

CompletionWords words_of(const CommandNode& command, const ArgumentEntry& argument, const CommandTree& tree) {
  if (command.name == "reproduce") return {exhibit_names(), false};
  if (argument.name == "SHELL") return {{"bash", "zsh", "fish"}, false};
  if (argument.name == "COMMAND") return {command_names(tree), false};
  if (argument.name == "check") return {{"check"}, false};
  if (argument.name == "FILE") return {{}, true};
  if (argument.name == "NAME" || argument.name == "NETWORK" || argument.name == "PLAN")
    return {networks(), true};
  return {};
}

}  // namespace isotrope::app
