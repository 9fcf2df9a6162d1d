// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/json_writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace isotrope::io {

void JsonWriter::begin(char open, char close, std::uint64_t, Layout layout) {
  separate();
  bytes_.put(open);
  open_.push_back({close, layout});
}

void JsonWriter::end() {
  const Container done = open_.back();
  open_.pop_back();
  if (done.layout == Layout::lines && !done.empty) new_line();
  bytes_.put(done.close);
}

void JsonWriter::key(std::string_view name) {
  text(name);
  bytes_.put(": ");
  after_key_ = true;
}

void JsonWriter::number(std::uint64_t value) {
  separate();
  const fmt::format_int digits(value);
  bytes_.put({digits.data(), digits.size()});
}

void JsonWriter::text(std::string_view value) {
  separate();
  bytes_.put(nlohmann::json(value).dump());
}

void JsonWriter::flag(bool value) {
  separate();
  bytes_.put(value ? "true" : "false");
}

void JsonWriter::finish() {
  bytes_.put('\n');
  bytes_.flush();
}

// What stands between two values, or before the first.
void JsonWriter::separate() {
  if (after_key_ || open_.empty()) {
    after_key_ = false;
    return;
  }
  Container& top = open_.back();
  if (!top.empty) bytes_.put(',');
  if (top.layout == Layout::lines) {
    new_line();
  } else if (!top.empty && top.close == '}') {
    bytes_.put(' ');
  }
  top.empty = false;
}

void JsonWriter::new_line() {
  bytes_.put('\n');
  for (std::size_t depth = 0; depth < open_.size(); ++depth) bytes_.put("  ");
}

}  // namespace isotrope::io
