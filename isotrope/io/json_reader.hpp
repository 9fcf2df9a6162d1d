// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON (RFC 8259) as the events of one document.
//
// Method: the streaming parser of the JSON library, no document in memory. Cost: O(bytes); memory: the
// longest text.
#pragma once

#include <streambuf>

#include "isotrope/io/plan_form.hpp"

namespace isotrope::io {

/// Tells `form` the document in `bytes`, and that there is nothing after it.
/// @throws SyntaxError where `bytes` are not one JSON document; whatever `form` throws is passed on.
void read_json(std::streambuf& bytes, PlanForm& form);

}  // namespace isotrope::io
