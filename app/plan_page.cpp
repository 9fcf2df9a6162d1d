// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/plan_page.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/scene.hpp"

#include "app/describe.hpp"
#include "app/page_data.hpp"
#include "app/viewer_parts.hpp"

namespace isotrope::app {
namespace {

// In a script element no text may look like its end; JSON has "<" in texts only.
std::string json_in_html(const std::string& json) {
  std::string result;
  for (const char letter : json) letter == '<' ? result += "\\u003c" : result += letter;
  return result;
}

std::string json_of(const schedule::Plan& plan) {
  std::ostringstream out;
  io::write_plan(out, plan, io::PlanFormat::json);
  return out.str();
}

std::string json_of(const io::Coordinates& coordinates) {
  return coordinates.empty() ? "" : fmt::format("{}", coordinates);
}

}  // namespace

std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string result;
  while (true) {
    const std::size_t open = text.find("{{"), close = text.find("}}", open);
    if (close == std::string_view::npos) return result.append(text);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    result.append(text.substr(0, open));
    result.append(std::ranges::find(values, name, &std::pair<std::string_view, std::string>::first)->second);
    text.remove_prefix(close + 2);
  }
}

std::string html_text(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

std::string plan_page(const Subject& subject, const io::Coordinates& coordinates) {
  io::check_page_limits(subject.plan);
  const ViewerParts parts = viewer_parts();
  const bool checks = !parts.checker.empty();
  std::string title = headline(subject);
  title.pop_back();  // the end of the line
  return filled(parts.page, {{"title", html_text(title)},
                             {"style", std::string(parts.style)},
                             {"scripts", std::string(parts.scripts)},
                             {"plan", checks ? json_in_html(json_of(subject.plan)) : ""},
                             {"places", checks ? json_of(coordinates) : ""},
                             {"picture", checks ? "" : json_in_html(page_picture(subject, coordinates))},
                             {"checker", std::string(parts.checker)}});
}

}  // namespace isotrope::app
