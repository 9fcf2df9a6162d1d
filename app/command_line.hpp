// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: a program is a table of commands, each with options of its own type.
//
//     isotrope COMMAND [OPTIONS]        isotrope help [COMMAND]        isotrope version
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/bind.hpp"

namespace isotrope::app {

/// A command with its options, which are first bound to a parser and then filled by it.
class Command {
 public:
  virtual ~Command() = default;
  virtual void bind_to(CLI::App& app) = 0;
  /// Exit status: 0, or 1 if a check failed.
  /// @throws Error for bad input.
  virtual int run() const = 0;
};

/// The command whose options are a struct of options.hpp.
template <class Options>
class CommandOf final : public Command {
 public:
  explicit CommandOf(std::function<int(const Options&)> run) : run_(std::move(run)) {}
  void bind_to(CLI::App& app) override { bind(app, options_); }
  int run() const override { return run_(options_); }

 private:
  Options options_;
  std::function<int(const Options&)> run_;
};

struct CommandEntry {
  const char* name;
  const char* alias;  ///< a second name, or empty
  const char* summary;
  const char* example;
  std::shared_ptr<Command> command;
};

/// An entry for the function that runs the command.
template <class Options>
CommandEntry entry(const char* name, const char* summary, const char* example, int (*run)(const Options&),
                   const char* alias = "") {
  return {name, alias, summary, example, std::make_shared<CommandOf<Options>>(run)};
}

struct ProgramDescription {
  const char* summary;
  const char* version;
  const char* footer;  ///< of the help of the whole program
};

/// The command that the arguments name, with its options; null after printing the help or version that they ask for.
/// @throws Error for arguments that no command takes, with the nearest option or command.
const Command* named_command(const ProgramDescription& program, std::span<const CommandEntry> commands,
                             int argc, const char* const* argv);

}  // namespace isotrope::app
