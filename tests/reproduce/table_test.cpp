// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/table.hpp"

#include <gtest/gtest.h>

namespace isotrope::reproduce {
namespace {

Table small_table() {
  return {"Title",
          "a note",
          {"n = 2", "n = 3"},
          {{"first", {cell(std::uint64_t{4}, 4), cell(std::uint64_t{5}, 6, "misprint")}},
           {"second", {cell(std::uint64_t{7}, 8, "misprint"), cell(1.2345, 1.25, 2)}}}};
}

TEST(Table, counts_equal_explained_and_unexplained_cells) {
  const Score found = score(small_table());
  EXPECT_EQ(found.equal, 1u);
  EXPECT_EQ(found.explained, 2u);
  EXPECT_EQ(found.unexplained, 1u);
}

TEST(Table, is_written_in_columns_with_reasons_below) {
  EXPECT_EQ(to_text(small_table()),
            "Title\n"
            "  a note\n"
            "            n = 2          n = 3\n"
            "  first         4        5 (6 a)\n"
            "  second  7 (8 a)  1.23 (1.25 ?)\n"
            "  a  misprint\n");
}

TEST(Cell, compares_what_is_written) {
  EXPECT_TRUE(cell(1.2345, 1.2349, 2).equal());
  EXPECT_FALSE(cell(1.2345, 1.24, 2).equal());
  EXPECT_FALSE(cell(std::uint64_t{1}, 2).explained());
  EXPECT_TRUE(cell(std::uint64_t{1}, 2, "why").explained());
  EXPECT_TRUE(cell(std::uint64_t{1}, 1, "why").reason.empty());
}

}  // namespace
}  // namespace isotrope::reproduce
