// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::io {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 19;

[[noreturn]] void refuse(int reason) {
  throw Error(fmt::format("cannot be read: {}", std::generic_category().message(reason)));
}

int opened(const std::filesystem::path& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(std::filesystem::status(file, unknown))) refuse(EISDIR);
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(errno);
  return descriptor;
}

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& file, const Progress& progress)
    : progress_(progress), descriptor_(opened(file)), chunk_(chunk_size) {
  struct stat status = {};
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
}

FileBytes::~FileBytes() {
  ::close(descriptor_);
}

FileBytes::int_type FileBytes::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  ssize_t count;
  do {
    count = ::read(descriptor_, chunk_.data(), chunk_.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) refuse(errno);
  read_ += static_cast<std::uint64_t>(count);
  if (progress_ && size_ > 0) {
    progress_(std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)));
  }
  setg(chunk_.data(), chunk_.data(), chunk_.data() + count);
  return count == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

}  // namespace isotrope::io
