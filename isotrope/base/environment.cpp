// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/environment.hpp"

#include <algorithm>
#include <span>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/spelling.hpp"

namespace isotrope {
namespace {

constexpr std::string_view prefix = "ISOTROPE_";

// Names are compared without the prefix that all have in common: else every two short names would be near.
std::string suggestion(std::string_view given) {
  std::array<std::string_view, environment_variables.size()> names;
  std::ranges::transform(environment_variables, names.begin(),
                         [](const EnvironmentVariable& known) { return known.name.substr(prefix.size()); });
  const std::vector<std::string_view> near = nearest_names(given.substr(prefix.size()), names);
  if (near.empty()) {
    std::ranges::transform(environment_variables, names.begin(), &EnvironmentVariable::name);
    return fmt::format("known are {}", fmt::join(names, ", "));
  }
  const auto index = static_cast<std::size_t>(std::ranges::find(names, near.front()) - names.begin());
  const auto& [name, meaning] = environment_variables[index];
  return fmt::format("did you mean {} ({})?", name, meaning);
}

}  // namespace

std::vector<std::string> meaningless_variables() {
  std::vector<std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    if (!name.starts_with(prefix)) continue;
    if (std::ranges::find(environment_variables, name, &EnvironmentVariable::name) !=
        environment_variables.end())
      continue;
    result.push_back(fmt::format("{} has no meaning: {}", excerpt(name), suggestion(name)));
  }
  return result;
}

}  // namespace isotrope
