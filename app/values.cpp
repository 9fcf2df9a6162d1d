// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::app {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr std::array size_units{Unit{"", 1},         Unit{"B", 1},        Unit{"KiB", 0x1p10},
                                Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40},
                                Unit{"kB", 1e3},     Unit{"KB", 1e3},     Unit{"MB", 1e6},
                                Unit{"GB", 1e9},     Unit{"TB", 1e12}};
constexpr std::array time_units{Unit{"", 1}, Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6},
                                Unit{"ns", 1e-9}};
constexpr std::array no_units{Unit{"", 1}};

// A number with one of `units`, multiplied; -1 if the text is no such value, not finite or negative.
double measured(std::string_view text, std::span<const Unit> units,
                std::chars_format format = std::chars_format::general, bool may_have_blanks = false) {
  const char* const end = text.data() + text.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, number, format);
  std::string_view name(rest, static_cast<std::size_t>(end - rest));
  while (may_have_blanks && name.starts_with(' ')) name.remove_prefix(1);
  const auto unit = std::ranges::find(units, name, &Unit::name);
  const bool known = error == std::errc{} && unit != units.end() && std::isfinite(number) && number >= 0;
  return known ? number * unit->factor : -1;
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  const double bytes = measured(text, size_units, std::chars_format::fixed, true);
  if (bytes >= 1 && bytes <= static_cast<double>(largest_size) && bytes == std::floor(bytes))
    return static_cast<std::uint64_t>(bytes);
  throw Error(fmt::format("size '{}': give 1 B to 1 TiB, as in 512, 64KiB, 1.5MiB or 10MB", text));
}

std::string format_size(std::uint64_t bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024 && unit + 1 < names.size()) {
    value /= 1024;
    ++unit;
  }
  return value == std::floor(value) ? fmt::format("{:.0f} {}", value, names[unit])
                                    : fmt::format("{:.1f} {}", value, names[unit]);
}

std::vector<std::uint64_t> sizes_between(std::uint64_t from, std::uint64_t to, std::uint64_t factor) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t size = from; size < to; size *= factor) result.push_back(size);
  result.push_back(to);
  return result;
}

std::uint64_t whole_value(const std::string& option, const std::string& text) {
  if (const auto number = whole_number(text)) return *number;
  throw Error(fmt::format("{} {}: give a whole number", option, text));
}

std::uint64_t count_value(const std::string& option, const std::string& text, std::uint64_t most) {
  const std::uint64_t number = whole_value(option, text);
  if (number >= 1 && number <= most) return number;
  throw Error(fmt::format("{} {}: give 1 to {}", option, text, most));
}

std::uint64_t size_value(const std::string& option, const std::string& text) {
  try {
    return parse_size(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", option, error.what()));
  }
}

double seconds_value(const std::string& option, const std::string& text) {
  if (const double seconds = measured(text, time_units); seconds >= 0) return seconds;
  throw Error(fmt::format("{} {}: give a time of 0 or more, as in 2us, 1.7ms, 0.1ns or 0.005 (seconds)",
                          option, text));
}

double time_limit_value(const std::string& option, const std::string& text) {
  if (const double seconds = measured(text, time_units); seconds > 0) return seconds;
  throw Error(fmt::format("{} {}: give a time above 0, as in 2s, 500ms or 0.5 (seconds)", option, text));
}

double fraction_value(const std::string& option, const std::string& text) {
  if (const double value = measured(text, no_units); value >= 0 && value <= 1) return value;
  throw Error(fmt::format("{} {}: give a fraction from 0 to 1, such as 0.2", option, text));
}

std::string file_value(const std::string& option, const std::string& text) {
  if (!text.empty()) return text;
  throw Error(
      fmt::format("{} '': the name is empty; give the name of a file, or leave the option out", option));
}

}  // namespace isotrope::app
