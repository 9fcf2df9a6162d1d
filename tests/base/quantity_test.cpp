// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/quantity.hpp"

#include <array>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope {
namespace {

TEST(Quantity, reads_sizes) {
  EXPECT_EQ(parse_size("512"), 512u);
  EXPECT_EQ(parse_size("512B"), 512u);
  EXPECT_EQ(parse_size("64KiB"), 65536u);
  EXPECT_EQ(parse_size("64 KiB"), 65536u);
  EXPECT_EQ(parse_size("1.5MiB"), 1572864u);
  EXPECT_EQ(parse_size("10MB"), 10000000u);
  EXPECT_EQ(parse_size("1kB"), 1000u);
  EXPECT_EQ(parse_size("1TiB"), largest_size);
}

TEST(Quantity, prints_in_the_largest_unit) {
  EXPECT_EQ(format_size(512), "512 B");
  EXPECT_EQ(format_size(65536), "64 KiB");
  EXPECT_EQ(format_size(1572864), "1.5 MiB");
}

TEST(Quantity, refuses_what_is_no_size) {
  for (const char* text :
       {"", "0", "0KiB", "-1", "KiB", "1XiB", "1.3B", "2TiB", "1e3", "64KiBs", "nan", "0x10", " 1"}) {
    EXPECT_THROW(parse_size(text), Error) << text;
  }
}

TEST(Quantity, multiplies_by_the_unit) {
  constexpr std::array units{Unit{"s", 1}, Unit{"ms", 1e-3}};
  EXPECT_DOUBLE_EQ(quantity("2.5ms", units), 2.5e-3);
  EXPECT_DOUBLE_EQ(quantity("1e3s", units), 1000);
  for (const char* text : {"", "2", "2 ms", "-1s", "infs", "2us"})
    EXPECT_EQ(quantity(text, units), -1) << text;
}

}  // namespace
}  // namespace isotrope
