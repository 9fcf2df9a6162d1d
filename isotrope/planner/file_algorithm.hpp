// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan file as an algorithm of the catalogue: it solves one problem, that of its plan, with one schedule.
//
//     plan of broadcast from node 3, torus:4x4, one port, 2 parts
//
//     serves     broadcasts from any root of the network with the same moduli and generators, over one port or more, in 2 parts
//
// A rooted plan is translated to other roots, unless nodes or links are missing. A plan for fewer ports serves problems that
// allow more. An allreduce cuts its vector into one block per node, or keeps it whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

/// The sizes for which an algorithm is a candidate, as MPI counts them.
struct SizeRange {
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;

  bool operator==(const SizeRange&) const = default;
};

/// Why no algorithm can be made of `plan`, or nothing.
std::optional<std::string> unsuitable_plan(const schedule::Plan& plan);

/// @param source where the plan comes from, in words
/// @pre the plan is valid (verify it first), and unsuitable_plan() is nothing
std::unique_ptr<const Algorithm> file_algorithm(std::string name, std::string source, schedule::Plan plan,
                                                SizeRange sizes = {});

}  // namespace isotrope::planner
