// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a chart: its axes and its picture (chart.hpp shows their places).
//
// A linear axis has ticks at 1, 2 or 5 times a power of ten, a logarithmic axis at the decades or at powers of two;
// the width of the range sets their number. An axis begins and ends at a tick.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/io/chart.hpp"

namespace isotrope::io {

/// The range of values, and of values on logarithmic axes.
inline constexpr double greatest = 1e300, least_positive = 1e-300;

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a minor tick
};

/// Ascending; the ends of an axis are those of its ticks.
using Ticks = std::vector<Tick>;

/// An axis from its first tick, at 0, to its last, at 1.
class Scale {
 public:
  /// @pre ticks ascend, and there are two or more.
  Scale(bool logarithmic, Ticks ticks) : logarithmic_(logarithmic), ticks_(std::move(ticks)) {}

  const Ticks& ticks() const { return ticks_; }
  double operator()(double value) const {
    const double low = place(ticks_.front().value), high = place(ticks_.back().value);
    return (place(value) - low) / (high - low);
  }

 private:
  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }

  bool logarithmic_;
  Ticks ticks_;
};

/// The axes, on which all points and marks lie that belong to them. @pre the values are in range, and right_scale
/// has an axis.
Scale x_scale(const Chart& chart);
Scale left_scale(const Chart& chart);
Scale right_scale(const Chart& chart);

/// The chart as SVG. @pre the chart is one that write_svg accepts.
std::string picture(const Chart& chart);

}  // namespace isotrope::io
