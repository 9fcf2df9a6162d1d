// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of one document as JSON (RFC 8259) or as CBOR (RFC 8949).
//
// The JSON is made for people, who read and compare it line by line. Every value of a container of layout `lines`
// stands on its own line, two blanks deeper; everything else stands on one line:
//
//     "hops": [
//       [[0,0,0],[1,0,1]],
//       [[0,1,1]]
//     ]
//
// The CBOR has every number in its shortest form, and every length is definite.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "isotrope/io/byte_buffer.hpp"

namespace isotrope::io {

/// The place of the values of an object or array in a text: the line of the container, or one line each.
enum class Layout { line, lines };

/// The same functions as CborWriter's; only CBOR needs the counts.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : bytes_(out) {}

  /// An object of `count` keys.
  void begin_object(std::uint64_t /*count*/, Layout layout = Layout::line) { begin('{', '}', layout); }
  /// An array of `count` elements.
  void begin_array(std::uint64_t /*count*/, Layout layout = Layout::line) { begin('[', ']', layout); }
  /// Ends the innermost object or array.
  void end();
  void key(std::string_view name);
  void number(std::uint64_t value);
  /// `value` must be UTF-8.
  void text(std::string_view value);
  void flag(bool value);
  /// To be called once, after the document.
  void finish();

 private:
  struct Container {
    char close;
    Layout layout;
    bool empty = true;
  };

  void begin(char open, char close, Layout layout);
  void separate();
  void new_line();

  ByteBuffer bytes_;
  std::vector<Container> open_;
  bool after_key_ = false;
};

/// The same functions as JsonWriter's; only JSON needs the layout.
class CborWriter {
 public:
  explicit CborWriter(std::ostream& out) : bytes_(out) {}

  void begin_object(std::uint64_t count, Layout = Layout::line);
  void begin_array(std::uint64_t count, Layout = Layout::line);
  void end() {}
  void key(std::string_view name) { text(name); }
  void number(std::uint64_t value);
  void text(std::string_view value);
  void flag(bool value);
  void finish() { bytes_.flush(); }

 private:
  ByteBuffer bytes_;
};

}  // namespace isotrope::io
