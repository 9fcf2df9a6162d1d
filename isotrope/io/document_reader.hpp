// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON (RFC 8259) and CBOR (RFC 8949) as the events of one document.
//
// Method: the streaming parser of the JSON library, and the streaming decoder of the CBOR library, which takes one item
// after the other off a window of the bytes. A stack holds the nesting of arrays, maps and texts, which the CBOR library
// leaves to its caller. No recursion, no document in memory, and no length claimed in the file reserves memory.
// Cost: O(bytes); memory: the longest text.
#pragma once

#include <streambuf>

#include "isotrope/base/error.hpp"

#include "isotrope/io/plan_schema.hpp"

namespace isotrope::io {

/// A document that is not JSON or CBOR, as opposed to a document with wrong values. The message begins with the
/// place: "line 3, column 7: what" or "byte 12: what".
class SyntaxError : public Error {
 public:
  using Error::Error;
};

/// Reports the document in `bytes` to `schema`. Nothing may follow the document.
/// @throws SyntaxError if `bytes` are not one JSON document; passes on all that `schema` throws.
void read_json(std::streambuf& bytes, PlanSchema& schema);

/// Reports the document in `bytes` to `schema`. Nothing may follow the document.
/// @throws SyntaxError if `bytes` are not one CBOR document whose keys are text; passes on all that `schema` throws.
void read_cbor(std::streambuf& bytes, PlanSchema& schema);

}  // namespace isotrope::io
