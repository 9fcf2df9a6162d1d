// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The encoding of every text in a plan file (RFC 3629).
#pragma once

#include <string>
#include <string_view>

namespace isotrope::io {

/// Whether `text` is UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// `text` for a message of one line: control characters replaced, and no more than about `longest` bytes of it.
std::string one_line(std::string_view text, std::size_t longest);

/// The first of `text` in quotes, for a message.
std::string in_quotes(std::string_view text);

}  // namespace isotrope::io
