// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/new_folder.hpp"

#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"

namespace isotrope::exports {

namespace fs = std::filesystem;

// The name loses a slash at its end, because a suffix is added.
NewFolder::NewFolder(const fs::path& folder)
    : folder_(folder.has_filename() ? folder : folder.parent_path()) {
  if (folder_.empty()) throw Error("no name for the folder: give one");
  std::error_code error;
  const bool is_empty_folder = fs::is_directory(folder_, error) && fs::is_empty(folder_, error);
  if (fs::exists(fs::symlink_status(folder_, error)) && !is_empty_folder)
    throw Error(fmt::format("{}: exists already; give the name of a new folder", folder_.string()));
  fs::path partial = folder_;
  partial += fmt::format(".partial.{}", ::getpid());
  if (!fs::create_directory(partial, error)) {
    throw Error(fmt::format("{}: cannot be made: {}", folder_.string(),
                            error ? error.message() : "the name for its parts is taken"));
  }
  partial_ = partial;
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

void NewFolder::write(const std::string& name, const std::function<void(std::ostream&)>& write) const {
  io::write_atomically(partial_ / name, write);
}

void NewFolder::finish() {
  std::error_code error;
  fs::rename(partial_, folder_, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
  partial_.clear();
}

}  // namespace isotrope::exports
