// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope completion: a script for the completion of bash, zsh or fish. The shell completes the command, then options,
// and words or files as values.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "app/command_tree.hpp"
#include "app/commands.hpp"
#include "app/completion_words.hpp"
#include "app/output.hpp"

namespace isotrope::app {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// As one word of a shell.
std::string quoted(const std::string& text) {
  return fmt::format("'{}'", replaced(text, "'", R"('\'')"));
}

// Descriptions are a line in every shell.
std::string one_line(const std::string& text) {
  return replaced(text, "\n", " ");
}

// What can stand for the arguments of a command, whichever comes next.
CompletionWords argument_words(const CommandNode& command, const CommandTree& tree) {
  CompletionWords result;
  for (const ArgumentEntry& argument : command.arguments) {
    const auto [words, files] = words_of(command, argument, tree);
    result.words.insert(result.words.end(), words.begin(), words.end());
    result.files = result.files || files;
  }
  return result;
}

// Options with values, each once: an option of two commands takes the same values.
std::vector<OptionEntry> options_with_values(const CommandTree& tree) {
  std::vector<OptionEntry> result;
  for (const CommandNode& command : tree.commands) {
    for (const OptionEntry& option : command.options) {
      const bool is_new = std::ranges::find(result, option.names, &OptionEntry::names) == result.end();
      if (!option.value.empty() && is_new) result.push_back(option);
    }
  }
  return result;
}

std::vector<std::string> names_of_commands(const CommandTree& tree) {
  std::vector<std::string> names{"help", "version", "--help", "--version"};
  for (const CommandNode& command : tree.commands) {
    names.push_back(command.name);
    if (!command.alias.empty()) names.push_back(command.alias);
  }
  return names;
}

std::string pattern_of(const CommandNode& command) {
  return command.name + (command.alias.empty() ? "" : "|" + command.alias);
}

// bash

std::string bash_words(const CompletionWords& words) {
  return fmt::format("words={}{}", quoted(fmt::format("{}", fmt::join(words.words, " "))),
                     words.files ? " files=yes" : "");
}

std::string bash_values(const CommandTree& tree) {
  std::string text;
  for (const OptionEntry& option : options_with_values(tree))
    text += fmt::format("    {}) {} ;;\n", fmt::join(option.names, "|"), bash_words(words_of(option)));
  return text;
}

std::string bash_commands(const CommandTree& tree) {
  std::string text;
  for (const CommandNode& command : tree.commands) {
    std::vector<std::string> options;
    for (const OptionEntry& option : command.options)
      options.insert(options.end(), option.names.begin(), option.names.end());
    text += fmt::format("        {}) options={} {} ;;\n", pattern_of(command),
                        quoted(fmt::format("{}", fmt::join(options, " "))),
                        bash_words(argument_words(command, tree)));
  }
  return text;
}

// Bash splits words at colons and equals signs. Behind a colon nothing is known.
constexpr std::string_view bash_script =
    R"(# bash completion of isotrope, written by `isotrope completion bash`
_isotrope() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words='' options='' files=''
  COMPREPLY=()
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  [[ $current != ':' && $previous != ':' ]] || return 0
  case $previous in
{values}    *)
      if ((COMP_CWORD == 1)); then
        words={commands}
      else
        case ${{COMP_WORDS[1]}} in
{cases}        help) words={commands} ;;
        esac
      fi
      ;;
  esac
  if [[ $current == -* && $options ]]; then
    words=$options files=''
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if ((${{#COMPREPLY[@]}} == 0)) && [[ $files ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  elif ((${{#COMPREPLY[@]}} == 1)) && [[ ${{COMPREPLY[0]}} == *: ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}}
complete -F _isotrope isotrope
)";

std::string bash_completion(const CommandTree& tree) {
  return fmt::format(bash_script, fmt::arg("values", bash_values(tree)),
                     fmt::arg("commands", quoted(fmt::format("{}", fmt::join(names_of_commands(tree), " ")))),
                     fmt::arg("cases", bash_commands(tree)));
}

// zsh

// The action behind the last colon of an argument of _arguments.
std::string zsh_action(const CompletionWords& words) {
  if (words.words.empty()) return words.files ? "_files" : "( )";
  return fmt::format("_isotrope_words {} {}", words.files ? "files" : "words",
                     replaced(fmt::format("{}", fmt::join(words.words, " ")), ":", "\\:"));
}

std::string zsh_option(const OptionEntry& option) {
  std::string text = one_line(option.text);
  for (const char* special : {"\\", "[", "]", ":"})
    text = replaced(text, special, std::string("\\") + special);
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", option.value, zsh_action(words_of(option)));
  std::string result;
  for (const std::string& name : option.names)
    result += " \\\n        " +
              quoted(fmt::format("({}){}[{}]{}", fmt::join(option.names, " "), name, text, value));
  return result;
}

std::string zsh_commands(const CommandTree& tree) {
  std::string text;
  for (const CommandNode& command : tree.commands) {
    text += fmt::format("    {})\n      _arguments", pattern_of(command));
    for (const OptionEntry& option : command.options) text += zsh_option(option);
    if (!command.arguments.empty()) {
      text += " \\\n        " + quoted(fmt::format("*:{}:{}", command.arguments.front().name,
                                                   zsh_action(argument_words(command, tree))));
    }
    text += "\n      ;;\n";
  }
  return text;
}

std::string zsh_summaries(const CommandTree& tree) {
  std::string text;
  for (const CommandNode& command : tree.commands)
    text += fmt::format("    {}\n", quoted(command.name + ":" + replaced(command.summary, ":", "\\:")));
  return text;
}

constexpr std::string_view zsh_script = R"(#compdef isotrope
# zsh completion of isotrope, written by `isotrope completion zsh`

# _isotrope_words files|words WORD...: the words, without a space behind those that go on, and files. _arguments puts
# options of its own before the first word.
_isotrope_words() {{
  local -a options words
  while [[ $1 != files && $1 != words ]]; do
    options+=($1)
    shift
  done
  local kind=$1
  shift
  words=($@)
  compadd "${{options[@]}}" -S '' -- ${{(M)words:#*:}}
  compadd "${{options[@]}}" -- ${{words:#*:}}
  [[ $kind == words ]] || _files "${{options[@]}}"
}}

_isotrope() {{
  local -a commands
  commands=(
{summaries}    'help:Print the help'
    'version:Print the version'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{cases}    help) _describe command commands ;;
  esac
}}

if [[ $funcstack[1] == _isotrope ]]; then
  _isotrope "$@"
else
  compdef _isotrope isotrope
fi
)";

std::string zsh_completion(const CommandTree& tree) {
  return fmt::format(zsh_script, fmt::arg("summaries", zsh_summaries(tree)),
                     fmt::arg("cases", zsh_commands(tree)));
}

// fish

std::string fish_words(const CompletionWords& words) {
  return fmt::format(
      "{}{}", words.files ? " -F" : " -f",
      words.words.empty() ? "" : " -a " + quoted(fmt::format("{}", fmt::join(words.words, " "))));
}

std::string fish_command(const CommandNode& command, const CommandTree& tree) {
  const std::string names = command.name + (command.alias.empty() ? "" : " " + command.alias);
  const std::string begin = fmt::format("complete -c isotrope -n '__fish_seen_subcommand_from {}'", names);
  std::string text = fmt::format("complete -c isotrope -n __fish_use_subcommand -f -a {} -d {}\n",
                                 command.name, quoted(command.summary));
  for (const OptionEntry& option : command.options) {
    text += begin;
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) text += " -r" + fish_words(words_of(option));
    text += fmt::format(" -d {}\n", quoted(one_line(option.text)));
  }
  return text + begin + fish_words(argument_words(command, tree)) + "\n";
}

std::string fish_completion(const CommandTree& tree) {
  std::string text = "# fish completion of isotrope, written by `isotrope completion fish`\n";
  for (const CommandNode& command : tree.commands) text += fish_command(command, tree);
  return text + "complete -c isotrope -n __fish_use_subcommand -f -a 'help version'\n";
}

}  // namespace

int completion_command(const CompletionOptions& options) {
  if (options.shell == "bash") {
    print(bash_completion(options.tree));
  } else if (options.shell == "zsh") {
    print(zsh_completion(options.tree));
  } else if (options.shell == "fish") {
    print(fish_completion(options.tree));
  } else {
    throw Error(fmt::format("shell '{}': give bash, zsh or fish", options.shell));
  }
  return 0;
}

}  // namespace isotrope::app
