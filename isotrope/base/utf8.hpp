// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The encoding of every text in a plan file (RFC 3629).
#pragma once

#include <cstddef>
#include <string_view>

namespace isotrope {

/// The bytes of the character that `text` begins with: 1 to 4, or 0 if it begins with none.
/// No overlong forms, no surrogates, nothing above U+10FFFF. @pre not empty
std::size_t utf8_length(std::string_view text);

/// Whether `text` is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace isotrope
