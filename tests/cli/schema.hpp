// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks JSON against a JSON Schema (draft 2020-12), for the keywords that docs/*.schema.json use. Another keyword
// in the schema is an error, so that no rule goes unchecked.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace isotrope::app {

/// What of `value` breaks the schema; empty if nothing does. Each text names the place in `value`.
std::vector<std::string> breaches(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace isotrope::app
