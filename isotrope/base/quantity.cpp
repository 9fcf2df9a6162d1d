// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope {
namespace {

constexpr std::array size_units{Unit{"", 1},         Unit{"B", 1},        Unit{"KiB", 0x1p10},
                                Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40},
                                Unit{"kB", 1e3},     Unit{"KB", 1e3},     Unit{"MB", 1e6},
                                Unit{"GB", 1e9},     Unit{"TB", 1e12}};

// A number with one of `units`, multiplied; -1 if the text is no such value.
double number_with_unit(std::string_view text, std::span<const Unit> units, std::chars_format format,
                        bool may_have_blanks) {
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

double quantity(std::string_view text, std::span<const Unit> units) {
  return number_with_unit(text, units, std::chars_format::general, false);
}

std::uint64_t parse_size(std::string_view text) {
  const double bytes = number_with_unit(text, size_units, std::chars_format::fixed, true);
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

}  // namespace isotrope
