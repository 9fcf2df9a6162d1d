// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Valid plans of every flow, replication, port model and kind of rounds on any small network, made by first
// fit: simple, far from optimal, and independent of the library's algorithms.
#pragma once

#include <string_view>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::verify {

/// One plan a combination that makes sense on the network; every one is valid and its claims hold.
std::vector<schedule::Plan> sample_plans(std::string_view network_name);

/// The networks the tests run over: one or two of each family, at most 16 nodes.
std::vector<std::string_view> sample_networks();

}  // namespace isotrope::verify
