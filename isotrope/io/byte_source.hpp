// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sources of bytes of the readers: a file, read chunk by chunk, or memory.
//
// Memory: one chunk, whatever the size of the file.
#pragma once

#include <filesystem>
#include <streambuf>
#include <string_view>
#include <vector>

#include "isotrope/io/plan_file.hpp"

namespace isotrope::io {

/// The bytes of a file. Calls `progress` with the share read after every chunk, which holds some 2^16 hops.
class FileBytes : public std::streambuf {
 public:
  /// @throws Error giving the reason, without the name, if `file` cannot be opened or is a directory.
  FileBytes(const std::filesystem::path& file, const Progress& progress);
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override;

 protected:
  /// @throws Error if the system fails to read.
  int_type underflow() override;

 private:
  const Progress& progress_;
  int descriptor_;
  std::uint64_t size_ = 0;  // 0 if unknown: a pipe
  std::uint64_t read_ = 0;
  std::vector<char> chunk_;
};

/// Bytes in memory, which must outlive this.
class MemoryBytes : public std::streambuf {
 public:
  explicit MemoryBytes(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // the get area is never written to
    setg(begin, begin, begin + bytes.size());
  }
};

}  // namespace isotrope::io
