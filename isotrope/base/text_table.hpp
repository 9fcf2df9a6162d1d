// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A table as text for a terminal.
//
// Convention: two spaces before every column; a column is as wide as its widest text, or wider if a least width is
// given; no spaces at the end of a line. Widths are counted in bytes.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace isotrope {

enum class Alignment { left, right };

struct TextColumn {
  Alignment alignment = Alignment::right;
  std::size_t least_width = 0;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

  /// Appends a line, be it the heading or a row. @pre at most as many cells as columns.
  void add(std::vector<std::string> cells);

  /// All lines in the order in which they were added, each with a line end.
  std::string to_text() const;

 private:
  std::vector<TextColumn> columns_;  // least widths grow with the cells
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace isotrope
