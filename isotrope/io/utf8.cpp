// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace isotrope::io {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The length of the sequence at the front of a text that is not empty, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const auto length = static_cast<std::size_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || length > text.size()) return 0;
  std::uint32_t code = lead & (0x7Fu >> length);
  for (char byte : text.substr(1, length - 1)) {
    if (!is_continuation(byte)) return 0;
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[length] || code > 0x10FFFF || is_surrogate ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string one_line(std::string_view text, std::size_t longest) {
  std::size_t end = std::min(text.size(), longest);
  while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
  std::string result(text.substr(0, end));
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  std::replace_if(result.begin(), result.end(), is_control, '?');
  if (end < text.size()) result += "...";
  return result;
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", one_line(text, 60));
}

}  // namespace isotrope::io
