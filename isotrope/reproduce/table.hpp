// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A paper's table, measured again: every cell holds what was measured beside what is printed.
//
//     printed = measured        "5"
//     known difference          "5 (6 a)", and below the table "a  why"
//     unknown difference        "5 (6 ?)"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isotrope::reproduce {

struct Cell {
  std::string measured;
  std::string printed = {};  ///< the same where equal
  std::string reason = {};   ///< why they differ; empty where they do not, or nobody knows

  bool equal() const { return measured == printed; }
  bool explained() const { return equal() || !reason.empty(); }
};

/// A number that was measured, beside one that is printed. The reason counts where they differ.
Cell cell(std::uint64_t measured, std::uint64_t printed, const std::string& reason = {});
/// The same with `decimals` digits after the point.
Cell cell(double measured, double printed, int decimals, const std::string& reason = {});

struct Row {
  std::string name;
  std::vector<Cell> cells;
};

struct Table {
  std::string title;
  std::string note = {};                  ///< what the cells mean
  std::vector<std::string> columns = {};  ///< without that of the row names
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
