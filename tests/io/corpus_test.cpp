// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The seeds of the fuzzer: files named bad-* are refused, all others are read.
#include <filesystem>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/plan_file.hpp"

namespace isotrope::io {
namespace {

bool is_read(const std::filesystem::path& file) {
  try {
    read_plan(file);
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file.string() + ": ")) << error.what();
    return false;
  }
}

TEST(Corpus, is_read_or_refused_as_named) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ISOTROPE_CORPUS)) {
    const std::string name = entry.path().filename();
    EXPECT_EQ(is_read(entry.path()), !name.starts_with("bad-")) << name;
    ++count;
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace isotrope::io
