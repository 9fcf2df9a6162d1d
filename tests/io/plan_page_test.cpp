// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The examples on the page of the plan file are read, and verify.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "isotrope/io/plan_file.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::io {
namespace {

// The JSON blocks that stand below a line "<!-- example: valid -->".
std::vector<std::string> examples() {
  std::ifstream page(ISOTROPE_PLAN_PAGE);
  std::vector<std::string> result;
  bool announced = false, inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "<!-- example: valid -->") {
      announced = true;
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      result.back() += line + "\n";
    } else if (announced && line == "```json") {
      announced = false;
      inside = true;
      result.emplace_back();
    }
  }
  return result;
}

TEST(PlanPage, examples_verify) {
  const std::vector<std::string> texts = examples();
  ASSERT_EQ(texts.size(), 4u);
  for (const std::string& text : texts) {
    const verify::Report report = verify::verify(read_plan(text, PlanFormat::json, "plan-file.md"));
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << text;
  }
  EXPECT_LT(std::ranges::count(texts[0], '\n'), 15) << "a plan by hand takes less than 15 lines";
}

}  // namespace
}  // namespace isotrope::io
