// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of one document as CBOR (RFC 8949), every number in its shortest form and every length definite.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "isotrope/io/byte_buffer.hpp"
#include "isotrope/io/layout.hpp"

namespace isotrope::io {

/// The same functions as JsonWriter's; the layout is JSON's need and unused here.
class CborWriter {
 public:
  explicit CborWriter(std::ostream& out) : bytes_(out) {}

  /// An object of `count` keys.
  void begin_object(std::uint64_t count, Layout = Layout::line);
  /// An array of `count` elements.
  void begin_array(std::uint64_t count, Layout = Layout::line);
  void end() {}
  void key(std::string_view name) { text(name); }
  void number(std::uint64_t value);
  /// `value` must be UTF-8.
  void text(std::string_view value);
  void flag(bool value);
  /// To be called once, after the document.
  void finish() { bytes_.flush(); }

 private:
  ByteBuffer bytes_;
};

}  // namespace isotrope::io
