// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The problem that the keyword arguments of isotrope.plan(), bound(), simulate() and compare() name, in the words of the
// program's options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/traffic.hpp"

#include "python/bindings/nodes.hpp"

namespace isotrope::python {

struct Wanted {
  Nodes nodes;
  std::string collective;
  std::optional<GivenMachine> machine = {};
  std::string ports = {};  ///< empty: those of the machine, or all
  std::uint64_t root = 0;
  std::optional<std::uint64_t> parts = {};
  std::optional<std::uint64_t> merge = {};  ///< schedule::unbounded for all
  /// Blocks of unequal sizes, in packets of `packet` bytes: the problem is a task, whatever the collective.
  std::vector<schedule::SizedBlock> blocks = {};
  std::uint64_t packet = 0;
};

/// On the places of the ranks, if the machine has several a node.
/// @throws Error if anything is out of range
schedule::Problem problem_of(const Wanted& wanted);

/// The machine of the problem, or cost::cluster().
cost::Machine machine_of(const Wanted& wanted, const schedule::Problem& problem);

}  // namespace isotrope::python
