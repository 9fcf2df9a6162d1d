// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/command_tree.hpp"

#include <CLI/CLI.hpp>

namespace isotrope::app {
namespace {

bool is_shown(const CLI::Option* option) {
  return !option->get_group().empty();
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

CommandNode node_of(const CLI::App& command) {
  CommandNode node{.name = command.get_name(),
                   .alias = command.get_aliases().empty() ? "" : command.get_aliases().front(),
                   .summary = command.get_description(),
                   .footer = command.get_footer(),
                   .arguments = {},
                   .options = {}};
  for (const CLI::Option* option : command.get_options(is_shown)) {
    const std::string text = option->get_description();
    if (option->nonpositional()) {
      node.options.push_back(
          {names_of(*option), option->get_type_name(), text, option->get_group(), option->get_required()});
    } else {
      node.arguments.push_back({option->get_name(), text, option->get_required()});
    }
  }
  return node;
}

}  // namespace

CommandTree command_tree(const CLI::App& program) {
  CommandTree tree{.summary = program.get_description(), .footer = program.get_footer(), .commands = {}};
  for (const CLI::App* command : program.get_subcommands({})) tree.commands.push_back(node_of(*command));
  return tree;
}

}  // namespace isotrope::app
