// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

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

// A new file beside `file`, removed again unless it is renamed.
class PartialFile {
 public:
  explicit PartialFile(const fs::path& file) : file_(file) {
    static std::atomic<unsigned> count = 0;
    partial_ = file;
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
    if (::rename(partial_.c_str(), file_.c_str()) != 0) refuse(file_, errno);
    partial_.clear();
  }

 private:
  fs::path file_;
  fs::path partial_;
};

}  // namespace

void write_atomically(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  std::error_code unknown;
  const fs::file_status status = fs::status(file, unknown);
  if (fs::is_directory(status)) refuse(file, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_through(file, file, write);

  const fs::path target =
      fs::is_symlink(fs::symlink_status(file, unknown)) ? fs::weakly_canonical(file) : file;
  PartialFile partial(target);
  write_through(partial.path(), file, write);
  partial.rename();
}

}  // namespace isotrope::io
