// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads whole files: regular ones (input_file.hpp).
#pragma once

#include <filesystem>
#include <string>

namespace isotrope::io {

/// The content of `file`. @throws Error naming the file if it is no regular file or cannot be read
std::string read_text(const std::filesystem::path& file);

}  // namespace isotrope::io
