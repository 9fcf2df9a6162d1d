// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <istream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/spelling.hpp"

#include "isotrope/io/document_reader.hpp"

namespace isotrope::io {
namespace {

using nlohmann::json;

// The library's message is "[json.exception.parse_error.101] parse error at line 1, column 2: what", or
// without a place for a number that is too large to be one.
std::string without_prefix(std::string_view message, std::size_t position) {
  constexpr std::string_view prefix = "parse error at ";
  message.remove_prefix(std::min(message.size(), message.find("] ") + 2));
  if (!message.starts_with(prefix)) return fmt::format("byte {}: {}", position, message);
  return std::string(message.substr(prefix.size()));
}

// The names and results of these functions are the JSON library's.
class Events : public nlohmann::json_sax<json> {
 public:
  explicit Events(PlanSchema& schema) : schema_(schema) {}

  bool null() override { schema_.other("null"); }
  bool boolean(bool value) override { return schema_.flag(value), true; }
  bool number_integer(number_integer_t value) override { schema_.other(fmt::format("{}", value)); }
  bool number_unsigned(number_unsigned_t value) override { return schema_.number(value), true; }
  bool number_float(number_float_t, const string_t& digits) override { schema_.other(in_quotes(digits)); }
  bool string(string_t& value) override { return schema_.text(value), true; }
  bool binary(binary_t&) override { schema_.other("bytes"); }
  bool start_object(std::size_t) override { return schema_.begin_object(), true; }
  bool key(string_t& name) override { return schema_.key(name), true; }
  bool end_object() override { return schema_.end_object(), true; }
  bool start_array(std::size_t) override { return schema_.begin_array(), true; }
  bool end_array() override { return schema_.end_array(), true; }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    throw SyntaxError(without_prefix(error.what(), position));
  }

 private:
  PlanSchema& schema_;
};

}  // namespace

void read_json(std::streambuf& bytes, PlanSchema& schema) {
  std::istream in(&bytes);
  Events events(schema);
  json::sax_parse(in, &events);
  // The library takes a NUL for the end of the file.
  if (bytes.sungetc() == '\0') throw SyntaxError("a NUL byte stands after the end of the plan");
}

}  // namespace isotrope::io
