// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of pages: a plan each, on networks of every kind, and an index with their moving pictures.
#pragma once

#include <filesystem>

namespace isotrope::app {

/// Plans, proves and writes a dozen pages.
/// @throws Error if `folder` exists and is not empty, or cannot be written
void write_gallery(const std::filesystem::path& folder);

}  // namespace isotrope::app
