// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "app/values.hpp"

namespace isotrope::app {
namespace {

TEST(Size, reads_what_people_write) {
  EXPECT_EQ(parse_size("512"), 512u);
  EXPECT_EQ(parse_size("512B"), 512u);
  EXPECT_EQ(parse_size("64KiB"), 65536u);
  EXPECT_EQ(parse_size("64 KiB"), 65536u);
  EXPECT_EQ(parse_size("1.5MiB"), 1572864u);
  EXPECT_EQ(parse_size("10MB"), 10000000u);
  EXPECT_EQ(parse_size("1kB"), 1000u);
  EXPECT_EQ(parse_size("1TiB"), largest_size);
}

TEST(Size, prints_in_the_largest_unit) {
  EXPECT_EQ(format_size(512), "512 B");
  EXPECT_EQ(format_size(65536), "64 KiB");
  EXPECT_EQ(format_size(1572864), "1.5 MiB");
}

TEST(Size, refuses_what_is_no_size) {
  for (const char* text :
       {"", "0", "0KiB", "-1", "KiB", "1XiB", "1.3B", "2TiB", "1e3", "64KiBs", "nan", "0x10", " 1"}) {
    EXPECT_THROW(parse_size(text), Error) << text;
  }
}

}  // namespace
}  // namespace isotrope::app
