// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands between an algorithm for hypercubes and a request: nothing, or a reason in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

inline constexpr std::string_view hypercubes = "hypercube:1 to hypercube:26";

/// A network is a hypercube by its ports, whatever its name: those of torus:2x2x2 come in another order.
std::optional<std::string> not_a_hypercube(const Problem& problem);
/// For algorithms that use all ports at once.
std::optional<std::string> not_all_ports(const Problem& problem);
/// For algorithms that use one port, full or half duplex.
std::optional<std::string> not_one_port(const Problem& problem);
/// For algorithms that use all ports or one.
std::optional<std::string> some_ports(const Problem& problem);

}  // namespace isotrope::planner
