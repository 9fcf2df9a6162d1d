// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/chart.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/chart_check.hpp"
#include "isotrope/io/chart_picture.hpp"

namespace isotrope::io {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::vector<double> every_x(const Chart& chart) {
  std::vector<double> result;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) result.push_back(point.x);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string table(const Chart& chart) {
  std::string text = cell(chart.x.label);
  for (const Series& series : chart.series) text += ',' + cell(series.name);
  text += '\n';
  std::vector<std::size_t> next(chart.series.size(), 0);
  for (const double x : every_x(chart)) {
    text += fmt::format("{}", x);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const std::vector<Point>& points = chart.series[i].points;
      text += ',';
      if (next[i] < points.size() && points[next[i]].x == x) text += fmt::format("{}", points[next[i]++].y);
    }
    text += '\n';
  }
  return text;
}

void write(std::ostream& out, const std::string& text) {
  out << text;
  if (!out) throw Error("the stream refuses the chart: check the disk or the pipe behind it");
}

}  // namespace

void write_svg(std::ostream& out, const Chart& chart) {
  check(chart);
  write(out, picture(chart));
}

void write_csv(std::ostream& out, const Chart& chart) {
  check(chart);
  write(out, table(chart));
}

}  // namespace isotrope::io
