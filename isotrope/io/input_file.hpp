// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files are opened for reading. Opening or reading a FIFO, a socket or a terminal may wait for ever, so these are
// refused before they are opened.
#pragma once

#include <filesystem>

namespace isotrope::io {

/// Takes a regular file, and a path that is missing or may not be read: opening that fails at once.
/// @throws Error, which names the path and its kind, for all other files
void require_regular(const std::filesystem::path& file);

/// Takes also what the caller has opened: /dev/stdin, /dev/fd/N, /proc/self/fd/N; a shell's <(...) is one of these.
/// @throws Error as above
void require_input(const std::filesystem::path& file);

}  // namespace isotrope::io
