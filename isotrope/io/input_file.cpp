// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/input_file.hpp"

#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::io {
namespace {

namespace fs = std::filesystem;

std::string_view kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a directory";
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "a device";
  }
}

bool is_opened_by_caller(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return file == "/dev/stdin" || folder == "/dev/fd" || folder == "/proc/self/fd";
}

}  // namespace

void require_regular(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::status_known(status) || !fs::exists(status) || fs::is_regular_file(status)) return;
  throw Error(fmt::format("{}: {} cannot be opened as a file: give the path of a regular file", file.string(),
                          kind_of(status.type())));
}

void require_input(const fs::path& file) {
  if (!is_opened_by_caller(file)) require_regular(file);
}

}  // namespace isotrope::io
