// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/new_folder.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/io/temporary_folder.hpp"

namespace isotrope::exports {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(NewFolder, is_there_when_finished) {
  const io::TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "traces";
  NewFolder files(folder);
  files.write("one", [](std::ostream& out) { out << "text"; });
  EXPECT_FALSE(fs::exists(folder));
  files.finish();
  std::string text;
  std::ifstream(folder / "one") >> text;
  EXPECT_EQ(text, "text");
  EXPECT_EQ(files_in(temporary.path()), 1);
}

TEST(NewFolder, leaves_nothing_behind_on_errors) {
  const io::TemporaryFolder temporary;
  const auto write = [&] {
    const NewFolder files(temporary.path() / "traces");
    files.write("one", [](std::ostream& out) { out << "text"; });
    files.write("two", [](std::ostream&) { throw std::runtime_error("no"); });
  };
  EXPECT_THROW(write(), std::runtime_error);
  EXPECT_EQ(files_in(temporary.path()), 0);
}

TEST(NewFolder, takes_the_place_of_an_empty_one_only) {
  const io::TemporaryFolder temporary;
  fs::create_directory(temporary.path() / "traces");
  NewFolder files(temporary.path() / "traces/");
  files.write("one", [](std::ostream& out) { out << "text"; });
  files.finish();
  EXPECT_THROW(NewFolder(temporary.path() / "traces"), Error);
  EXPECT_THROW(NewFolder(temporary.path() / "traces" / "one"), Error);
  EXPECT_THROW(NewFolder(temporary.path() / "no" / "traces"), Error);
  EXPECT_THROW(NewFolder(""), Error);
  EXPECT_EQ(files_in(temporary.path()), 1);
}

}  // namespace
}  // namespace isotrope::exports
