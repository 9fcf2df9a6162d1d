// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Line charts of measured curves, as a picture (SVG) and as a table (CSV).
//
// The picture is self-contained, 800 x 520 (taller only if the legend is very long), and the same for the same chart:
//
//     title
//     legend, unless the names stand beside the ends of the lines; with a second axis of y, at the right, always
//     y |      __/ name      Both axes end at ticks. Linear ones have them at 1, 2 or 5 times a power of
//       |  ___/ __ name      ten; y starts at 0 unless the values lie close together. Logarithmic ones have
//       | /____/             them at 1 to 9 times the powers of ten, or at the powers of two, which are
//       +----------- x       written 1, 4, 16, .., 1 Ki, .., 1 Mi.
//     note
//
// Series differ in colour (those of Okabe and Ito that show on white) and in marker, so that readers need not see
// colours; those of the axis at the right are dotted and grey. The picture leaves out markers less than 16 pixels from
// the last one.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace isotrope::io {

struct ChartAxis {
  std::string label;  ///< With the unit: "packet size (bytes)".
  bool logarithmic = false;
  int log_base = 10;  ///< 10 or 2: the powers at the ticks of a logarithmic axis.
};

struct Point {
  double x = 0, y = 0;

  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
};

struct Series {
  std::string name;
  std::vector<Point> points;  ///< With ascending x; may be empty.
  bool dashed = false;
  bool markers = true;
  bool right = false;  ///< Whether y belongs to the axis at the right.
};

/// A point that stands out, such as the crossover of two series; drawn as a ring with its label.
struct Mark {
  double x = 0, y = 0;
  std::string label;
};

struct Chart {
  std::string title;
  std::string note;  ///< Small print below the picture: how the values were got.
  ChartAxis x, y;
  std::vector<Series> series;
  std::vector<Mark> marks;  ///< On the axis at the left.
  std::optional<ChartAxis> right = {};
};

/// Writes the picture.
/// @throws Error if a value is not finite, beyond 1e300, or below 1e-300 on a logarithmic axis; where the
/// x of a series do not ascend; where a series belongs to an axis that there is not; where log_base is neither 2 nor 10; where a text is not UTF-8; where the
/// stream fails.
void write_svg(std::ostream& out, const Chart& chart);

/// Writes the series as a table (RFC 4180, but with LF): the label of x and the names of the series, then a
/// row for every x, with an empty cell if a series has no point. Numbers are the shortest that read back
/// as the same. @throws Error as write_svg does.
void write_csv(std::ostream& out, const Chart& chart);

}  // namespace isotrope::io
