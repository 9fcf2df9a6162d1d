// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Suggestions for misspelt names, by edit distance, the strict reading of whole numbers in names, and quotes of names in
// messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isotrope {

/// The names nearest to `given`, best first: at most three, and only those that a slip could explain
/// (edit distance at most a third of the length, at least 2) or that begin with `given`.
std::vector<std::string_view> nearest_names(std::string_view given, std::span<const std::string_view> names);

/// "did you mean 'torus'?" with the nearest names, or "known are a, b, c" if none is near.
std::string name_hint(std::string_view given, std::span<const std::string_view> names);

/// `text` for a message of one line: control characters as \n or \x1b, bytes that are not UTF-8 alike, and "..." in place
/// of the rest if all of it takes more than `longest` bytes.
std::string excerpt(std::string_view text, std::size_t longest = 80);

/// The first 60 bytes of `text` in single quotes, for a message.
std::string in_quotes(std::string_view text);

/// The whole of `text` as a decimal number without sign or blanks; nothing if it is none or exceeds 2^64-1.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// `text` cut at every `separator`; empty pieces are kept, so "a,,b" gives three.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace isotrope
