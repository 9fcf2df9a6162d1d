// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/values.hpp"

#include <array>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/machine_file.hpp"

namespace isotrope::app {
namespace {

constexpr std::array time_units{Unit{"", 1},      Unit{"s", 1},     Unit{"ms", 1e-3},
                                Unit{"us", 1e-6}, Unit{"ns", 1e-9}, Unit{"ps", 1e-12}};
constexpr std::array no_units{Unit{"", 1}};

}  // namespace

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
  if (const double seconds = quantity(text, time_units); seconds >= 0 && seconds <= io::longest_time_s)
    return seconds + 0.0;  // -0 is 0
  throw Error(
      fmt::format("{} {}: give a time of 0 to 1e9 seconds in s, ms, us, ns or ps, as in 2us, 1.7ms, 0.1ns or "
                  "0.005 (seconds)",
                  option, text));
}

double time_limit_value(const std::string& option, const std::string& text) {
  if (const double seconds = quantity(text, time_units); seconds > 0) return seconds;
  throw Error(fmt::format("{} {}: give a time above 0, as in 2s, 500ms or 0.5 (seconds)", option, text));
}

double fraction_value(const std::string& option, const std::string& text) {
  if (const double value = quantity(text, no_units); value >= 0 && value <= 1) return value;
  throw Error(fmt::format("{} {}: give a fraction from 0 to 1, such as 0.2", option, text));
}

std::string text_value(const std::string& option, const std::string& text) {
  if (!text.empty()) return text;
  throw Error(fmt::format("{} '': the value is empty; give one, or leave the option out", option));
}

std::string output_value(const std::string& option, const std::string& text) {
  if (text != "-") return text_value(option, text);
  throw Error(fmt::format("{} -: give the name of a file, such as /dev/stdout", option));
}

}  // namespace isotrope::app
