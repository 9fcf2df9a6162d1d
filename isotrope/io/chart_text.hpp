// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of a picture: how much room they take, about, and how they are written as XML.
//
// Widths leave room for the usual fonts without serifs; which one will be there is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isotrope::io {

/// Pixels of `lines` lines of letters of `size` pixels.
double height_of(std::size_t lines, double size);
/// Pixels of a line of UTF-8.
double width_of(std::string_view text, double size);
/// As much of the text as there is room for.
std::string shortened(const std::string& text, double size, double room);
/// The text in lines, broken between words.
std::vector<std::string> lines_of(std::string_view text, double size, double room);
/// For XML, as one line.
std::string escaped(std::string_view text);

}  // namespace isotrope::io
