// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/spelling.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/utf8.hpp"

namespace isotrope {
namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

// A byte as it stands in a message, if it is no part of a longer character.
std::string escaped(char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  if (value >= 0x20 && value < 0x7F) return {byte};
  return {'\\', 'x', digits[value / 16], digits[value % 16]};
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view given, std::span<const std::string_view> names) {
  constexpr std::size_t longest_sensible = 64;
  if (given.empty() || given.size() > longest_sensible) return {};
  const std::size_t reach = std::max<std::size_t>(2, given.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (std::string_view name : names) {
    const std::size_t distance = name.starts_with(given) ? 0 : edit_distance(given, name);
    if (distance <= reach) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> result;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) result.push_back(near[i].second);
  return result;
}

std::string name_hint(std::string_view given, std::span<const std::string_view> names) {
  const std::vector<std::string_view> near = nearest_names(given, names);
  std::string hint = near.empty() ? "known are " : "did you mean ";
  const char* separator = "";
  for (std::string_view name : near.empty() ? names : std::span<const std::string_view>(near))
    hint.append(std::exchange(separator, near.empty() ? ", " : " or ")).append(name);
  if (!near.empty()) hint += '?';
  return hint;
}

std::string excerpt(std::string_view text, std::size_t longest) {
  constexpr std::string_view dots = "...";
  std::string result;
  std::size_t before_dots = 0;  // bytes of `result` that leave room for the dots
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    if (result.size() + dots.size() <= longest) before_dots = result.size();
    result += length > 1 ? std::string(text.substr(0, length)) : escaped(text.front());
    if (result.size() > longest) return result.substr(0, before_dots).append(dots);
    text.remove_prefix(length);
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", excerpt(text, 60));
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    pieces.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

}  // namespace isotrope
