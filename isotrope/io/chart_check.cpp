// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/chart_check.hpp"

#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/utf8.hpp"

namespace isotrope::io {
namespace {

void check_text(std::string_view text) {
  if (!is_utf8(text)) throw Error("a text of the chart is not UTF-8: convert " + in_quotes(text));
}

void check_axis(const Axis& axis) {
  check_text(axis.label);
  if (axis.log_base == 2 || axis.log_base == 10) return;
  throw Error(fmt::format("axis {} has log_base {}: give 2 or 10", in_quotes(axis.label), axis.log_base));
}

void check_value(std::string_view whose, const Axis& axis, double value) {
  const double least = axis.logarithmic ? least_positive : -greatest;
  if (value >= least && value <= greatest) return;
  throw Error(fmt::format("{} has {} on the {} axis {}, which takes {} to {}: leave it out{}", whose, value,
                          axis.logarithmic ? "logarithmic" : "linear", in_quotes(axis.label), least, greatest,
                          axis.logarithmic ? " or choose a linear axis" : ""));
}

void check_point(std::string_view whose, const Chart& chart, double x, double y) {
  check_value(whose, chart.x, x);
  check_value(whose, chart.y, y);
}

void check_series(const Chart& chart, const Series& series) {
  check_text(series.name);
  const std::string whose = "series " + in_quotes(series.name);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double x = series.points[i].x;
    check_point(whose, chart, x, series.points[i].y);
    if (i == 0 || series.points[i - 1].x < x) continue;
    throw Error(fmt::format("{} has x = {} after x = {}: give its points with ascending x", whose, x,
                            series.points[i - 1].x));
  }
}

}  // namespace

void check(const Chart& chart) {
  check_text(chart.title);
  check_text(chart.note);
  check_axis(chart.x);
  check_axis(chart.y);
  for (const Series& series : chart.series) check_series(chart, series);
  for (const Mark& mark : chart.marks) {
    check_text(mark.label);
    check_point("mark " + in_quotes(mark.label), chart, mark.x, mark.y);
  }
}

}  // namespace isotrope::io
