// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/environment.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A variable of the environment as long as this object lives.
class Variable {
 public:
  explicit Variable(std::string name) : name_(std::move(name)) {
    ::setenv(name_.c_str(), "1", 1);  // NOLINT(concurrency-mt-unsafe): the test has one thread
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }  // NOLINT(concurrency-mt-unsafe): as above

 private:
  std::string name_;
};

TEST(Environment, names_the_nearest_variable_for_a_slip) {
  const Variable letter("ISOTROPE_NETWRK");
  EXPECT_THAT(meaningless_variables(),
              ElementsAre(AllOf(HasSubstr("ISOTROPE_NETWRK"),
                                HasSubstr("did you mean ISOTROPE_NETWORK (the network"))));
}

TEST(Environment, names_the_nearest_of_every_variable_that_lacks_a_letter) {
  for (const EnvironmentVariable& known : environment_variables) {
    const Variable slip(std::string(known.name).erase(known.name.size() - 2, 1));
    EXPECT_THAT(meaningless_variables(),
                ElementsAre(HasSubstr("did you mean " + std::string(known.name) + " (")));
  }
}

TEST(Environment, lists_all_variables_for_a_name_that_is_near_to_none) {
  const Variable other("ISOTROPE_ELEPHANT");
  EXPECT_THAT(meaningless_variables(),
              ElementsAre(AllOf(HasSubstr("known are ISOTROPE_NETWORK, "), HasSubstr("ISOTROPE_PROGRESS"))));
}

TEST(Environment, takes_known_variables_and_those_of_others) {
  std::vector<std::unique_ptr<Variable>> all;
  for (const EnvironmentVariable& known : environment_variables)
    all.push_back(std::make_unique<Variable>(std::string(known.name)));
  const Variable other("MY_ISOTROPE_NETWRK");
  EXPECT_THAT(meaningless_variables(), IsEmpty());
}

TEST(Environment, quotes_a_name_at_80_characters_without_control_characters) {
  const Variable wild("ISOTROPE_\x1b[31m" + std::string(5000, 'X'));
  const auto lines = meaningless_variables();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines.front(), HasSubstr("ISOTROPE_\\x1b[31mXXX"));
  EXPECT_EQ(lines.front().find(' '), 80U);
}

}  // namespace
}  // namespace isotrope
