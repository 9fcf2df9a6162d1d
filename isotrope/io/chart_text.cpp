// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/chart_text.hpp"

#include <algorithm>

#include "isotrope/io/utf8.hpp"

namespace isotrope::io {

double height_of(std::size_t lines, double size) {
  return 1.4 * size * static_cast<double>(lines);
}

double width_of(std::string_view text, double size) {
  const auto begins_character = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return 0.6 * size * static_cast<double>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(const std::string& text, double size, double room) {
  if (width_of(text, size) <= room) return text;
  std::size_t bytes = text.size();
  while (bytes > 0 && width_of(one_line(text, bytes), size) > room) --bytes;
  return one_line(text, bytes);
}

std::vector<std::string> lines_of(std::string_view text, double size, double room) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!result.empty() && width_of(result.back(), size) + width_of(word, size) + size <= room) {
      result.back().append(" ").append(word);
    } else {
      result.emplace_back(word);
    }
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : one_line(text, text.size())) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace isotrope::io
