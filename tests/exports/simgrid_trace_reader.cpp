// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads SimGrid's time-independent traces as its replay runs them: what is posted goes on beside the rest; a
// waitall waits for all that is posted, and what follows it for the waitall.
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/exports/trace.hpp"

namespace isotrope::exports {
namespace {

class SimgridReader {
 public:
  explicit SimgridReader(std::size_t rank) : rank_(rank) {}

  std::vector<Operation> run(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) read(line);
    if (!over_ || !posted_.empty()) refuse("the end", "before finalize, or with something posted");
    return operations_;
  }

 private:
  [[noreturn]] void refuse(const std::string& line, const std::string& what) const {
    throw std::runtime_error(fmt::format("rank {}: {}: {}", rank_, line, what));
  }

  void read(const std::string& line) {
    std::istringstream words(line);
    std::size_t rank = 0;
    std::string verb;
    if (!(words >> rank >> verb) || rank != rank_ || over_) refuse(line, "no action of this rank");
    if ((verb == "init") == begun_) refuse(line, "init is to be the first action");
    begun_ = true;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = 0; words >> number;) numbers.push_back(number);
    if (!words.eof()) refuse(line, "no number");
    const std::size_t wanted = verb == "isend" || verb == "irecv"       ? 3
                               : verb == "waitall" || verb == "compute" ? 1
                                                                        : 0;
    if (numbers.size() != wanted) refuse(line, "another number of arguments");
    act(line, verb, numbers);
  }

  void act(const std::string& line, const std::string& verb, const std::vector<std::uint64_t>& numbers) {
    if (verb == "isend" || verb == "irecv") {
      posted_.push_back(operations_.size());
      add({.kind = verb == "isend" ? Operation::Kind::send : Operation::Kind::receive,
           .peer = static_cast<network::Node>(numbers[0]),
           .tag = numbers[1],
           .bytes = numbers[2],
           .awaits = {}});
    } else if (verb == "waitall") {
      if (numbers[0] != posted_.size()) refuse(line, "another number of requests");
      add({.awaits = posted_});
      posted_.clear();
      last_ = {operations_.size() - 1};
    } else if (verb == "compute") {
      add({.bytes = numbers[0], .awaits = {}});
      last_ = {operations_.size() - 1};
    } else if (verb == "finalize") {
      over_ = true;
    } else if (verb != "init") {
      refuse(line, "no such action");
    }
  }

  void add(Operation operation) {
    operation.awaits.insert(operation.awaits.end(), last_.begin(), last_.end());
    operations_.push_back(std::move(operation));
  }

  std::size_t rank_;
  bool begun_ = false, over_ = false;
  std::vector<Operation> operations_;
  std::vector<std::size_t> posted_, last_;  // the operation that all later ones wait for
};

}  // namespace

Trace read_simgrid_traces(const std::vector<std::string>& ranks) {
  Trace trace;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    trace.push_back(SimgridReader(rank).run(ranks[rank]));
  return trace;
}

}  // namespace isotrope::exports
