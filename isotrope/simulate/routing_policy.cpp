// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/routing_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::simulate {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 5> order_names = {"random", "oldest", "nearest", "farthest",
                                                         "largest-residual"};
constexpr std::string_view symmetric_prefix = "symmetric-";

}  // namespace

std::string to_string(RoutingPolicy policy) {
  return fmt::format("{}{}", policy.symmetric ? symmetric_prefix : "",
                     order_names[static_cast<std::size_t>(policy.order)]);
}

RoutingPolicy parse_routing_policy(std::string_view text) {
  const bool symmetric = text.starts_with(symmetric_prefix);
  const std::string_view name = text.substr(symmetric ? symmetric_prefix.size() : 0);
  const auto found = std::ranges::find(order_names, name);
  if (found == order_names.end()) {
    const std::vector<std::string_view> nearest = nearest_names(name, order_names);
    const std::string_view prefix = symmetric ? symmetric_prefix : "";
    throw Error(
        fmt::format("unknown policy '{}': {}use {}, or one of these behind symmetric-, as in {}{}", text,
                    nearest.empty() ? "" : fmt::format("did you mean {}{}? ", prefix, nearest.front()),
                    fmt::join(order_names, ", "), symmetric_prefix, order_names.front()));
  }
  return {static_cast<RoutingPolicy::Order>(found - order_names.begin()), symmetric};
}

}  // namespace isotrope::simulate
