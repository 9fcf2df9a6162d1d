// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/text_table.hpp"

#include <gtest/gtest.h>

namespace isotrope {
namespace {

TEST(TextTable, aligns_its_columns) {
  TextTable table({{Alignment::left}, {}, {Alignment::right, 6}, {Alignment::left}});
  table.add({"name", "n", "time", "note"});
  table.add({"ring", "12345", "2", "b"});
  table.add({"hypercube", "7", "12", "longer"});
  EXPECT_EQ(table.to_text(),
            "  name           n    time  note\n"
            "  ring       12345       2  b\n"
            "  hypercube      7      12  longer\n");
}

TEST(TextTable, leaves_no_spaces_at_the_end_of_a_line) {
  TextTable table({{Alignment::left, 5}, {}});
  table.add({"a"});
  table.add({"", "x"});
  table.add({"b", ""});
  table.add({});
  EXPECT_EQ(table.to_text(), "  a\n         x\n  b\n\n");
}

TEST(TextTable, is_empty_without_lines) {
  EXPECT_EQ(TextTable(std::vector<TextColumn>(1)).to_text(), "");
}

}  // namespace
}  // namespace isotrope
