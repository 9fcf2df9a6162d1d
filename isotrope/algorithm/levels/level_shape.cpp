// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/level_shape.hpp"

#include <fmt/format.h>

namespace isotrope::algorithm {

std::string to_string(const LevelShape& shape) {
  std::string result = shape.divisions == 0 ? "no" : fmt::format("{}", shape.divisions);
  result += shape.divisions == 1 ? " division" : " divisions";
  if (shape.grouped > 1) result += fmt::format(" by {}", shape.grouped);
  if (shape.program == LevelShape::Program::windows) result += ", windows";
  if (shape.program == LevelShape::Program::one_sided) result += ", one-sided windows";
  if (shape.program == LevelShape::Program::stages) result += ", stages";
  if (shape.program == LevelShape::Program::searched)
    result += fmt::format(", searched, {} message{} a step", shape.messages, shape.messages == 1 ? "" : "s");
  if (shape.joined > 1) result += fmt::format(", {} steps together", shape.joined);
  if (shape.copies > 1)
    result += fmt::format(", {} copies{}", shape.copies, shape.mirrored ? ", mirrored" : "");
  if (shape.regrouped) result += ", axes of 2 for 4";
  return result;
}

}  // namespace isotrope::algorithm
