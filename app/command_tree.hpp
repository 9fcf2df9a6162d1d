// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line takes, as data: the parser's commands, arguments and options in the words of the help. Manual
// pages and completion are written from it, so neither can differ from what the program takes.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace isotrope::app {

struct OptionEntry {
  std::vector<std::string> names;  ///< "-o", "--output"
  std::string value;               ///< what follows the name, such as "FILE"; empty for a flag
  std::string text;
  std::string group;
  bool required = false;
};

struct ArgumentEntry {
  std::string name;
  std::string text;
  bool required = false;
};

struct CommandNode {
  std::string name;
  std::string alias;  ///< a second name, or empty
  std::string summary;
  std::string footer;
  std::vector<ArgumentEntry> arguments;
  std::vector<OptionEntry> options;  ///< in the order of the help
};

struct CommandTree {
  std::string summary;
  std::string footer;
  std::vector<CommandNode> commands;
};

/// Everything but what the help hides.
CommandTree command_tree(const CLI::App& program);

}  // namespace isotrope::app
