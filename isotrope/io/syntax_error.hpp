// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A document that cannot be taken apart, as opposed to one that holds the wrong things.
#pragma once

#include "isotrope/base/error.hpp"

namespace isotrope::io {

/// Says where by itself: "line 3, column 7: what" or "byte 12: what".
class SyntaxError : public Error {
 public:
  using Error::Error;
};

}  // namespace isotrope::io
