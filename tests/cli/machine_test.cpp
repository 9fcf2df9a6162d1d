// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine files that give a network and ranks: what `machine check` says of them, and that commands follow them. The schema agrees with
// the reader on what each key holds.
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/cli/cli.hpp"
#include "tests/cli/schema.hpp"
#include "tests/page_examples.hpp"

namespace isotrope::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const json& machine_schema() {
  static const json schema = json::parse(std::ifstream(ISOTROPE_MACHINE_SCHEMA));
  return schema;
}

class MachineCommand : public Cli {
 protected:
  bool is_read(const std::string& text) const {
    write("read.json", text);
    return run("machine check read.json").status == 0;
  }
  // With the times that every file needs.
  void write_machine(const json& more, const std::string& name = "machine.json") const {
    json machine{
        {"format", "isotrope-machine/1"}, {"startup_s", 2e-6}, {"byte_time_s", 1e-9}, {"ports", "all"}};
    if (!more.empty()) machine.update(more);
    write(name, machine.dump());
  }
  std::string checked(const std::string& options = "") const {
    const Outcome outcome = run("machine check machine.json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(MachineCommand, allows_the_examples_and_the_installed_machines) {
  std::vector<std::string> texts = examples_of(ISOTROPE_MACHINE_PAGE, "valid");
  EXPECT_EQ(texts.size(), 1U);
  for (const auto& entry : std::filesystem::directory_iterator(ISOTROPE_MACHINES)) {
    std::ifstream file(entry.path());
    if (entry.path().extension() == ".json")
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  EXPECT_GT(texts.size(), 5U);
  for (const std::string& text : texts) {
    EXPECT_THAT(breaches(machine_schema(), json::parse(text)), IsEmpty()) << text;
    EXPECT_TRUE(is_read(text)) << text;
  }
}

TEST_F(MachineCommand, refuses_the_bad_examples) {
  const auto examples = examples_of(ISOTROPE_MACHINE_PAGE, "invalid");
  EXPECT_EQ(examples.size(), 3U);
  for (const std::string& text : examples) {
    EXPECT_THAT(breaches(machine_schema(), json::parse(text)), Not(IsEmpty())) << text;
    EXPECT_FALSE(is_read(text)) << text;
  }
}

TEST_F(MachineCommand, agrees_with_the_schema_on_every_key) {
  const json good =
      json::parse(R"({"format": "isotrope-machine/1", "name": "all keys", "network": "line:2xring:3",
    "failed_nodes": [], "failed_links": ["0-1"], "ranks_per_node": 2, "memory": {"startup_s": 1e-6, "byte_time_s": 0},
    "ranks": [0, 0, 1, 1, 5, 5, 2, 3, 4, 4, 3, 2], "startup_s": 1e-6, "byte_time_s": 1e-9, "ports": "one",
    "internal_packet": 4096, "largest_message": 65536, "overhead_s": 0, "overhead_byte_s": 0, "receive_overhead_s": 0,
    "overlap": 0.5, "cut_through": true, "hop_time_s": 1e-7, "spread": 2,
    "link_classes": [{"axes": [1], "startup_s": 2e-6, "byte_time_s": 2e-9}]})");
  EXPECT_THAT(breaches(machine_schema(), good), IsEmpty());
  EXPECT_TRUE(is_read(good.dump()));
  for (const auto& [key, value] : good.items())
    EXPECT_TRUE(machine_schema().at("properties").contains(key)) << key;
  EXPECT_EQ(machine_schema().at("properties").size(), good.size());

  const std::vector<std::pair<const char*, json>> changes{
      {"/format", "isotrope-machine/2"},
      {"/name", 7},
      {"/network", ""},
      {"/network", 7},
      {"/failed_nodes", 1},
      {"/failed_nodes", {-1}},
      {"/failed_nodes", {"1"}},
      {"/failed_links", "0-1"},
      {"/failed_links", {1}},
      {"/ranks_per_node", 0},
      {"/ranks_per_node", 1025},
      {"/ranks_per_node", 1.5},
      {"/memory", 1},
      {"/memory/startup_s", -1},
      {"/memory/byte_time_s", "1 ns"},
      {"/memory/latency_s", 1},
      {"/ranks", json::array()},
      {"/ranks", ""},
      {"/ranks", 3},
      {"/ranks/0", "0"},
      {"/ranks/0", -1},
      {"/startup_s", -1},
      {"/byte_time_s", "fast"},
      {"/ports", "two"},
      {"/ports", 0},
      {"/internal_packet", -1},
      {"/largest_message", 0.5},
      {"/overhead_s", -1},
      {"/overhead_byte_s", json()},
      {"/receive_overhead_s", "0"},
      {"/overlap", 1.5},
      {"/cut_through", 1},
      {"/hop_time_s", -1},
      {"/spread", 0.5},
      {"/link_classes", 7},
      {"/link_classes/0", json::object()},
      {"/link_classes/0/axes", json::array()},
      {"/link_classes/0/axes", {64}},
      {"/link_classes/0/startup_s", -1},
      {"/link_classes/0/rate", 2},
      {"/colour", "red"},
  };
  for (const auto& [place, value] : changes) {
    json bad = good;
    bad[json::json_pointer(place)] = value;
    EXPECT_THAT(breaches(machine_schema(), bad), Not(IsEmpty())) << place << " " << value;
    EXPECT_FALSE(is_read(bad.dump())) << place << " " << value;
  }
}

TEST_F(MachineCommand, says_what_it_understood) {
  write_machine({{"name", "a small block"},
                 {"network", "line:2xring:4"},
                 {"failed_links", {"0-1"}},
                 {"ranks_per_node", 3},
                 {"link_classes", {{{"axes", {1}}, {"byte_time_s", 2e-9}}}}});
  const std::string text = checked("-o machine.svg");
  for (const char* part :
       {"machine.json: a small block", "network       line:2xring:4, 8 nodes", "open axes     none",
        "failed links  0-1", "ranks         3 a node, 1 us and 0.3 ns per byte between them",
        "rank map      ranks 3 v to 3 v + 2 are on node v",
        "links         2 us per start-up, 1 ns per byte, along axis 1 2 ns per byte",
        "ports         all-port", "planned on    line:2xring:4xcomplete:3, 24 ranks",
        "with times    2 us per start-up, 1 ns per byte, along axis 1 2 us per start-up and 2 ns per byte, "
        "along axis 2 1 us per start-up and 0.3 ns per byte, 3 ranks share the links of a node",
        "drawn in      machine.svg"})
    EXPECT_THAT(text, HasSubstr(part));
  std::ifstream file(folder_ / "machine.svg");
  const std::string picture{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(picture,
              AllOf(HasSubstr("without link 0-1, 3 ranks a node"), HasSubstr("link class of axes 1")));
}

TEST_F(MachineCommand, says_what_is_left_out) {
  write_machine({});
  EXPECT_THAT(checked(), AllOf(HasSubstr("network       not given"), HasSubstr("one a node"),
                               Not(HasSubstr("planned"))));
  write_machine({{"network", "ring:4"}});
  EXPECT_THAT(checked(), AllOf(HasSubstr("failures      none"), HasSubstr("rank r is node r"),
                               Not(HasSubstr("planned"))));
  write_machine({{"network", "ring:4"}, {"failed_nodes", {1}}, {"ranks_per_node", 2}});
  EXPECT_THAT(checked(), AllOf(HasSubstr("in the order of the nodes that are left"),
                               HasSubstr("ring:4xcomplete:2, 6 ranks")));
  write("ranks.txt", "3\n2\n1\n0\n");
  write_machine({{"network", "ring:4"}, {"ranks", "ranks.txt"}});
  EXPECT_THAT(checked(), HasSubstr("ranks from ranks.txt"));
}

TEST_F(MachineCommand, names_what_does_not_fit) {
  const auto refuse = [&](const json& more, const std::string& why) {
    write_machine(more);
    expect_refusal("machine check machine.json", why);
  };
  refuse({{"network", "rong:4"}}, "machine.json: \"network\": unknown network family 'rong'");
  refuse({{"network", "none.json"}}, "\"network\": none.json: ");
  refuse({{"network", "ring:4"}, {"failed_nodes", {4}}}, "\"failed_nodes\": ");
  refuse({{"network", "ring:4"}, {"failed_links", {"0-2"}}}, "\"failed_links\": ");
  refuse({{"network", "ring:4"}, {"ranks", {0, 1, 2}}}, "\"ranks\": nodes of 3 ranks, for 4 ranks on ring:4");
  refuse({{"network", "ring:4"}, {"ranks", {0, 1, 2, 2}}}, "\"ranks\": node 2 of a rank");
  refuse({{"network", "ring:4"}, {"ranks", "none.txt"}}, "\"ranks\": none.txt");
  refuse({{"network", "ring:4"}, {"link_classes", {{{"axes", {1}}, {"startup_s", 1e-6}}}}},
         "machine.json: a link class of axis 1");
  refuse({{"network", "ring:4"},
          {"ranks_per_node", 2},
          {"link_classes", {{{"axes", {1}}, {"startup_s", 1e-6}}}}},
         "a link class of axis 1");
  refuse({{"network", "ring:4"}, {"ports", 3}}, "machine.json: a machine of 3 ports at once");
  refuse({{"network", "line:4"}, {"failed_links", {"1-2"}}},
         "machine.json: the failures cut nodes 2,3 off from node 0 of line:4: count these among the failed "
         "nodes");
  refuse({{"network", "ring:4"}, {"failed_nodes", {1, 3}}}, "cut node 2 off from node 0");
  refuse({{"rank", {0}}}, "unknown key \"rank\": did you mean ranks_per_node or ranks?");
  write("star.json", R"({"nodes": 4, "links": [[0, 1], [0, 2], [0, 3]]})");
  refuse({{"network", "star.json"},
          {"ranks_per_node", 2},
          {"link_classes", {{{"axes", {0}}, {"startup_s", 1e-6}}}}},
         "for a network whose links are listed");
  write_machine({});
  expect_refusal("machine check machine.json -o refused.svg", "gives no network to draw");
  expect_refusal("machine check machine.json -o refused.json", "pictures are SVG");
  expect_refusal("machine draw machine.json", "machine draw: give `isotrope machine check FILE`");
  expect_refusal("machine check none.json", "none.json");
}

TEST_F(MachineCommand, reads_a_network_file_with_several_ranks_a_node) {
  write("star.json", R"({"nodes": 4, "links": [[0, 1], [0, 2, 2], [0, 3, "far"]],
                         "classes": {"far": {"latency_s": 1e-5}}})");
  write_machine({{"network", "star.json"}, {"ranks_per_node", 2}});
  EXPECT_THAT(checked(), AllOf(HasSubstr("star.json, 4 nodes"), HasSubstr("complete:2, 8 ranks"),
                               HasSubstr("2 ranks share the links of a node")));
  for (const char* command :
       {"plan --bytes 64KiB --explain", "verify", "run --bytes 1KiB", "cost --bytes 64KiB"}) {
    const json found = answer(std::string(command) + " --machine machine.json --collective allgather");
    EXPECT_THAT(found.at("network").get<std::string>(), HasSubstr("xcomplete:2")) << command;
  }
  EXPECT_EQ(answer("network --machine machine.json").at("nodes"), 8);
  expect_refusal("plan --machine machine.json --collective allgather --failed-links 0-3",
                 "the failures cut nodes 6,7 off");
}

TEST_F(MachineCommand, gives_the_network_to_every_command) {
  write_machine({{"network", "line:4xring:5"}, {"failed_links", {"0-1"}}});
  const json plan = answer_without_times("plan --machine machine.json --collective broadcast");
  EXPECT_EQ(plan,
            answer_without_times("plan --network line:4xring:5 --failed-links 0-1 --collective broadcast"));
  for (const char* command :
       {"plan --bytes 64KiB", "verify", "bound", "run --bytes 1KiB", "cost --bytes 64KiB"}) {
    const json found = answer(std::string(command) + " --machine machine.json --collective allgather");
    EXPECT_EQ(found.at("network"), "line:4xring:5") << command;
    if (found.at("command") == "bound") continue;
    EXPECT_EQ(found.at("failed").at("links"), json::parse("[[0, 2]]")) << command;
  }
  EXPECT_EQ(answer("network --machine machine.json").at("nodes"), 20);
  for (const char* command :
       {"draw", "map --grid 4x5", "export --format dot", "catalog", "compare-algorithms --collective reduce",
        "simulate --collective alltoall --runs 1"}) {
    const Outcome outcome = run(std::string(command) + " --machine machine.json");
    EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.err;
  }
  const json more = answer("plan --machine machine.json --failed-links 1-2 --collective broadcast");
  EXPECT_EQ(more.at("failed").at("links").size(), 2U);
}

TEST_F(MachineCommand, gives_way_to_another_network) {
  write_machine({{"network", "line:4xring:5"}, {"failed_links", {"0-1"}}});
  const json plan =
      answer("plan --machine machine.json --network ring:6 --collective broadcast --bytes 1MiB");
  EXPECT_EQ(plan.at("network"), "ring:6");
  EXPECT_FALSE(plan.contains("failed"));
  write_machine({});
  expect_refusal("plan --machine machine.json --collective broadcast", "add \"network\" to machine.json");
}

TEST_F(MachineCommand, may_be_a_pipe) {
  write_machine({{"network", "ring:5"}, {"ranks_per_node", 2}});
  const Outcome outcome =
      shell("cat machine.json | \"$isotrope\" plan --machine /dev/stdin --collective broadcast --bytes 1KiB",
            folder_);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// Plans on the places of ranks are those on the product, by the same times, and valid.
TEST_F(MachineCommand, plans_on_the_places_of_several_ranks) {
  const std::vector<std::pair<json, std::string>> machines{
      {{{"network", "torus:2x2"}, {"ranks_per_node", 2}}, "torus:2x2xcomplete:2"},
      {{{"network", "line:2xring:3"}, {"ranks_per_node", 2}, {"failed_links", {"0-1"}}},
       "line:2xring:3xcomplete:2"},
      {{{"network", "line:3"}, {"ranks_per_node", 3}, {"memory", {{"startup_s", 5e-7}}}},
       "line:3xcomplete:3"},
      {{{"network", "hexmesh:2"}, {"ranks_per_node", 2}}, "hexmesh:2xcomplete:2"},
      {{{"network", "ring:4@2"}, {"ranks_per_node", 4}, {"failed_nodes", {1}}}, "ring:4@2xcomplete:4"},
      {{{"network", "complete:4"}, {"ranks_per_node", 3}, {"ports", "one"}}, "complete:4xcomplete:3"}};
  for (const auto& [machine, network] : machines) {
    write_machine(machine);
    for (const char* collective : {"broadcast", "scatter", "gather", "reduce", "allgather", "alltoall",
                                   "allreduce", "reduce-scatter", "scan", "exscan", "barrier"}) {
      const bool failed = machine.contains("failed_nodes") || machine.contains("failed_links");
      const Outcome outcome =
          run(fmt::format("plan --machine machine.json --collective {} --bytes 8KiB --json", collective));
      if (outcome.status == 2 && failed) continue;  // no algorithm around failures
      ASSERT_EQ(outcome.status, 0) << network << " " << collective << ": " << outcome.err;
      const json plan = json::parse(outcome.out);
      EXPECT_TRUE(plan.at("valid")) << network << " " << collective;
    }
  }
}

TEST_F(MachineCommand, of_several_ranks_fits_plan_files_of_their_places_only) {
  write_machine({{"network", "ring:5"}, {"ranks_per_node", 2}});
  EXPECT_EQ(run("plan --machine machine.json --collective allgather -o plan.json").status, 0);
  EXPECT_EQ(run("plan --network ring:5 --collective allgather -o nodes.json").status, 0);
  const json direct = answer("cost --machine machine.json --collective allgather --bytes 4KiB");
  EXPECT_EQ(answer("cost plan.json --machine machine.json --bytes 4KiB").at("completion_s"),
            direct.at("completion_s"));
  expect_refusal("cost nodes.json --machine machine.json --bytes 4KiB", "2 ranks a node on ring:5");
}

}  // namespace
}  // namespace isotrope::app
