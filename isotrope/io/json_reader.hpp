// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON (RFC 8259) as the events of one document.
//
// Method: the streaming parser of the JSON library, no document in memory. Cost: O(bytes); memory: the
// longest text.
#pragma once

#include <streambuf>

#include "isotrope/io/plan_schema.hpp"

namespace isotrope::io {

/// Reports the document in `bytes` to `schema`. Nothing may follow the document.
/// @throws SyntaxError if `bytes` are not one JSON document; whatever `schema` throws is passed on.
void read_json(std::streambuf& bytes, PlanSchema& schema);

}  // namespace isotrope::io
