// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Values as people write them behind an option. Every function throws Error for a text that is no such value; the
// message names the option, the text and what is allowed.
#pragma once

#include <cstdint>
#include <string>

namespace isotrope::app {

/// A whole number, 0 or more.
std::uint64_t whole_value(const std::string& option, const std::string& text);

/// A whole number from 1 to `most`.
std::uint64_t count_value(const std::string& option, const std::string& text, std::uint64_t most);

/// Bytes, as size.hpp reads them: "64KiB".
std::uint64_t size_value(const std::string& option, const std::string& text);

/// Seconds, 0 or more, from "0.005", "5ms", "1.7us" or "0.1ns".
double seconds_value(const std::string& option, const std::string& text);

/// A fraction from 0 to 1.
double fraction_value(const std::string& option, const std::string& text);

/// The name of a file or folder: any text but the empty one.
std::string file_value(const std::string& option, const std::string& text);

}  // namespace isotrope::app
