// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// CBOR (RFC 8949) as the events of one document, the same ones as JSON's.
//
// Method: the CBOR library's streaming decoder takes one item after the other off a window of the bytes; what
// it leaves to its caller, the nesting of definite and indefinite arrays, maps and texts, is kept here on a
// stack. No recursion, and nothing is reserved by a length claimed in the file. Cost: O(bytes); memory: the
// longest text.
#pragma once

#include <streambuf>

#include "isotrope/io/plan_schema.hpp"

namespace isotrope::io {

/// Reports the document in `bytes` to `schema`. Nothing may follow the document.
/// @throws SyntaxError if `bytes` are not one CBOR document whose keys are text; whatever `schema` throws is
/// passed on.
void read_cbor(std::streambuf& bytes, PlanSchema& schema);

}  // namespace isotrope::io
