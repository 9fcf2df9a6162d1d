// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the ticks of an axis stand, and where its values lie between them.
//
// Linear axes have ticks at 1, 2 or 5 times a power of ten, logarithmic ones at the decades or at powers of two,
// more or fewer of them after the width of the range; an axis begins and ends at a tick.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/io/chart.hpp"

namespace isotrope::io {

struct Tick {
  double value = 0;
  std::string label;  ///< none: a minor tick
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

/// The axis of one coordinate, &Point::x or &Point::y, with all points and marks of a checked chart on it.
Scale scale_of(const Chart& chart, double Point::*coordinate);

}  // namespace isotrope::io
