// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/svg.hpp"

#include <algorithm>
#include <cmath>

#include "isotrope/base/spelling.hpp"

namespace isotrope::io {
namespace {

// The text in lines, broken between words.
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

}  // namespace

double px(double value) {
  return std::round(100 * value) / 100;
}

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
  while (bytes > 0 && width_of(excerpt(text, bytes), size) > room) --bytes;
  return excerpt(text, bytes);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : excerpt(text, std::string_view::npos)) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return result;
}

void Svg::set_texts(const std::string& title, const std::string& note, double width) {
  whole_title_ = title;
  title_ = lines_of(title, title_size, width - 2 * edge);
  note_ = lines_of(note, note_size, width - 2 * edge);
}

void Svg::begin(double width, double height) {
  add("<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='{2}' fill='#222222'>\n<title>{3}</title>\n"
      "<rect width='{0}' height='{1}' fill='#ffffff'/>\n",
      width, height, text_size, escaped(whole_title_));
  add_lines(title_, edge + title_size, title_size, "font-weight='bold'");
}

std::string Svg::end(double height) {
  add_lines(note_, height - edge + 1.4 * note_size - note_height(), note_size, "fill='#555555'");
  add("</svg>\n");
  return std::move(out_);
}

void Svg::add_lines(const std::vector<std::string>& lines, double y, double size, std::string_view more) {
  for (const std::string& line : lines) {
    add("<text x='{}' y='{}' font-size='{}' {}>{}</text>\n", edge, px(y), size, more, escaped(line));
    y += height_of(1, size);
  }
}

}  // namespace isotrope::io
