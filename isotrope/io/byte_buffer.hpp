// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes on their way to a stream, in pieces large enough that the stream's own cost does not count.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace isotrope::io {

/// Collects bytes and hands them to the stream, which must outlive this, a piece at a time.
class ByteBuffer {
 public:
  explicit ByteBuffer(std::ostream& out) : out_(out) { bytes_.reserve(piece + 64); }

  void put(char byte) { bytes_.push_back(byte); }
  void put(std::string_view bytes) {
    bytes_.append(bytes);
    if (bytes_.size() >= piece) flush();
  }

  /// Hands over what is left; to be called once at the end.
  void flush() {
    out_.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    bytes_.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 16;

  std::ostream& out_;
  std::string bytes_;
};

}  // namespace isotrope::io
