// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/text_table.hpp"

namespace isotrope::reproduce {
namespace {

// The reasons of a table, each with a letter, in the order in which they occur.
class Reasons {
 public:
  char letter(const std::string& reason) {
    const auto found = std::find(reasons_.begin(), reasons_.end(), reason);
    const auto index = static_cast<char>(found - reasons_.begin());
    if (found == reasons_.end()) reasons_.push_back(reason);
    return static_cast<char>('a' + index);
  }
  std::string to_text() const {
    std::string text;
    for (std::size_t i = 0; i < reasons_.size(); ++i)
      text += fmt::format("  {}  {}\n", static_cast<char>('a' + i), reasons_[i]);
    return text;
  }

 private:
  std::vector<std::string> reasons_;
};

std::string written(const Cell& cell, Reasons& reasons) {
  if (cell.equal()) return cell.measured;
  const char mark = cell.reason.empty() ? '?' : reasons.letter(cell.reason);
  return fmt::format("{} ({} {})", cell.measured, cell.printed, mark);
}

}  // namespace

Cell cell(std::uint64_t measured, std::uint64_t printed, const std::string& reason) {
  return {fmt::format("{}", measured), fmt::format("{}", printed), measured == printed ? "" : reason};
}

Cell cell(double measured, double printed, int decimals, const std::string& reason) {
  Cell result{fmt::format("{:.{}f}", measured, decimals), fmt::format("{:.{}f}", printed, decimals), reason};
  if (result.equal()) result.reason.clear();
  return result;
}

Score score(const Table& table) {
  Score result;
  for (const Row& row : table.rows) {
    for (const Cell& cell : row.cells) {
      ++(cell.equal() ? result.equal : cell.explained() ? result.explained : result.unexplained);
    }
  }
  return result;
}

std::string to_text(const Table& table) {
  Reasons reasons;
  std::vector<TextColumn> columns(1 + table.columns.size());
  columns.front().alignment = Alignment::left;
  TextTable cells(std::move(columns));
  std::vector<std::string> heading{""};
  heading.insert(heading.end(), table.columns.begin(), table.columns.end());
  cells.add(std::move(heading));
  for (const Row& row : table.rows) {
    std::vector<std::string> line{row.name};
    for (const Cell& cell : row.cells) line.push_back(written(cell, reasons));
    cells.add(std::move(line));
  }
  std::string text = fmt::format("{}\n", table.title);
  if (!table.note.empty()) text += fmt::format("  {}\n", table.note);
  return text + cells.to_text() + reasons.to_text();
}

}  // namespace isotrope::reproduce
