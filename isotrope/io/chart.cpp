// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/chart.hpp"

#include <algorithm>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"
#include "isotrope/base/utf8.hpp"

#include "isotrope/io/chart_parts.hpp"

namespace isotrope::io {
namespace {

void check_text(std::string_view text) {
  if (!is_utf8(text)) throw Error("a text of the chart is not UTF-8: convert " + in_quotes(text));
}

void check_axis(const ChartAxis& axis) {
  check_text(axis.label);
  if (axis.log_base == 2 || axis.log_base == 10) return;
  throw Error(fmt::format("axis {} has log_base {}: give 2 or 10", in_quotes(axis.label), axis.log_base));
}

void check_value(std::string_view whose, const ChartAxis& axis, double value) {
  const double least = axis.logarithmic ? least_positive : -greatest;
  if (value >= least && value <= greatest) return;
  throw Error(fmt::format("{} has {} on the {} axis {}, which takes {} to {}: leave it out{}", whose, value,
                          axis.logarithmic ? "logarithmic" : "linear", in_quotes(axis.label), least, greatest,
                          axis.logarithmic ? " or choose a linear axis" : ""));
}

void check_point(std::string_view whose, const Chart& chart, const ChartAxis& upwards, double x, double y) {
  check_value(whose, chart.x, x);
  check_value(whose, upwards, y);
}

void check_series(const Chart& chart, const Series& series) {
  check_text(series.name);
  const std::string whose = "series " + in_quotes(series.name);
  if (series.right && !chart.right)
    throw Error(whose + " belongs to an axis at the right: give the chart one");
  const ChartAxis& upwards = series.right ? *chart.right : chart.y;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double x = series.points[i].x;
    check_point(whose, chart, upwards, x, series.points[i].y);
    if (i == 0 || series.points[i - 1].x < x) continue;
    throw Error(fmt::format("{} has x = {} after x = {}: give its points with ascending x", whose, x,
                            series.points[i - 1].x));
  }
}

void check(const Chart& chart) {
  check_text(chart.title);
  check_text(chart.note);
  check_axis(chart.x);
  check_axis(chart.y);
  if (chart.right) check_axis(*chart.right);
  for (const Series& series : chart.series) check_series(chart, series);
  for (const Mark& mark : chart.marks) {
    check_text(mark.label);
    check_point("mark " + in_quotes(mark.label), chart, chart.y, mark.x, mark.y);
  }
}

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
