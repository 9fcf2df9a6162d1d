// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/routing_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

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
    throw Error(fmt::format("unknown routing policy '{}', which may begin with 'symmetric-': {}", text,
                            name_hint(name, order_names)));
  }
  return {static_cast<RoutingPolicy::Order>(found - order_names.begin()), symmetric};
}

}  // namespace isotrope::simulate
