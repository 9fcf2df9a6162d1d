// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of options as people write them; sizes in bytes are read by base/quantity.hpp.
//
// Every reader throws Error for a text that is no such value; the message names the option, the text and what is
// allowed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/base/quantity.hpp"

namespace isotrope::app {

/// from, from * factor, from * factor^2, ..., and `to` at the end. @pre 1 <= from <= to.
std::vector<std::uint64_t> sizes_between(std::uint64_t from, std::uint64_t to, std::uint64_t factor);

/// A whole number, 0 or more.
std::uint64_t whole_value(const std::string& option, const std::string& text);

/// A whole number from 1 to `most`.
std::uint64_t count_value(const std::string& option, const std::string& text, std::uint64_t most);

/// Bytes, as parse_size reads them.
std::uint64_t size_value(const std::string& option, const std::string& text);

/// Seconds, 0 or more, from "0.005", "5ms", "1.7us" or "0.1ns".
double seconds_value(const std::string& option, const std::string& text);

/// Seconds, as seconds_value reads them, above 0.
double time_limit_value(const std::string& option, const std::string& text);

/// A fraction from 0 to 1.
double fraction_value(const std::string& option, const std::string& text);

/// Any text but the empty one.
std::string text_value(const std::string& option, const std::string& text);
/// The name of a file or folder for output, not "-", which other programs take for the standard output.
std::string output_value(const std::string& option, const std::string& text);

}  // namespace isotrope::app
