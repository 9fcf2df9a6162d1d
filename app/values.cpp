// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/values.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "app/size.hpp"

namespace isotrope::app {
namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array time_units{TimeUnit{"", 1}, TimeUnit{"s", 1}, TimeUnit{"ms", 1e-3}, TimeUnit{"us", 1e-6},
                                TimeUnit{"ns", 1e-9}};

// A finite number, 0 or more, and what follows it; a negative number if there is none.
struct Measured {
  double number = -1;
  std::string_view unit;
};

Measured measured(const std::string& text) {
  const char* const end = text.data() + text.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return {};
  return {number, std::string_view(rest, static_cast<std::size_t>(end - rest))};
}

}  // namespace

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
  const Measured value = measured(text);
  for (const TimeUnit& unit : time_units) {
    if (value.number >= 0 && unit.name == value.unit) return value.number * unit.seconds;
  }
  throw Error(fmt::format("{} {}: give a time of 0 or more, as in 2us, 1.7ms, 0.1ns or 0.005 (seconds)",
                          option, text));
}

double fraction_value(const std::string& option, const std::string& text) {
  const Measured value = measured(text);
  if (value.number >= 0 && value.number <= 1 && value.unit.empty()) return value.number;
  throw Error(fmt::format("{} {}: give a fraction from 0 to 1, such as 0.2", option, text));
}

std::string file_value(const std::string& option, const std::string& text) {
  if (!text.empty()) return text;
  throw Error(
      fmt::format("{} '': the name is empty; give the name of a file, or leave the option out", option));
}

}  // namespace isotrope::app
