// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every answer to --json follows docs/answer.schema.json, and the schema refuses what is no answer.
#include "tests/cli/schema.hpp"

#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const json& answer_schema() {
  static const json schema = json::parse(std::ifstream(ISOTROPE_ANSWER_SCHEMA));
  return schema;
}

class AnswerSchema : public Cli {
 protected:
  json expect_answer(const std::string& arguments, int status = 0) const {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.status, status) << arguments << ": " << outcome.err;
    const json found = json::parse(outcome.out);
    EXPECT_THAT(breaches(answer_schema(), found), IsEmpty()) << arguments << ": " << outcome.out;
    EXPECT_EQ(found.at("format"), "isotrope-answer/1");
    EXPECT_EQ(found.at("command"), arguments.substr(0, arguments.find(' ')));
    return found;
  }
};

TEST_F(AnswerSchema, describes_plans_and_checks) {
  expect_answer("plan --network hypercube:3 --collective alltoall -o plan.json");
  expect_answer("plan --network hypercube:3 --collective scatter --root 2 --parts 3 --merge all --ports one");
  expect_answer("plan --network hypercube:3 --collective allreduce --bytes 1MiB --explain");
  expect_answer("plan --network ring:5 --collective barrier --bytes 8 --explain");
  expect_answer("plan --network ring:5 --collective broadcast --failed-links 0-1 --bytes 64KiB --explain");
  expect_answer("plan --network ring:5 --collective broadcast --failed-nodes 2");
  expect_answer("verify plan.json");
  expect_answer("run plan.json --bytes 100");
  expect_answer("run --network ring:4 --collective allreduce --bytes 800 --type double");
  expect_answer("cost plan.json --bytes 1KiB");
}

TEST_F(AnswerSchema, describes_plans_that_are_not_valid) {
  expect_answer("plan --network hypercube:3 --collective allgather -o plan.json");
  json plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["stages"][0]["hops"][2][0][1] = 5;
  write("damaged.json", plan.dump());
  for (const char* command :
       {"verify damaged.json", "run damaged.json --bytes 8", "cost damaged.json --bytes 8"})
    EXPECT_GT(expect_answer(command, 1).at("violation_count"), 0);
}

TEST_F(AnswerSchema, describes_bounds_networks_and_routes) {
  expect_answer("bound --network torus:4x4 --collective alltoall");
  expect_answer("bound --network torus:1 --collective alltoall");
  expect_answer("bound --network ring:9 --collective broadcast --failed-links 0-1");
  write("pairs.txt", "0 1 600\n0 2 300\n");
  write("nodes.txt", "0 100\n1 500\n");
  expect_answer("plan --network ring:4 --counts pairs.txt");
  expect_answer("bound --network ring:4 --counts pairs.txt");
  expect_answer("bound --network ring:4 --collective allgatherv --counts nodes.txt");
  expect_answer("network hexmesh:4 --node 11 --to 5");
  expect_answer("network hypercube:20");
  expect_answer("route hexmesh:4 11 5");
  expect_answer("route torus:4x4 0 11");
  expect_answer("route ring:7 0 2 --failed-links 1-2");
  expect_answer("route ring:7 0 2 --failed-nodes 1,4", 1);
  expect_answer("map --network torus:3x4 --grid 12 -o ranks.txt");
  expect_answer("map --network torus:3x4 --grid 4x3 --open 0 --ranks ranks.txt");
  expect_answer("map --network torus:5x12 --grid 6x10");
}

TEST_F(AnswerSchema, describes_lists_and_tables) {
  expect_answer("catalog");
  expect_answer("catalog --network ring:3 --collective alltoall --ports half");
  expect_answer("compare-algorithms --network hypercube:4 --collective broadcast --ports one");
  expect_answer("compare binary-tree:4 hexmesh:3 ring:5");
  expect_answer("simulate --network ring:5 --collective alltoall --runs 1");
  expect_answer("simulate --network ring:5 --collective alltoall --policy random");
  expect_answer("reproduce ho-johnsson-table-2");
  expect_answer("reproduce ho-johnsson-figure-7");
  expect_answer("optimality ring:5");
  write("choices.json",
        R"({"format": "isotrope-choices/1", "library": "Open MPI v4.1.4", "calls": [{"network": "ring:5",
    "collective": "allreduce", "least_bytes": 32, "library_s": 2e-5, "isotrope_s": 1e-5},
   {"network": "ring:5", "collective": "alltoall", "unequal_blocks": true, "least_bytes": 0, "library_s": 2e-5,
    "isotrope_s": 1e-5}]})");
  expect_answer("choices choices.json");
  EXPECT_THAT(run("choices choices.json").out, HasSubstr("alltoallv       any "));
  write("machine.json", R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10,
    "network": "ring:3", "failed_links": ["0-1"], "ranks_per_node": 2, "ranks": [0, 1, 2, 0, 1, 2]})");
  expect_answer("machine check machine.json");
  expect_answer("plan --machine machine.json --collective broadcast --bytes 64KiB --explain");
  write("times.json", R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10})");
  expect_answer("machine check times.json");
}

// What mpirun makes of bench, calibrate and discover; the values are made up.
TEST_F(AnswerSchema, describes_measurements_over_mpi) {
  const json head{{"format", "isotrope-answer/1"}, {"version", "0.1.0"}};
  json bench = head;
  bench.update(
      {{"command", "bench"}, {"network", "ring:4"}, {"ranks", 4}, {"library", "MPICH"}, {"turns", 9}});
  bench["times"] = {
      {{"collective", "allreduce"}, {"bytes", 8}, {"isotrope_s", 1e-6}, {"library_s", 2e-6}, {"ratio", 0.5}}};
  EXPECT_THAT(breaches(answer_schema(), bench), IsEmpty());
  json counts = bench;
  counts["times"][0].update({{"blocks", 2}, {"link_bytes", 4.0}, {"because", "node 1 sends"}});
  EXPECT_THAT(breaches(answer_schema(), counts), IsEmpty());
  counts["times"][0]["blocks"] = 0;
  EXPECT_THAT(breaches(answer_schema(), counts), Not(IsEmpty()));
  json calibrate = head;
  calibrate.update({{"command", "calibrate"},
                    {"name", "4 ranks as ring:4"},
                    {"startup_s", 1e-6},
                    {"byte_time_s", 1e-9},
                    {"overhead_s", 0.0},
                    {"overhead_byte_s", 0.0},
                    {"cut_through", true},
                    {"hop_time_s", 0.0},
                    {"largest_message", 8192},
                    {"spread", 1.5}});
  EXPECT_THAT(breaches(answer_schema(), calibrate), IsEmpty());
  calibrate.update({{"ranks_per_node", 2}, {"memory", {{"startup_s", 1e-7}, {"byte_time_s", 0.0}}}});
  EXPECT_THAT(breaches(answer_schema(), calibrate), IsEmpty());
  json discover = head;
  discover.update({{"command", "discover"},
                   {"hosts", 2},
                   {"ranks", 4},
                   {"is_family", true},
                   {"network", "hypercube:1"},
                   {"latencies_s", {1e-6}},
                   {"nodes", {0, 0, 1, 1}},
                   {"startup_s", 1e-6},
                   {"byte_time_s", 1e-9},
                   {"seconds", 1.5}});
  discover["best"] = {{{"network", "hypercube:1"}, {"misfit", 0.0}}};
  EXPECT_THAT(breaches(answer_schema(), discover), IsEmpty());
  discover["best"][0]["misfit"] = 1.5;
  EXPECT_THAT(breaches(answer_schema(), discover), Not(IsEmpty()));
}

TEST_F(AnswerSchema, refuses_what_is_no_answer) {
  json found = answer("bound --network ring:4 --collective alltoall");
  EXPECT_THAT(breaches(answer_schema(), found), IsEmpty());
  json other = found;
  other["colour"] = "red";
  EXPECT_THAT(breaches(answer_schema(), other), Not(IsEmpty()));
  other = found;
  other["format"] = "isotrope-answer/2";
  EXPECT_THAT(breaches(answer_schema(), other), Not(IsEmpty()));
  other = found;
  other.erase("bounds");
  EXPECT_THAT(breaches(answer_schema(), other), Not(IsEmpty()));
  other = found;
  other["bounds"][0]["value"] = -1;
  EXPECT_THAT(breaches(answer_schema(), other), Not(IsEmpty()));
}

TEST(Schema, names_the_place_of_a_breach) {
  const json schema{{"type", "object"},
                    {"required", {"a"}},
                    {"properties", {{"a", {{"type", "array"}, {"items", {{"type", "integer"}}}}}}},
                    {"additionalProperties", {{"type", "string"}}}};
  EXPECT_THAT(breaches(schema, {{"a", {1, 2}}, {"b", "text"}}), IsEmpty());
  EXPECT_THAT(breaches(schema, {{"a", {1, "x"}}}), ElementsAre("answer.a[1]: no integer: \"x\""));
  EXPECT_THAT(breaches(schema, {{"b", 1}}), ElementsAre("answer.b: no string: 1", "answer: no member \"a\""));
  EXPECT_THAT(breaches({{"colour", "red"}}, 1), ElementsAre(HasSubstr("unknown keyword")));
}

}  // namespace
}  // namespace isotrope::app
