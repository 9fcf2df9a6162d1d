// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are written atomically.
//
// Method: the text goes to a new file in the same folder, NAME.partial.PID.N, which replaces the old
// file, by renaming, only after all bytes are written. On any error the new file is removed, and the old file remains
// unchanged. Symbolic links are followed: the file to which they lead is replaced, or created if it does not exist.
// A device or a pipe cannot be replaced and is written to directly, and so is an open file of this process, such as /dev/stdout.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace isotrope::io {

/// Replaces `file` by what `write` puts into the stream. The permissions are those of a new file.
/// @throws Error naming the file and the reason if it cannot be written, as when links form a loop; whatever `write`
/// throws is passed on.
void write_atomically(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace isotrope::io
