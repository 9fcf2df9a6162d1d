// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// verify --with: the exit status of another program is a second verdict, and a contradiction is never silent.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

class VerifyWith : public Cli {
 protected:
  VerifyWith() {
    run("plan --network ring:4 --collective allgather -o plan.json");
    json plan = json::parse(text("plan.json"));
    plan["claims"]["rounds"] = 7;
    write("boasting.json", plan.dump());
    for (int status = 0; status < 4; ++status) {
      const std::string name = "checker" + std::to_string(status);
      write(name, "#!/bin/sh\necho \"the second word\"\nexit " + std::to_string(status) + "\n");
      std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
    }
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Outcome verify(int status, const std::string& file) const {
    return run("verify --with ./checker" + std::to_string(status) + " " + file);
  }
};

TEST_F(VerifyWith, two_checkers_that_agree_give_one_verdict) {
  EXPECT_EQ(verify(0, "plan.json").status, 0);
  EXPECT_EQ(verify(1, "boasting.json").status, 1);
  EXPECT_THAT(verify(0, "plan.json").out, testing::HasSubstr("the second word"));
  EXPECT_THAT(verify(0, "plan.json").out, testing::Not(testing::HasSubstr("differ")));
}

TEST_F(VerifyWith, a_contradiction_fails_and_is_said) {
  for (const Outcome& outcome : {verify(1, "plan.json"), verify(0, "boasting.json")}) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, testing::HasSubstr("the checkers differ"));
  }
}

TEST_F(VerifyWith, a_plan_outside_the_other_checker_is_no_contradiction) {
  EXPECT_EQ(verify(3, "plan.json").status, 0);
  EXPECT_EQ(verify(3, "boasting.json").status, 1);
}

TEST_F(VerifyWith, a_checker_without_verdict_is_an_error) {
  EXPECT_EQ(verify(2, "plan.json").status, 2);
  EXPECT_EQ(run("verify --with ./nowhere plan.json").status, 2);
  expect_refusal("verify --with true plan.json", "--with true: no verdict: the program printed nothing");
  EXPECT_EQ(run("verify --with ./checker0 --network ring:4 --collective allgather").status, 2);
}

}  // namespace
}  // namespace isotrope::app
