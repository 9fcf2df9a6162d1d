// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The examples on the pages of the plan file and of the network file are read; plans verify.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "isotrope/io/network_file.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/io/temporary_folder.hpp"
#include "tests/page_examples.hpp"

namespace isotrope::io {
namespace {

TEST(PlanPage, examples_verify) {
  const std::vector<std::string> texts = examples_of(ISOTROPE_PLAN_PAGE, "valid");
  ASSERT_EQ(texts.size(), 6U);
  for (const std::string& text : texts) {
    const verify::Report report = verify::verify(read_plan(text, PlanFormat::json, "plan-file.md"));
    EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << text;
  }
  EXPECT_LT(std::ranges::count(texts[0], '\n'), 15) << "a plan by hand takes less than 15 lines";
}

TEST(NetworkPage, examples_are_networks) {
  const std::vector<std::string> texts = examples_of(ISOTROPE_NETWORK_PAGE, "valid");
  ASSERT_EQ(texts.size(), 3u);
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "network.json";
  for (const std::string& text : texts) {
    std::ofstream(file) << text;
    EXPECT_TRUE(is_network_file(file)) << text;
    EXPECT_GE(read_network_file(file).named.network.order(), 3) << text;
  }
}

}  // namespace
}  // namespace isotrope::io
