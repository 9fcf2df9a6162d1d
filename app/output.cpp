// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <ostream>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"

namespace isotrope::app {
namespace {

[[noreturn]] void refuse() {
  const int reason = errno;
  throw Error(
      fmt::format("standard output cannot be written: {}; free the device, or write to a file with -o",
                  std::generic_category().message(reason)));
}

}  // namespace

void prepare_output() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Opened for the wrong direction, so that reading or writing the stream fails as on a closed one.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", mode);
  }
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void finish_output() {
  if (std::fflush(stdout) != 0) refuse();
}

void print_or_write(const OutputOptions& options, const std::string& text) {
  if (options.output.empty()) {
    print(text);
    return;
  }
  io::write_atomically(options.output, [&](std::ostream& out) { out << text; });
}

}  // namespace isotrope::app
