// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Help, and options that do not apply, do not fit together, or have no sense.
#include <sstream>

#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> every_command{
    "plan",      "verify",   "bound",   "run",        "network", "catalog", "cost",   "compare-algorithms",
    "reproduce", "simulate", "compare", "optimality", "route",   "draw",    "export", "bench",
    "calibrate", "choices",  "map",     "discover"};

// The screen: 42 lines of 100 columns.
void expect_on_screen(const std::string& text, const std::string& what) {
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_LE(line.size(), 100u) << what << ": " << line;
  EXPECT_LE(count, 42) << what;
}

TEST_F(Cli, fits_its_help_on_a_screen) {
  expect_on_screen(run("--help").out, "isotrope");
  for (const std::string& command : every_command) {
    const Outcome outcome = run(command + " --help");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("isotrope " + command)) << command;
    expect_on_screen(outcome.out, command);
  }
}

TEST_F(Cli, helps_by_any_of_the_usual_words) {
  EXPECT_EQ(run("help").out, run("--help").out);
  EXPECT_EQ(run("help run").out, run("run --help").out);
  EXPECT_EQ(run("version").out, run("--version").out);
  EXPECT_EQ(run("-V").out, run("--version").out);
  expect_refusal("help rnu", "did you mean run?");
}

TEST_F(Cli, groups_options) {
  const std::string help = run("plan --help").out;
  std::size_t last = 0;
  for (const char* group : {"\nNetwork:", "\nCollective:", "\nMachine:", "\nOutput:"}) {
    EXPECT_NE(help.find(group), std::string::npos) << group;
    EXPECT_GT(help.find(group), last) << group;
    last = help.find(group);
  }
}

TEST_F(Cli, has_second_names_of_commands) {
  EXPECT_EQ(run("compare-networks ring:5").out, run("compare ring:5").out);
  EXPECT_THAT(run("optimality-table --help").out, HasSubstr("isotrope optimality"));
}

TEST_F(Cli, refuses_garbage_wherever_a_size_is_taken) {
  const std::string names = " --network ring:4 --collective allgather ";
  for (const char* command : {"plan", "run", "cost", "export --format csv"})
    expect_refusal(command + names + "--bytes garbage", "--bytes: size 'garbage': give 1 B to 1 TiB");
  expect_refusal("plan --network ring:4 --collective barrier --bytes 8X", "--bytes: size '8X'");
  expect_refusal("export ring:4 --format dot --bytes garbage", "--bytes: size 'garbage'");
  expect_refusal("compare-algorithms" + names + "--from garbage", "--from: size 'garbage'");
  expect_refusal("compare-algorithms" + names + "--upto garbage", "--upto: size 'garbage'");
  expect_refusal("bench --network ring:4 --from garbage", "--from: size 'garbage'");
  expect_refusal("plan" + names + "--bytes 8 --internal-packet 0", "--internal-packet: size '0'");
}

TEST_F(Cli, takes_no_option_that_does_not_apply) {
  for (const char* call :
       {"network ring:4 --collective alltoall", "catalog --bytes 8", "bound ring:4 --order cyclic",
        "verify plan.json --bytes 8", "simulate ring:4 --algorithm x", "optimality --root 1",
        "reproduce --bytes 8", "draw ring:4 --bytes 8", "bench ring:4 --order cyclic",
        "calibrate ring:4 --order cyclic", "compare-algorithms ring:4 --parts 2"}) {
    expect_refusal(call, "has no option --");
  }
  expect_refusal("route ring:4 0 1 2", "one argument too many");
  expect_refusal("network ring:4 --failed-links 0-1",
                 "network does not support --failed-links: it describes the whole network, without failures");
  expect_refusal("catalog --failed-nodes 0", "catalog ignores failures; drop --failed-nodes");
  expect_refusal("network plan.json --network ring:4", "two networks");
}

TEST_F(Cli, takes_no_options_that_a_plan_file_fixes) {
  answer("plan --network ring:4 --collective allgather -o plan.json");
  expect_refusal("bound plan.json --ports one", "--ports one beside the plan file plan.json");
  expect_refusal("run plan.json --bytes 8 --parts 2", "--parts 2 beside the plan file plan.json");
  expect_refusal("verify plan.json --objective delay", "--objective delay beside the plan file plan.json");
}

TEST_F(Cli, speaks_of_rounds_and_links_in_plain_words) {
  const std::string exchange = run("plan --network hypercube:4 --collective alltoall").out;
  EXPECT_THAT(
      exchange,
      HasSubstr("hops          512 (32 from each origin; the plan stores those of node 0 and shifts them)"));
  EXPECT_THAT(exchange, HasSubstr("utilisation   100.0 % on average, 100.0 % in the least busy round"));
  const std::string merged =
      run("plan --network hypercube:4 --collective allgather --merge all --ports one").out;
  EXPECT_THAT(merged, HasSubstr("packets; summed over rounds, the busiest link carries "));
  EXPECT_THAT(merged, HasSubstr("busiest links carry 15 packets in total: the least possible ("));
  EXPECT_THAT(run("plan --network ring:9 --collective broadcast --ports one --parts 16").out,
              HasSubstr("above the lower bound of "));
}

TEST_F(Cli, counts_one_claim_as_one) {
  answer("plan --network ring:4 --collective allgather -o plan.json");
  json plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["claims"]["rounds"] = 1;
  write("boasting.json", plan.dump());
  EXPECT_THAT(run("verify boasting.json").out, HasSubstr("valid, but 1 claim does not hold"));
}

}  // namespace
}  // namespace isotrope::app
