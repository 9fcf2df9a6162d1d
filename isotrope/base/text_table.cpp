// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/text_table.hpp"

#include <algorithm>

namespace isotrope {

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    columns_[i].least_width = std::max(columns_[i].least_width, cells[i].size());
  lines_.push_back(std::move(cells));
}

std::string TextTable::to_text() const {
  std::string text;
  for (const auto& cells : lines_) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(columns_[i].least_width - cells[i].size(), ' ');
      line += "  " + (columns_[i].alignment == Alignment::left ? cells[i] + padding : padding + cells[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace isotrope
