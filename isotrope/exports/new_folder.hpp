// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of files that is there whole or not at all.
//
// Method: the files are written into NAME.partial.PID beside it, which gets its name when all are complete.
// On any error it is removed again.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace isotrope::exports {

class NewFolder {
 public:
  /// @throws Error if `folder` exists and is not an empty folder, or none can be made beside it.
  explicit NewFolder(const std::filesystem::path& folder);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  /// Removes what is not finished.
  ~NewFolder();

  /// Puts what `write` puts into the stream into a file of this name.
  /// @throws Error if that fails; whatever `write` throws is passed on.
  void write(const std::string& name, const std::function<void(std::ostream&)>& write) const;

  /// Gives the folder its name; to be called once, at the end.
  /// @throws Error if that fails.
  void finish();

 private:
  std::filesystem::path folder_;
  std::filesystem::path partial_;
};

}  // namespace isotrope::exports
