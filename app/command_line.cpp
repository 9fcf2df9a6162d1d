// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "app/output.hpp"

namespace isotrope::app {
namespace {

// An option per line: names and type alone stand before the description.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    return (option->get_type_name().empty() ? "" : " " + option->get_type_name()) +
           (option->get_required() && option->nonpositional() ? " (required)" : "");
  }

  // Without a heading of their own.
  std::string make_positionals(const CLI::App* app) const override {
    std::string text;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* option) {
           return option->get_positional() && !option->get_group().empty();
         }))
      text += make_option(option, true);
    return text;
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
           groups_of(*app) + make_subcommands(app, mode) + "\n" + make_footer(app);
  }

 private:
  // Groups in the order of their first options, but output last, after one blank line each.
  std::string groups_of(const CLI::App& app) const {
    std::vector<std::string> groups = app.get_groups();
    std::stable_partition(groups.begin(), groups.end(),
                          [](const std::string& group) { return group != "Output"; });
    std::string text;
    for (const std::string& group : groups) {
      const auto shown = app.get_options([&](const CLI::Option* option) {
        return !group.empty() && option->get_group() == group && option->nonpositional();
      });
      if (!shown.empty()) text += make_group(group, false, shown);
    }
    return text;
  }
};

// The arguments as options: `help run` is `run --help`, and `version` is `--version`.
std::vector<std::string> arguments(int argc, const char* const* argv) {
  std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  if (given.empty()) return given;
  if (given.front() == "version") given.front() = "--version";
  if (given.front() == "help") {
    given.erase(given.begin());
    given.emplace_back("--help");
  }
  return given;
}

// The message about arguments that the command does not take: the first option among them, with the nearest options
// of the command.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& extras) {
  const auto option =
      std::ranges::find_if(extras, [](const std::string& text) { return text.starts_with('-'); });
  if (option == extras.end())
    return fmt::format("'{}' is one argument too many for {}", extras.front(), command.get_name());
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> spelt;
  for (const CLI::Option* known : command.get_options()) {
    if (known->get_group().empty()) continue;
    for (const std::string& long_name : known->get_lnames()) spelt.push_back("--" + long_name);
  }
  const std::vector<std::string_view> names(spelt.begin(), spelt.end());
  const std::vector<std::string_view> nearest = nearest_names(name, names);
  return nearest.empty() ? fmt::format("{} has no option {}", command.get_name(), name)
                         : fmt::format("{} has no option {}: did you mean {}?", command.get_name(), name,
                                       fmt::join(nearest, " or "));
}

// "isotrope plan --help shows the options".
std::string where_to_look(const std::string& command) {
  return fmt::format("`isotrope {}{}--help` shows the options", command, command.empty() ? "" : " ");
}

class Parser {
 public:
  Parser(const ProgramDescription& program, std::span<const CommandEntry> commands)
      : commands_(commands), app_(program.summary, "isotrope") {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_version_flag("-V,--version", program.version);
    app_.require_subcommand(1);
    app_.footer(program.footer);
    for (const CommandEntry& entry : commands) add(entry);
    constexpr std::size_t longest_names = 31;  // a line for each command of the list
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.get_formatter()->column_width(longest_names);
  }

  // The command that is named, or an empty call after printing help or version.
  CommandCall parse(std::vector<std::string> given) {
    require_command(given);
    try {
      std::ranges::reverse(given);  // as the parser wants them
      app_.parse(given);
    } catch (const CLI::Success& wanted) {
      print_wanted(wanted);
      return {};
    } catch (const CLI::ExtrasError&) {
      const CLI::App& named = *app_.get_subcommands().front();
      throw Error(
          fmt::format("{} ({})", unknown_option(named, named.remaining()), where_to_look(named.get_name())));
    } catch (const CLI::ParseError& error) {
      throw Error(fmt::format("{} ({})", error.what(), where_to_look(name_of_command())));
    }
    return calls_.at(name_of_command());
  }

 private:
  void add(const CommandEntry& entry) {
    CLI::App* const command = app_.add_subcommand(entry.name, entry.summary);
    if (*entry.alias != '\0') command->alias(entry.alias);
    if (*entry.example != '\0') command->footer(fmt::format("Example: {}", entry.example));
    calls_[entry.name] = entry.bind_to(*command);
    if (CLI::Option* const help = command->get_help_ptr()) help->group("Output");
  }

  // The first word must name a command; the parser itself does not suggest similar names.
  void require_command(const std::vector<std::string>& given) const {
    if (given.empty()) throw Error("no command: `isotrope --help` lists them");
    const std::string& first = given.front();
    if (first.starts_with('-')) {
      if (first == "-h" || first == "--help" || first == "-V" || first == "--version") return;
      throw Error(fmt::format("{} before the command: give a command first ({})", first, where_to_look("")));
    }
    std::vector<std::string_view> names;
    for (const CommandEntry& entry : commands_) {
      names.emplace_back(entry.name);
      if (*entry.alias != '\0') names.emplace_back(entry.alias);
    }
    if (std::ranges::find(names, first) != names.end()) return;
    throw Error(fmt::format("unknown command '{}': {}", first, name_hint(first, names)));
  }

  std::string name_of_command() const {
    const auto named = app_.get_subcommands();
    return named.empty() ? "" : named.front()->get_name();
  }

  void print_wanted(const CLI::Success& wanted) {
    std::ostringstream text;
    app_.exit(wanted, text, text);
    print(text.str());
  }

  std::span<const CommandEntry> commands_;
  CLI::App app_;
  std::map<std::string, CommandCall> calls_;  // by name
};

}  // namespace

CommandCall named_command(const ProgramDescription& program, std::span<const CommandEntry> commands, int argc,
                          const char* const* argv) {
  return Parser(program, commands).parse(arguments(argc, argv));
}

}  // namespace isotrope::app
