// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/document_writer.hpp"

#include <cbor.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace isotrope::io {
namespace {

// The head of an item: a type and a number of at most 8 bytes.
template <class Value>
void put_head(ByteBuffer& bytes, std::size_t (*encode)(Value, unsigned char*, std::size_t), Value value) {
  unsigned char head[9];
  const std::size_t length = encode(value, head, sizeof head);
  bytes.put({reinterpret_cast<const char*>(head), length});
}

}  // namespace

void JsonWriter::begin(char open, char close, Layout layout) {
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

// Writes the separator between two values, or before the first.
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

void CborWriter::begin_object(std::uint64_t count, Layout) {
  put_head<std::size_t>(bytes_, cbor_encode_map_start, count);
}

void CborWriter::begin_array(std::uint64_t count, Layout) {
  put_head<std::size_t>(bytes_, cbor_encode_array_start, count);
}

void CborWriter::number(std::uint64_t value) {
  put_head<std::uint64_t>(bytes_, cbor_encode_uint, value);
}

void CborWriter::text(std::string_view value) {
  put_head<std::size_t>(bytes_, cbor_encode_string_start, value.size());
  bytes_.put(value);
}

void CborWriter::flag(bool value) {
  put_head<bool>(bytes_, cbor_encode_bool, value);
}

}  // namespace isotrope::io
