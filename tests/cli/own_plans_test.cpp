// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files of ISOTROPE_PLANS as candidates of the program.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class OwnPlans : public Cli {
 protected:
  OwnPlans() {
    std::filesystem::create_directory(folder_ / "plans");
    answer("plan --network torus:3x4 --collective allgather --ports one -o plans/one-port-gather.json");
    answer("plan --network torus:3x4 --collective broadcast --root 5 -o plans/tree@1KiB-4KiB.cbor");
  }

  Outcome run_with_plans(const std::string& arguments) const {
    return shell("ISOTROPE_PLANS=plans \"$isotrope\" " + arguments, folder_);
  }
};

TEST_F(OwnPlans, are_in_the_catalogue) {
  const std::string listed = run_with_plans("catalog --network torus:3x4").out;
  EXPECT_THAT(listed, HasSubstr("one-port-gather"));
  EXPECT_THAT(listed, HasSubstr("tree@1KiB-4KiB"));
  EXPECT_THAT(listed, HasSubstr("the plan file tree@1KiB-4KiB.cbor"));
  EXPECT_THAT(run("catalog --network torus:3x4").out, Not(HasSubstr("one-port-gather")));
}

TEST_F(OwnPlans, are_planned_by_name_and_by_size) {
  const Outcome named =
      run_with_plans("plan --network torus:3x4 --collective allgather --algorithm one-port-gather");
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_THAT(named.out, HasSubstr("by one-port-gather"));
  const std::string broadcast =
      "plan --network torus:3x4 --collective broadcast --root 2 --algorithm tree@1KiB-4KiB --bytes ";
  const Outcome within = run_with_plans(broadcast + "2KiB");
  EXPECT_EQ(within.status, 0) << within.err;
  EXPECT_THAT(within.out, HasSubstr("optimal"));
  const Outcome above = run_with_plans(broadcast + "8KiB");
  EXPECT_EQ(above.status, 2);
  EXPECT_THAT(above.err, HasSubstr("it is not for 8192 bytes"));
}

TEST_F(OwnPlans, are_compared_with_others) {
  EXPECT_THAT(run_with_plans("compare-algorithms --network torus:3x4 --collective allgather").out,
              HasSubstr("one-port-gather"));
}

TEST_F(OwnPlans, are_left_out_if_they_are_not_valid) {
  json plan = json::parse(text_of("plans/one-port-gather.json"));
  plan["stages"][0]["hops"].erase(0);
  write("plans/short.json", plan.dump());
  const Outcome outcome = run_with_plans("plan --network torus:3x4 --collective allgather");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("isotrope: ISOTROPE_PLANS: short.json: not valid: "));
  EXPECT_EQ(
      shell("ISOTROPE_PLANS=nowhere \"$isotrope\" plan --network ring:4 --collective scatter", folder_).err,
      "isotrope: ISOTROPE_PLANS: nowhere: No such file or directory; give a folder of plan files\n");
}

}  // namespace
}  // namespace isotrope::app
