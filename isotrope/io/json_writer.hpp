// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of one document as JSON that a person can read and compare line by line.
//
// Convention: what is told to stand in `lines` has each of its values on a line of its own, two blanks
// deeper; everything else stands on one line:
//
//     "hops": [
//       [[0,0,0],[1,0,1]],
//       [[0,1,1]]
//     ]
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "isotrope/io/byte_buffer.hpp"
#include "isotrope/io/layout.hpp"

namespace isotrope::io {

/// The same functions as CborWriter's; the counts are CBOR's need and unused here.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : bytes_(out) {}

  void begin_object(std::uint64_t count, Layout layout = Layout::line) { begin('{', '}', count, layout); }
  void begin_array(std::uint64_t count, Layout layout = Layout::line) { begin('[', ']', count, layout); }
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

  void begin(char open, char close, std::uint64_t count, Layout layout);
  void separate();
  void new_line();

  ByteBuffer bytes_;
  std::vector<Container> open_;
  bool after_key_ = false;
};

}  // namespace isotrope::io
