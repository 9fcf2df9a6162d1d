// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program from outside: answers, files, exit status, one line of error and nothing half-written.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(Cli, plans_and_verifies_the_three_collectives) {
  for (const char* collective : {"alltoall", "allgather", "scatter"}) {
    for (int d = 1; d <= 8; ++d) {
      const std::string file = d % 2 == 0 ? "plan.json" : "plan.cbor";
      const json planned = answer("plan --network hypercube:" + std::to_string(d) + " --collective " +
                                  collective + " -o " + file);
      const json verified = answer("verify " + file);
      for (const json& found : {planned, verified}) {
        EXPECT_TRUE(found.at("valid").get<bool>() && found.at("optimal").get<bool>());
        EXPECT_EQ(found.at("rounds"), found.at("bound").at("value"));
        EXPECT_EQ(found.at("rounds"), planned.at("rounds"));
        EXPECT_EQ(found.at("hops"), planned.at("hops"));
        EXPECT_TRUE(found.at("bound").at("kind").is_string());
        EXPECT_TRUE(found.at("seconds").is_number());
      }
    }
  }
}

TEST_F(Cli, runs_the_main_job) {
  const json found = answer("run --network hypercube:4 --collective alltoall --bytes 4KiB");

  EXPECT_TRUE(found.at("correct").get<bool>());
  EXPECT_EQ(found.at("bytes_checked"), 16 * 16 * 4096);
  EXPECT_EQ(found.at("bytes_moved"), 512 * 4096);
  EXPECT_GT(found.at("gb_per_s").get<double>(), 0);
  EXPECT_GT(found.at("memcpy_gb_per_s").get<double>(), 0);
}

TEST_F(Cli, runs_a_plan_file_of_every_collective) {
  for (const char* collective :
       {"alltoall", "allgather", "scatter", "gather", "reduce-scatter", "allreduce", "broadcast", "reduce"}) {
    answer(std::string("plan --network hypercube:5 --parts 3 -o plan.cbor --collective ") + collective);
    EXPECT_TRUE(answer("run plan.cbor --bytes 1000").at("correct").get<bool>()) << collective;
  }
}

TEST_F(Cli, finds_a_damaged_plan_invalid) {
  answer("plan --network hypercube:3 --collective allgather -o plan.json");
  json plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["stages"][0]["hops"][2][0][1] = 5;
  write("damaged.json", plan.dump());

  const Outcome outcome = run("verify damaged.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("NOT VALID"));
  EXPECT_FALSE(json::parse(run("verify damaged.json --json").out).at("valid").get<bool>());
  EXPECT_EQ(run("run damaged.json --bytes 8").status, 1);

  plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["claims"]["rounds"] = 2;
  write("boasting.json", plan.dump());
  EXPECT_EQ(run("verify boasting.json").status, 1);
}

TEST_F(Cli, prints_networks) {
  const json mesh = answer("network hexmesh:4 --node 11 --to 5");
  EXPECT_EQ(mesh.at("nodes"), 37);
  EXPECT_EQ(mesh.at("diameter"), 3);
  EXPECT_EQ(mesh.at("links"), 111);
  EXPECT_EQ(mesh.at("connectivity"), 6);
  EXPECT_EQ(mesh.at("node").at("neighbours").size(), 6u);
  EXPECT_EQ(mesh.at("distance"), 3);
  EXPECT_EQ(answer("network hypercube:4").at("shortest_paths"),
            json({{"fewest", 1}, {"most", 24}, {"mean", (4 * 1 + 6 * 2 + 4 * 6 + 24) / 15.0}}));
  EXPECT_THAT(run("network hypercube:4").out,
              HasSubstr("1 to 24 shortest between two nodes, 4.3 on average"));
  EXPECT_THAT(run("network mesh:35x35").out, HasSubstr("1 to 2^64 - 1 or more"));
  EXPECT_THAT(run("network hypercube:26").out, HasSubstr("67108864"));
}

TEST_F(Cli, prints_bounds_with_reasons) {
  EXPECT_EQ(answer("bound --network torus:4x4 --collective alltoall").at("bound").at("value"), 8);
  EXPECT_THAT(run("bound --network torus:4x4 --collective alltoall --ports half").out,
              HasSubstr("ceil(32/1) = 32"));
}

TEST_F(Cli, lists_the_catalogue) {
  EXPECT_GE(answer("catalog").at("algorithms").size(), 3u);
  EXPECT_EQ(answer("catalog --network hypercube:3 --collective scatter").at("algorithms").size(), 17u);
  EXPECT_EQ(answer("catalog --network hypercube:3 --collective scatter --ports one").at("algorithms").size(),
            11u);
  EXPECT_GE(answer("catalog --network hypercube:3").at("algorithms").size(), 3u);
  EXPECT_EQ(answer("catalog --network ring:3 --collective alltoall").at("algorithms").size(), 12u);
  EXPECT_EQ(answer("catalog --network ring:3 --collective alltoall --ports half").at("algorithms").size(),
            3u);
  expect_refusal("catalog --collective scater", "did you mean scatter");
}

TEST_F(Cli, writes_answers_to_a_file) {
  EXPECT_EQ(run("bound --network ring:9 --collective scatter -o bound.txt").out, "");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "bound.txt"));
}

// The earlier file stays as it was, and nothing stands beside it.
TEST_F(Cli, leaves_nothing_half_written_when_interrupted) {
  for (const std::string command :
       {"plan --network hypercube:20 --collective alltoall",
        "export --network hypercube:10 --collective alltoall --bytes 8 --format csv",
        "export --network hypercube:10 --collective alltoall --bytes 8 --format goal"}) {
    write("answer", "what was there before");
    EXPECT_EQ(end_while_writing(command + " -o answer").status, 128 + SIGTERM) << command;
    EXPECT_EQ(std::filesystem::file_size(folder_ / "answer"), 21u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  }
}

TEST_F(Cli, leaves_no_half_of_a_folder_when_interrupted) {
  for (const std::string format : {"ti", "chakra"}) {
    const Outcome outcome = end_while_writing(
        "export --network hypercube:10 --collective alltoall --bytes 8 -o answer --format " + format);
    EXPECT_EQ(outcome.status, 128 + SIGTERM) << format;
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
}

TEST_F(Cli, helps) {
  EXPECT_THAT(run("--help").out, HasSubstr("isotrope run --network hypercube:6"));
  EXPECT_THAT(run("--version").out, StartsWith("isotrope "));
  for (const std::string command : {"plan", "verify", "bound", "run", "network", "catalog"}) {
    const Outcome outcome = run(command + " --help");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Example: isotrope " + command));
    EXPECT_THAT(outcome.out, HasSubstr("--json"));
  }
}

TEST_F(Cli, refuses_bad_usage) {
  expect_refusal("", "no command");
  expect_refusal("paln", "did you mean plan");
  expect_refusal("plan --netwrok hypercube:3", "plan has no option --netwrok: did you mean --network?");
  expect_refusal("plan", "no network");
  expect_refusal("plan --network hypercube:3", "no collective");
  expect_refusal("run --network hypercube:3 --collective alltoall", "--bytes is required");
  expect_refusal("run --network hypercube:3 --collective alltoall --bytes 8 --threads 4294967297", "threads");
}

TEST_F(Cli, refuses_bad_networks_and_tasks) {
  const auto refuse = [&](const std::string& rest, const std::string& message) {
    expect_refusal("plan -o refused.json " + rest, message);
  };
  refuse("--network hypercub:3 --collective alltoall", "hypercube");
  refuse("--network hypercube:0 --collective alltoall", "1 to 26");
  refuse("--network hypercube:27 --collective alltoall", "1 to 26");
  refuse("--network torus:4x0 --collective alltoall", "0");
  refuse("--network cayley:5:1 --collective alltoall", "negati");
  refuse("--network hypercube:3 --collective alltoal", "did you mean alltoall");
  refuse("--network hypercube:3 --collective scatter --root 8", "0..7");
  refuse("--network hypercube:3 --collective scatter --root -1", "--root");
  refuse("--network hypercube:3 --collective alltoall --parts 0", "parts");
  refuse("--network hypercube:3 --collective alltoall --ports 4", "1 to 3");
  refuse("--network hypercube:3 --collective alltoall --algorithm total", "total-exchange");
  refuse("--network hypercube:13 --collective alltoall --ports half", "half-duplex-total-exchange");
  refuse("--network hypercube:13 --collective alltoall --ports half --algorithm half-duplex-total-exchange",
         "at most 33554432");
  expect_refusal("run --network hypercube:3 --collective alltoall --bytes 0", "size '0'");
  expect_refusal("run --network hypercube:3 --collective alltoall --bytes 9999TiB", "1 TiB");
  expect_refusal("run --network hypercube:16 --collective alltoall --bytes 1GiB", "GiB");
  expect_refusal("network hexmesh:4 --node 37", "0..36");
}

TEST_F(Cli, refuses_bad_plan_files) {
  answer("plan --network hypercube:3 --collective alltoall -o plan.json");
  std::ostringstream stream;
  stream << std::ifstream(folder_ / "plan.json").rdbuf();
  const std::string good = stream.str();
  const auto refuse = [&](const std::string& text, const std::string& message) {
    write("bad.json", text);
    expect_refusal("verify bad.json", "bad.json");
    expect_refusal("verify bad.json", message);
  };

  refuse(good.substr(0, good.size() / 2), "line");
  refuse("hello", "line 1");
  refuse("", "");
  json plan = json::parse(good);
  plan["format"] = "isotrope-plan/3";
  refuse(plan.dump(), "isotrope-plan/1");
  plan = json::parse(good);
  plan["colour"] = "red";
  refuse(plan.dump(), "colour");
  plan = json::parse(good);
  plan["stages"][0]["hops"][1][0][0] = 8;
  refuse(plan.dump(), "stages[0].hops[1][0]");
  expect_refusal("verify nowhere.json", "nowhere.json");
  expect_refusal("verify plan.json --collective scatter", "beside the plan file");
  expect_refusal("plan --network hypercube:3 --collective alltoall -o /nowhere/plan.json",
                 "/nowhere/plan.json");
}

}  // namespace
}  // namespace isotrope::app
