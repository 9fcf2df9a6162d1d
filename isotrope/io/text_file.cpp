// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/input_file.hpp"

namespace isotrope::io {

std::string read_text(const std::filesystem::path& file) {
  require_regular(file);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad() || !in.is_open())
    throw Error(
        fmt::format("{}: cannot read this file: {}", file.string(), std::generic_category().message(errno)));
  return text;
}

}  // namespace isotrope::io
