// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are replaced whole or not at all.
//
// Method: the text goes to a new file in the same folder, NAME.partial.PID.N, which is renamed over the old
// one only after every byte was accepted. On any error the new file is removed and the old one stays as it
// was. Symbolic links are followed, so that the file they lead to is replaced, or made if it does not exist. A device
// or a pipe cannot be replaced and is written to directly.
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
