// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/size.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::app {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array units{Unit{"", 1},         Unit{"B", 1},        Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
                           Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}, Unit{"kB", 1e3},     Unit{"KB", 1e3},
                           Unit{"MB", 1e6},     Unit{"GB", 1e9},     Unit{"TB", 1e12}};

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  double number = 0;
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string_view name(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (name.starts_with(' ')) name.remove_prefix(1);
  for (const Unit& unit : units) {
    if (error != std::errc{} || unit.name != name) continue;
    const double bytes = number * unit.bytes;
    if (bytes >= 1 && bytes <= static_cast<double>(largest_size) && bytes == std::floor(bytes)) {
      return static_cast<std::uint64_t>(bytes);
    }
  }
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

}  // namespace isotrope::app
