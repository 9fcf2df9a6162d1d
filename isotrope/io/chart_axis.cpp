// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/io/chart_parts.hpp"

namespace isotrope::io {
namespace {

struct ValueRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  bool empty() const { return low > high; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// The tolerance for a whole quotient.
constexpr double rounding = 1e-9;

int floor_of(double value) {
  return static_cast<int>(std::floor(value + rounding));
}

int ceil_of(double value) {
  return -floor_of(-value);
}

// number * 10^exponent; correctly rounded for whole numbers and exponents from -22 to 22.
double decimal(double number, int exponent) {
  return exponent < 0 ? number / std::pow(10.0, -exponent) : number * std::pow(10.0, exponent);
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number)))
    result += digits[static_cast<std::size_t>(digit - '0')];
  return result;
}

// A range of some width for a linear axis. With `from_zero` the range begins at 0 if this less than
// doubles its width.
ValueRange widened(ValueRange range, bool from_zero) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.empty() || size < least_positive) return {0, 1};
  if (range.high - range.low < 1e-12 * size)
    return {std::min(0.0, 2 * range.low), std::max(0.0, 2 * range.high)};
  if (from_zero && range.low > 0 && 2 * range.low < range.high) range.low = 0;
  return range;
}

// The least of 1, 2 and 5 times a power of ten apart that takes `most` steps at most.
Ticks linear_ticks(ValueRange range, int most) {
  const double wanted = (range.high - range.low) / most * (1 - rounding);
  int exponent = floor_of(std::log10(wanted)), mantissa = 1;
  if (decimal(5, exponent) < wanted) ++exponent;
  while (decimal(mantissa, exponent) < wanted) mantissa = mantissa == 2 ? 5 : 2;
  const auto value = [&](double k) { return decimal(k * mantissa, exponent); };
  const double first = std::floor(range.low / value(1) + rounding),
               last = std::ceil(range.high / value(1) - rounding);

  const double far = std::max(std::abs(value(first)), std::abs(value(last)));
  const int power = far >= 1e6 || far < 1e-3 ? floor_of(std::log10(far)) : 0;
  const auto label = [&](double k) {
    if (k == 0) return std::string("0");
    return fmt::format("{}{:.{}f}{}", k < 0 ? "−" : "", decimal(std::abs(k) * mantissa, exponent - power),
                       std::max(0, power - exponent), power == 0 ? "" : "×10" + superscript(power));
  };
  Ticks result;
  for (double k = first; k <= last; ++k) result.push_back({value(k), label(k)});
  return result;
}

// 1 to 9 times the powers of ten. The decades have labels; if these are few, 2 and 5 times a decade also, or all.
// The place of d * 10^e in their order is 9 e + d - 1.
Ticks decade_ticks(ValueRange range, int most) {
  const auto exponent = [](int place) { return floor_of(place / 9.0); };
  const auto digit = [&](int place) { return place - 9 * exponent(place) + 1; };
  const auto value = [&](int place) { return decimal(digit(place), exponent(place)); };
  int first = 9 * floor_of(std::log10(range.low)), last = first;
  while (value(first + 1) <= range.low * (1 + rounding)) ++first;
  while (value(last) < range.high * (1 - rounding)) ++last;
  if (last - first < 2) --first, ++last;

  const int decades = exponent(last) - exponent(first) + 1, stride = (decades + most - 1) / most;
  const auto is_labelled = [&](int place, int level) {
    const int d = digit(place);
    return level == 2 || (level == 1 && (d == 2 || d == 5)) || (d == 1 && exponent(place) % stride == 0);
  };
  const auto labels = [&](int level) {
    int count = 0;
    for (int place = first; place <= last; ++place) count += is_labelled(place, level) ? 1 : 0;
    return count;
  };
  int level = 0;
  while (level < 2 && labels(level) < 3) ++level;

  const bool plain = value(first) >= 1e-3 && value(last) < 1e5;
  const auto label = [&](int place) {
    if (plain) return fmt::format("{:.{}f}", value(place), std::max(0, -exponent(place)));
    return fmt::format("{}10{}", digit(place) == 1 ? "" : fmt::format("{}×", digit(place)),
                       superscript(exponent(place)));
  };
  Ticks result;
  for (int place = first; place <= last; ++place) {
    if (stride > 1 && digit(place) != 1 && place != first && place != last) continue;
    result.push_back({value(place), is_labelled(place, level) ? label(place) : ""});
  }
  return result;
}

// 2^k with the prefixes of sizes.
std::string power_of_two(int k) {
  constexpr std::array<std::string_view, 7> prefixes = {"", " Ki", " Mi", " Gi", " Ti", " Pi", " Ei"};
  if (k < -9 || k >= 70) return fmt::format("2{}", superscript(k));
  if (k < 0) return fmt::format("1/{}", 1 << -k);
  return fmt::format("{}{}", 1 << k % 10, prefixes[static_cast<std::size_t>(k / 10)]);
}

Ticks octave_ticks(ValueRange range, int most) {
  int first = floor_of(std::log2(range.low)), last = ceil_of(std::log2(range.high));
  if (first == last) --first, ++last;
  int stride = 1;
  for (const int next : {2, 5, 10, 20, 50, 100, 200, 500}) {
    if ((last - first) / stride >= most) stride = next;
  }
  Ticks result;
  for (int k = first; k <= last; ++k)
    result.push_back({std::ldexp(1, k), k % stride == 0 ? power_of_two(k) : ""});
  return result;
}

Ticks ticks_of(const ChartAxis& axis, ValueRange range, bool upwards) {
  if (!axis.logarithmic) return linear_ticks(widened(range, upwards), upwards ? 6 : 8);
  if (range.empty()) range = {1, 10};
  return axis.log_base == 2 ? octave_ticks(range, upwards ? 9 : 12) : decade_ticks(range, upwards ? 6 : 8);
}

// Of the series at the left or at the right.
ValueRange range_upwards(const Chart& chart, bool right) {
  ValueRange range;
  for (const Series& series : chart.series) {
    if (series.right != right) continue;
    for (const Point& point : series.points) range.include(point.y);
  }
  return range;
}

}  // namespace

Scale x_scale(const Chart& chart) {
  ValueRange range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) range.include(point.x);
  }
  for (const Mark& mark : chart.marks) range.include(mark.x);
  return {chart.x.logarithmic, ticks_of(chart.x, range, false)};
}

Scale left_scale(const Chart& chart) {
  ValueRange range = range_upwards(chart, false);
  for (const Mark& mark : chart.marks) range.include(mark.y);
  return {chart.y.logarithmic, ticks_of(chart.y, range, true)};
}

Scale right_scale(const Chart& chart) {
  return {chart.right->logarithmic, ticks_of(*chart.right, range_upwards(chart, true), true)};
}

}  // namespace isotrope::io
