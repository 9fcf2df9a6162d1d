// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One protobuf message under construction, in its wire format.
//
//     field     key = number * 8 + kind, then     kind 0: a varint     kind 2: a length and so many bytes
//     varint    7 bits a byte, the lowest first, the highest bit set in all but the last
//
// Source: the protocol buffers encoding guide.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isotrope::exports {

class ProtobufMessage {
 public:
  /// An unsigned or enumerated field, or a signed one that is not negative. Written even where it is 0, which
  /// a member of a oneof needs.
  void add(std::uint32_t field, std::uint64_t value) {
    put_varint(std::uint64_t{field} << 3U);
    put_varint(value);
  }
  /// A string or a message.
  void add(std::uint32_t field, std::string_view bytes) {
    put_varint((std::uint64_t{field} << 3U) | 2U);
    put_varint(bytes.size());
    bytes_ += bytes;
  }
  /// A packed repeated field; an empty one is left out.
  void add(std::uint32_t field, std::span<const std::uint64_t> values) {
    if (values.empty()) return;
    ProtobufMessage packed;
    for (const std::uint64_t value : values) packed.put_varint(value);
    add(field, packed.bytes());
  }
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(value | 0x80U));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace isotrope::exports
