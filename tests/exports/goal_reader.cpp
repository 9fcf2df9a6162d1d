// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads GOAL by the grammar of txt2bin: one statement a line, every label defined before it is used.
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/exports/trace.hpp"

namespace isotrope::exports {
namespace {

class GoalReader {
 public:
  explicit GoalReader(const std::string& text) : lines_(text) {}

  Trace run() {
    std::istringstream head = next_line();
    expect(head, "num_ranks");
    Trace trace(number(head));
    for (std::size_t rank = 0; rank < trace.size(); ++rank) trace[rank] = read_rank(rank);
    if (std::string rest; std::getline(lines_, rest)) refuse("something after the last rank");
    return trace;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(fmt::format("line {}: {}", line_, what));
  }

  std::istringstream next_line() {
    std::string line;
    if (!std::getline(lines_, line)) refuse("the end");
    ++line_;
    return std::istringstream(line);
  }
  std::string word(std::istream& line) const {
    std::string text;
    if (!(line >> text)) refuse("a word is missing");
    return text;
  }
  void expect(std::istream& line, const std::string& wanted) const {
    if (const std::string found = word(line); found != wanted)
      refuse(fmt::format("{} instead of {}", found, wanted));
  }
  std::uint64_t number(std::istream& line) const {
    std::uint64_t value = 0;
    if (!(line >> value)) refuse("no number");
    return value;
  }

  std::vector<Operation> read_rank(std::size_t rank) {
    std::istringstream head = next_line();
    expect(head, "rank");
    if (number(head) != rank) refuse("another rank");
    expect(head, "{");
    operations_.clear();
    labels_.clear();
    for (std::istringstream line = next_line(); line.str() != "}"; line = next_line()) read_statement(line);
    return operations_;
  }

  void read_statement(std::istream& line) {
    std::string label = word(line);
    if (!label.ends_with(':')) {
      read_order(label, line);
      return;
    }
    label.pop_back();
    if (!labels_.emplace(label, operations_.size()).second) refuse("a label twice");
    const std::string verb = word(line);
    if (verb == "calc") {
      operations_.push_back({.bytes = number(line), .awaits = {}});
      expect(line, "cpu");
      number(line);
    } else {
      read_transfer(verb, line);
    }
    if (std::string rest; line >> rest) refuse("more than a statement");
  }

  void read_transfer(const std::string& verb, std::istream& line) {
    if (verb != "send" && verb != "recv") refuse("no such operation: " + verb);
    Operation operation{.kind = verb == "send" ? Operation::Kind::send : Operation::Kind::receive,
                        .awaits = {}};
    operation.bytes = number(line);
    expect(line, "b");
    expect(line, verb == "send" ? "to" : "from");
    operation.peer = static_cast<network::Node>(number(line));
    expect(line, "tag");
    operation.tag = number(line);
    expect(line, "cpu");
    number(line);
    if (std::string nic; line >> nic) {
      if (nic != "nic" || number(line) > 255) refuse("no nic");
    }
    operations_.push_back(operation);
  }

  void read_order(const std::string& later, std::istream& line) {
    expect(line, "requires");
    const auto after = labels_.find(later), before = labels_.find(word(line));
    if (after == labels_.end() || before == labels_.end()) refuse("an unknown label");
    operations_[after->second].awaits.push_back(before->second);
  }

  std::istringstream lines_;
  int line_ = 0;
  std::vector<Operation> operations_;
  std::map<std::string, std::size_t> labels_;
};

}  // namespace

Trace read_goal(const std::string& text) {
  return GoalReader(text).run();
}

}  // namespace isotrope::exports
