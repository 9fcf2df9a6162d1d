// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/text_table.hpp"

namespace isotrope::reproduce {
namespace {

// The text of a cell; its reason joins `reasons`, which are lettered in order.
std::string written(const Cell& cell, std::vector<std::string>& reasons) {
  if (cell.equal()) return cell.measured;
  char mark = '?';
  if (!cell.reason.empty()) {
    const auto index = std::find(reasons.begin(), reasons.end(), cell.reason) - reasons.begin();
    if (index == std::ssize(reasons)) reasons.push_back(cell.reason);
    mark = static_cast<char>('a' + index);
  }
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

Row row_over(std::string name, std::uint32_t first, std::uint32_t last,
             const std::function<Cell(std::uint32_t)>& cell_for) {
  Row row{std::move(name)};
  for (std::uint32_t x = first; x <= last; ++x) row.cells.push_back(cell_for(x));
  return row;
}

std::vector<std::string> columns_over(std::string_view x, std::uint32_t first, std::uint32_t last) {
  std::vector<std::string> columns;
  for (std::uint32_t value = first; value <= last; ++value)
    columns.push_back(fmt::format("{} = {}", x, value));
  return columns;
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
  std::vector<std::string> reasons;
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
  text += cells.to_text();
  for (std::size_t i = 0; i < reasons.size(); ++i)
    text += fmt::format("  {}  {}\n", static_cast<char>('a' + i), reasons[i]);
  return text;
}

}  // namespace isotrope::reproduce
