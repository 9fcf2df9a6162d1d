// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words that can stand on the command line as the value of an option or as an argument.
#pragma once

#include <string>
#include <vector>

#include "app/command_tree.hpp"

namespace isotrope::app {

struct CompletionWords {
  std::vector<std::string> words;  ///< a word that ends with a colon goes on behind it: "torus:"
  bool files = false;              ///< names of files too
};

CompletionWords words_of(const OptionEntry& option);

CompletionWords words_of(const CommandNode& command, const ArgumentEntry& argument, const CommandTree& tree);

}  // namespace isotrope::app
