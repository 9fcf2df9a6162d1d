// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/cbor_writer.hpp"

#include <cbor.h>

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
