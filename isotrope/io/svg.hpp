// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame of a picture as SVG: a title, a note, and texts in between.
//
// The width of a text is an estimate that leaves room for the usual fonts without serifs: the font of the viewer is
// not known.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace isotrope::io {

/// Pixels.
inline constexpr double text_size = 13, title_size = 16, note_size = 11, edge = 14;

/// Rounds to a hundredth of a pixel.
double px(double value);

/// Pixels of `lines` lines of letters of `size` pixels.
double height_of(std::size_t lines, double size);
/// Pixels of a line of UTF-8.
double width_of(std::string_view text, double size);
/// The part of the text that fits into `room` pixels.
std::string shortened(const std::string& text, double size, double room);
/// The text for XML, as one line.
std::string escaped(std::string_view text);

/// A picture under construction.
class Svg {
 public:
  /// Breaks title and note into lines for a picture of this width.
  void set_texts(const std::string& title, const std::string& note, double width);
  double title_height() const { return height_of(title_.size(), title_size); }
  double note_height() const { return height_of(note_.size(), note_size); }

  /// Writes the head and the title.
  void begin(double width, double height);
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }
  /// Writes the note and the end. @returns the picture
  std::string end(double height);

 private:
  void add_lines(const std::vector<std::string>& lines, double y, double size, std::string_view more);

  std::string whole_title_;
  std::vector<std::string> title_, note_;
  std::string out_;
};

}  // namespace isotrope::io
