// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, int reason) {
  throw Error(
      fmt::format("{}: cannot be written: {}", file.string(),
                  reason == 0 ? std::string("the stream failed") : std::generic_category().message(reason)));
}

void write_through(const fs::path& target, const fs::path& file,
                   const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(target, std::ios::binary);
  if (!out) refuse(file, errno);
  write(out);
  out.close();
  if (!out) refuse(file, errno);
}

// A new file beside `target`, removed again unless it is renamed; messages name `file`.
class PartialFile {
 public:
  PartialFile(fs::path target, fs::path file) : target_(std::move(target)), file_(std::move(file)) {
    static std::atomic<unsigned> count = 0;
    partial_ = target_;
    partial_ += fmt::format(".partial.{}.{}", ::getpid(), count++);
    const int descriptor = ::open(partial_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) refuse(file_, errno);
    ::close(descriptor);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    if (!partial_.empty()) ::unlink(partial_.c_str());
  }

  const fs::path& path() const { return partial_; }

  void rename() {
    if (::rename(partial_.c_str(), target_.c_str()) != 0) refuse(file_, errno);
    partial_.clear();
  }

 private:
  fs::path target_;
  fs::path file_;
  fs::path partial_;
};

// The open file of this process that a path like /dev/fd/1 means.
std::optional<int> descriptor_of(const fs::path& path) {
  std::error_code failed;
  const std::string name = path.filename().string();
  int descriptor = -1;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), descriptor);
  const bool is_number = code == std::errc() && end == name.data() + name.size();
  if (!is_number || !fs::equivalent(path.parent_path(), "/proc/self/fd", failed)) return std::nullopt;
  return descriptor;
}

// Behind what is there: others write to it too.
void write_to(int descriptor, const fs::path& file, const std::function<void(std::ostream&)>& write) {
  std::ostringstream stream;
  write(stream);
  const std::string text = std::move(stream).str();
  std::fflush(nullptr);
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) refuse(file, errno);
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

// The file that a chain of symbolic links leads to, whether it exists or not, or an open file of this process.
std::variant<fs::path, int> target_of(const fs::path& file) {
  constexpr int most_links = 40;  // as the system allows
  fs::path target = file;
  for (int links = 0; links < most_links; ++links) {
    if (const auto descriptor = descriptor_of(target)) return *descriptor;
    std::error_code failed;
    const fs::path next = fs::read_symlink(target, failed);
    if (failed) return target;  // no link
    target = target.parent_path() / next;
  }
  refuse(file, ELOOP);
}

}  // namespace

void write_atomically(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const auto found = target_of(file);
  if (const int* descriptor = std::get_if<int>(&found)) return write_to(*descriptor, file, write);
  const auto& target = std::get<fs::path>(found);
  std::error_code unknown;
  const fs::file_status status = fs::status(target, unknown);
  if (fs::is_directory(status)) refuse(file, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_through(target, file, write);

  PartialFile partial(target, file);
  write_through(partial.path(), file, write);
  partial.rename();
}

}  // namespace isotrope::io
