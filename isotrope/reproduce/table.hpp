// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A paper's table, measured again: every cell holds the measured value beside the printed one.
//
//     printed = measured        "5"
//     known difference          "5 (6 a)", and below the table "a  why"
//     unknown difference        "5 (6 ?)"
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace isotrope::reproduce {

struct Cell {
  std::string measured;
  std::string printed = {};
  std::string reason = {};  ///< of a difference; empty if there is none, or none is known

  bool equal() const { return measured == printed; }
  bool explained() const { return equal() || !reason.empty(); }
};

/// A measured number beside a printed one; the reason is kept if they differ.
Cell cell(std::uint64_t measured, std::uint64_t printed, const std::string& reason = {});
/// The same with `decimals` digits after the point.
Cell cell(double measured, double printed, int decimals, const std::string& reason = {});

struct Row {
  std::string name;
  std::vector<Cell> cells = {};
};

/// The row of cell_for(x) for x = first..last.
Row row_over(std::string name, std::uint32_t first, std::uint32_t last,
             const std::function<Cell(std::uint32_t)>& cell_for);

/// The column names "x = first".."x = last" for the variable `x`.
std::vector<std::string> columns_over(std::string_view x, std::uint32_t first, std::uint32_t last);

struct Table {
  std::string title;
  std::string note = {};                  ///< the meaning of the cells
  std::vector<std::string> columns = {};  ///< without the column of row names
  std::vector<Row> rows = {};
};

struct Score {
  std::uint64_t equal = 0;
  std::uint64_t explained = 0;    ///< different, with a reason
  std::uint64_t unexplained = 0;  ///< different, without one
};
Score score(const Table& table);

/// The table in columns, with its reasons below.
std::string to_text(const Table& table);

}  // namespace isotrope::reproduce
