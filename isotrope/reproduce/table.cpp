// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/table.hpp"

#include <algorithm>

#include <fmt/format.h>

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

// Columns as wide as their widest text.
std::string in_columns(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines) {
    text += fmt::format("  {:<{}}", line.front(), widths.front());
    for (std::size_t i = 1; i < line.size(); ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += '\n';
  }
  return text;
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
  std::vector<std::vector<std::string>> lines{{""}};
  lines.front().insert(lines.front().end(), table.columns.begin(), table.columns.end());
  for (const Row& row : table.rows) {
    lines.push_back({row.name});
    for (const Cell& cell : row.cells) lines.back().push_back(written(cell, reasons));
  }
  std::string text = fmt::format("{}\n", table.title);
  if (!table.note.empty()) text += fmt::format("  {}\n", table.note);
  return text + in_columns(lines) + reasons.to_text();
}

}  // namespace isotrope::reproduce
