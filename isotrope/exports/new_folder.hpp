// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of files that appears complete or not at all.
//
// Method: the files are written into the folder NAME.partial.PID beside it, which is renamed when all files are
// complete, and removed on any error.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace isotrope::exports {

class NewFolder {
 public:
  /// @throws Error if `folder` exists and is not an empty folder, or no folder can be made beside it.
  explicit NewFolder(const std::filesystem::path& folder);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  /// Removes an unfinished folder.
  ~NewFolder();

  /// Adds a file with the output of `write`. @throws Error on failure; exceptions of `write` are passed on.
  void write(const std::string& name, const std::function<void(std::ostream&)>& write) const;

  /// Gives the folder its name. @pre called once, after the last file. @throws Error on failure
  void finish();

 private:
  std::filesystem::path folder_;
  std::filesystem::path partial_;
};

}  // namespace isotrope::exports
