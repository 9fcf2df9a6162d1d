// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope manual: pages in the macros of man(7), one for the program and one a command, with the words of the help.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/atomic_file.hpp"

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/version.hpp"

namespace isotrope::app {
namespace {

// Text as man(7) prints it: a hyphen stays one that can be copied, and no line begins with a control character.
std::string escaped(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string heading(const std::string& page, const std::string& summary) {
  std::string upper = page;
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"{}\" \"isotrope {}\" \"Isotrope\"\n.SH NAME\n{} \\- {}\n", escaped(upper),
                     version_date(), ISOTROPE_VERSION, escaped(page), escaped(summary));
}

// Text whose lines and columns stay as they are.
std::string verbatim(const std::string& text) {
  return fmt::format(".nf\n{}\n.fi\n", escaped(text));
}

std::string item(const std::string& tag, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", tag, escaped(text));
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", escaped(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", escaped(text));
}

std::string tag_of(const OptionEntry& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  const std::string value = option.value.empty() ? "" : fmt::format(" {}", italic(option.value));
  return fmt::format("{}{}{}", fmt::join(names, ", "), value, option.required ? " (required)" : "");
}

std::string synopsis(const CommandNode& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n{}", bold("isotrope " + command.name));
  for (const ArgumentEntry& argument : command.arguments)
    text += fmt::format("{}{}{}", argument.required ? " " : " [", italic(argument.name),
                        argument.required ? "" : "]");
  for (const OptionEntry& option : command.options) {
    if (option.required) text += fmt::format(" {} {}", bold(option.names.back()), italic(option.value));
  }
  return fmt::format("{} [{}]\n", text, italic("options"));
}

// Groups in the order of their first options, but output last, as in the help.
std::string options_of(const CommandNode& command) {
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != "Output"; });
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format(".SS {}\n", escaped(group));
    for (const OptionEntry& option : command.options) {
      if (option.group == group) text += item(tag_of(option), option.text);
    }
  }
  return text;
}

std::string page_of(const CommandNode& command) {
  std::string text = heading("isotrope-" + command.name, command.summary) + synopsis(command);
  if (!command.alias.empty())
    text += fmt::format(".SH DESCRIPTION\nA second name of this command is {}.\n", bold(command.alias));
  text += ".SH OPTIONS\n";
  for (const ArgumentEntry& argument : command.arguments) text += item(italic(argument.name), argument.text);
  text += options_of(command);
  if (!command.footer.empty()) text += fmt::format(".SH EXAMPLES\n{}", verbatim(command.footer));
  text +=
      ".SH EXIT STATUS\n0; 1 if a check failed; 2 for bad usage, bad input or output that cannot be "
      "written.\n";
  return text + ".SH SEE ALSO\n.BR isotrope (1)\n";
}

std::string page_of(const CommandTree& tree) {
  std::string text = heading("isotrope", "plan, prove and execute collective communication");
  text +=
      fmt::format(".SH SYNOPSIS\n{} {} [{}]\n.br\n{}\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n", bold("isotrope"),
                  italic("command"), italic("options"), bold("isotrope --version"), escaped(tree.summary));
  for (const CommandNode& command : tree.commands)
    text += fmt::format(".TP\n.BR isotrope\\-{} (1)\n{}\n", escaped(command.name), escaped(command.summary));
  return text + ".SH NAMES\n" + verbatim(tree.footer);
}

void write_page(const std::filesystem::path& file, const std::string& page) {
  io::write_atomically(file, [&](std::ostream& stream) { stream << page; });
}

// As many files as commands, beside that of the program.
void write_pages(const CommandTree& tree, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_page(folder / "isotrope.1", page_of(tree));
  for (const CommandNode& command : tree.commands)
    write_page(folder / fmt::format("isotrope-{}.1", command.name), page_of(command));
}

const CommandNode& command_called(const std::string& name, const CommandTree& tree) {
  std::vector<std::string_view> names;
  for (const CommandNode& command : tree.commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  throw Error(fmt::format("unknown command '{}': {}", excerpt(name), name_hint(name, names)));
}

}  // namespace

int manual_command(const ManualOptions& options) {
  if (options.output.empty()) {
    print(options.command.empty() ? page_of(options.tree)
                                  : page_of(command_called(options.command, options.tree)));
  } else if (options.command.empty()) {
    write_pages(options.tree, options.output);
  } else {
    throw Error(fmt::format("-o {} is for the pages of all commands: leave out {}, or -o", options.output,
                            options.command));
  }
  return 0;
}

}  // namespace isotrope::app
