// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/machine_file.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using schedule::PortModel;
using testing::AllOf;
using testing::HasSubstr;

class MachineFile : public testing::Test {
 protected:
  NamedMachine read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_machine(file_);
  }
  // What reading says, without the name of the file, which it must begin with.
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      const std::string what = error.what(), start = file_.string() + ": ";
      EXPECT_TRUE(what.starts_with(start)) << what;
      return what.substr(start.size());
    }
    return "";
  }
  // With one more key.
  std::string refusal_with(const std::string& more) const {
    return refusal(R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10, )" + more +
                   "}");
  }

  io::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "machine.json";
};

TEST_F(MachineFile, gives_what_it_says) {
  const auto [name, machine, spread, nodes] = read(R"({
    "format": "isotrope-machine/1", "name": "a cluster", "startup_s": 2e-6, "byte_time_s": 1e-10,
    "ports": "all", "internal_packet": 4096, "overhead_s": 3e-7, "overlap": 0.25,
    "cut_through": true, "hop_time_s": 5e-8, "spread": 2.5})");
  EXPECT_EQ(name, "a cluster");
  EXPECT_EQ(spread, 2.5);
  EXPECT_EQ(machine, (cost::Machine{.startup_s = 2e-6,
                                    .byte_time_s = 1e-10,
                                    .internal_packet = 4096,
                                    .ports = PortModel::all(),
                                    .overlap = 0.25,
                                    .overhead_s = 3e-7,
                                    .cut_through = true,
                                    .hop_time_s = 5e-8}));
}

TEST_F(MachineFile, may_leave_out_what_has_a_default) {
  const auto [name, machine, spread, nodes] =
      read(R"({"format": "isotrope-machine/1", "startup_s": 0, "byte_time_s": 1})");
  EXPECT_EQ(name, "");
  EXPECT_EQ(spread, 0);
  EXPECT_EQ(machine, (cost::Machine{.startup_s = 0, .byte_time_s = 1}));
}

TEST_F(MachineFile, comes_back_as_it_was_written) {
  for (const PortModel ports :
       {PortModel::all(), PortModel::ports(1), PortModel::ports(3), PortModel::one(), PortModel::half()}) {
    for (const bool cut_through : {false, true}) {
      const NamedMachine written{"\"name\" with \xc3\xa9",
                                 {.startup_s = 1.0 / 3,
                                  .byte_time_s = 1e-300,
                                  .internal_packet = UINT64_MAX,
                                  .ports = ports,
                                  .overlap = 0.1,
                                  .overhead_s = 7e-9,
                                  .overhead_byte_s = 5e-11,
                                  .receive_overhead_s = 3e-9,
                                  .cut_through = cut_through,
                                  .hop_time_s = cut_through ? 0.7 : 0,
                                  .largest_message = 1},
                                 cut_through ? 3.25 : 0};
      write_machine(file_, written);
      const NamedMachine read = read_machine(file_);
      EXPECT_EQ(read.machine, written.machine);
      EXPECT_EQ(read.name, written.name);
      EXPECT_EQ(read.spread, written.spread);
    }
  }
}

TEST_F(MachineFile, gives_link_classes_to_axes) {
  cost::Machine expected{.startup_s = 2e-6, .byte_time_s = 1e-10};
  expected.listed_classes[0] = {.axes = 5, .startup_s = 4e-6, .byte_time_s = 3e-10};
  expected.listed_classes[1] = {.axes = std::uint64_t{1} << 63, .byte_time_s = 0.0};
  expected.link_class_count = 2;
  const NamedMachine machine =
      read(R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10,
    "link_classes": [{"axes": [2, 0], "startup_s": 4e-6, "byte_time_s": 3e-10}, {"axes": [63], "byte_time_s": 0}]})");
  EXPECT_EQ(machine.machine, expected);
  write_machine(file_, machine);
  EXPECT_EQ(read_machine(file_).machine, expected);
}

TEST_F(MachineFile, refuses_bad_link_classes) {
  const auto refusal_of = [&](const std::string& classes) {
    return refusal_with("\"link_classes\": " + classes);
  };
  EXPECT_THAT(refusal_of("7"), HasSubstr("\"link_classes\": 7: give a list of at most 8"));
  EXPECT_THAT(refusal_of("[7]"), HasSubstr("\"link_classes[0]\": give an object"));
  EXPECT_THAT(refusal_of(R"([{"startup_s": 1}])"),
              HasSubstr("no \"link_classes[0].axes\": every link class"));
  EXPECT_THAT(refusal_of(R"([{"axes": []}])"), HasSubstr("give a list of axes, whole numbers from 0 to 63"));
  EXPECT_THAT(refusal_of(R"([{"axes": [64], "startup_s": 1}])"), HasSubstr("[64]: give a list of axes"));
  EXPECT_THAT(refusal_of(R"([{"axes": [0.5], "startup_s": 1}])"), HasSubstr("give a list of axes"));
  EXPECT_THAT(refusal_of(R"([{"axes": [1]}])"), HasSubstr("no times: give \"startup_s\""));
  EXPECT_THAT(refusal_of(R"([{"axes": [1], "startup_s": -1}])"),
              HasSubstr("\"link_classes[0].startup_s\": -1: give seconds"));
  EXPECT_THAT(refusal_of(R"([{"axes": [1], "startup_s": 1}, {"axes": [1], "byte_time_s": 1}])"),
              HasSubstr("axis 1 is in two link classes: leave it out of one"));
  EXPECT_THAT(refusal_of(R"([{"axes": [1], "startup_s": 1, "byte_time": 1}])"),
              HasSubstr("unknown key \"link_classes[0].byte_time\": did you mean byte_time_s"));
  std::string nine = "[";
  for (int axis = 0; axis < 9; ++axis)
    nine += fmt::format("{}{{\"axes\": [{}], \"startup_s\": 1}}", axis == 0 ? "" : ",", axis);
  EXPECT_THAT(refusal_of(nine + "]"), HasSubstr("at most 8"));
}

TEST_F(MachineFile, refuses_what_is_no_machine) {
  EXPECT_THAT(refusal(""), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{\"format\": "), AllOf(HasSubstr("not JSON"), HasSubstr("line 1")));
  EXPECT_THAT(refusal("[]"), HasSubstr("one JSON object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("no \"format\""));
  EXPECT_THAT(refusal(R"({"format": "isotrope-machine/2"})"),
              HasSubstr("\"format\": \"isotrope-machine/2\""));
  EXPECT_THAT(refusal(R"({"format": "isotrope-machine/1"})"), HasSubstr("no \"startup_s\""));
  EXPECT_THAT(refusal(R"({"format": "isotrope-machine/1", "startup_s": 1})"),
              HasSubstr("no \"byte_time_s\""));
}

TEST_F(MachineFile, refuses_bad_values_by_their_keys) {
  EXPECT_EQ(refusal_with(R"("name": "x")"), "");
  EXPECT_THAT(refusal_with(R"("spread": 0.5)"),
              HasSubstr("\"spread\": 0.5: give a ratio of times, 1 or more"));
  EXPECT_THAT(refusal_with(R"("spread": 0)"), HasSubstr("1 or more"));
  EXPECT_THAT(refusal_with(R"("name": 3)"), HasSubstr("\"name\": 3: give a text"));
  EXPECT_THAT(refusal_with(R"("overhead_s": -1)"), HasSubstr("\"overhead_s\": -1: give seconds"));
  EXPECT_THAT(refusal_with(R"("overhead_s": "1us")"), HasSubstr("\"overhead_s\": \"1us\": give seconds"));
  EXPECT_THAT(refusal_with(R"("overhead_s": 1e999)"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal_with(R"("hop_time_s": null)"), HasSubstr("\"hop_time_s\": null"));
  EXPECT_THAT(refusal_with(R"("hop_time_s": 1e-9)"), HasSubstr("without cut-through"));
  EXPECT_THAT(refusal_with(R"("overlap": 1.5)"), HasSubstr("\"overlap\": 1.5: give a share"));
  EXPECT_THAT(refusal_with(R"("internal_packet": 1.5)"), HasSubstr("whole number of bytes"));
  EXPECT_THAT(refusal_with(R"("internal_packet": -1)"), HasSubstr("whole number of bytes"));
  EXPECT_THAT(refusal_with(R"("cut_through": 1)"), HasSubstr("true or false"));
  for (const char* ports : {"\"some\"", "0", "-1", "1.5", "4294967297", "true"}) {
    EXPECT_THAT(refusal_with(fmt::format("\"ports\": {}", ports)),
                HasSubstr(fmt::format("\"ports\": {}: give \"all\"", ports)));
  }
}

TEST_F(MachineFile, refuses_unknown_and_doubled_keys) {
  EXPECT_THAT(refusal_with(R"("overhead": 1)"),
              HasSubstr("unknown key \"overhead\": did you mean overhead_s"));
  EXPECT_THAT(refusal_with(R"("startup_s": 1)"), HasSubstr("\"startup_s\" is given twice"));
}

TEST_F(MachineFile, refuses_files_that_cannot_be_opened) {
  EXPECT_THAT([&] { read_machine(folder_.path() / "none.json"); },
              testing::ThrowsMessage<Error>(AllOf(HasSubstr("none.json"), HasSubstr("cannot open"))));
  EXPECT_THAT([&] { read_machine(folder_.path()); },
              testing::ThrowsMessage<Error>(HasSubstr("a directory cannot be opened")));
}

TEST_F(MachineFile, is_not_written_where_it_could_not_be_read) {
  EXPECT_THAT(
      [&] {
        write_machine(file_, {"", {.startup_s = -1}});
      },
      testing::ThrowsMessage<Error>(AllOf(HasSubstr("machine.json"), HasSubstr("start-up"))));
  EXPECT_FALSE(std::filesystem::exists(file_));
  EXPECT_THROW(write_machine(folder_.path() / "none" / "machine.json", {}), Error);
}

TEST_F(MachineFile, gives_network_and_ranks) {
  const NamedMachine machine =
      read(R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10,
    "network": "line:4xring:8", "failed_nodes": [5, 12], "failed_links": ["3-4", "7:0"], "ranks_per_node": 2,
    "memory": {"startup_s": 5e-7}, "ranks": [1, 0, 1, 0]})");
  EXPECT_EQ(machine.nodes.network, "line:4xring:8");
  EXPECT_THAT(machine.nodes.failed_nodes, testing::ElementsAre(5, 12));
  EXPECT_THAT(machine.nodes.failed_links, testing::ElementsAre("3-4", "7:0"));
  EXPECT_EQ(machine.nodes.ranks_per_node, 2U);
  EXPECT_EQ(machine.nodes.memory, (MemoryTimes{5e-7, {}}));
  EXPECT_THAT(machine.nodes.nodes_of_ranks, testing::ElementsAre(1, 0, 1, 0));
  write_machine(file_, machine);
  EXPECT_EQ(read_machine(file_).nodes, machine.nodes);
}

TEST_F(MachineFile, names_files_from_its_folder) {
  const NamedMachine machine =
      read(R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10,
    "network": "graphs/a.json", "ranks": "ranks.txt"})");
  EXPECT_EQ(machine.nodes.network, (folder_.path() / "graphs/a.json").string());
  EXPECT_EQ(machine.nodes.ranks_file, (folder_.path() / "ranks.txt").string());
  write_machine(file_, machine);
  EXPECT_EQ(read_machine(file_).nodes, machine.nodes);
  NamedMachine relative = machine;
  relative.nodes.network = "here.json";
  write_machine(file_, relative);
  EXPECT_EQ(std::filesystem::weakly_canonical(read_machine(file_).nodes.network),
            std::filesystem::weakly_canonical(std::filesystem::absolute("here.json")));
}

TEST_F(MachineFile, refuses_bad_networks_and_ranks) {
  EXPECT_THAT(refusal_with(R"("network": "")"), HasSubstr("\"network\": \"\": give the name of a network"));
  EXPECT_THAT(refusal_with(R"("network": 4)"), HasSubstr("\"network\": 4: give the name"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "failed_nodes": 5)"),
              HasSubstr("\"failed_nodes\": 5: give a list"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "failed_nodes": [-1])"),
              HasSubstr("\"failed_nodes\": -1: give"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "failed_links": [3])"),
              HasSubstr("\"failed_links\": 3: give"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "failed_links": ["0-1,1-2"])"),
              HasSubstr("give a list of links"));
  EXPECT_THAT(refusal_with(R"("ranks_per_node": 0)"),
              HasSubstr("\"ranks_per_node\": 0: give a whole number, 1 to"));
  EXPECT_THAT(refusal_with(R"("ranks_per_node": 1025)"), HasSubstr("1 to 1024"));
  EXPECT_THAT(refusal_with(R"("memory": 1)"), HasSubstr("\"memory\": 1: give an object"));
  EXPECT_THAT(refusal_with(R"("memory": {"startup": 1})"), HasSubstr("unknown key \"memory.startup\""));
  EXPECT_THAT(refusal_with(R"("memory": {"startup_s": -1})"), HasSubstr("\"memory.startup_s\": -1"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "ranks": 7)"), HasSubstr("\"ranks\": 7: give the path"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "ranks": [])"), HasSubstr("\"ranks\": []: give"));
  EXPECT_THAT(refusal_with(R"("network": "ring:4", "ranks": ["0"])"), HasSubstr("\"ranks\": \"0\": give"));
  EXPECT_THAT(refusal_with(R"("ranks": [0])"), HasSubstr("\"ranks\" without \"network\""));
  EXPECT_THAT(refusal_with(R"("failed_nodes": [0])"), HasSubstr("\"failed_nodes\" without \"network\""));
}

}  // namespace
}  // namespace isotrope::io
