// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "isotrope/io/plan_file.hpp"

#include "tests/io/heap_peak.hpp"
#include "tests/io/refusal.hpp"
#include "tests/io/same_plan.hpp"
#include "tests/io/sample_plans.hpp"
#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

// The plans of varied_plans() by what they are.
enum Sample { tiny, failed_broadcast, even_alltoall, combining_allreduce, unnamed_task };

ordered_json document(Sample sample) {
  return ordered_json::parse(written(varied_plans()[sample], PlanFormat::json));
}

// Makes the first stage list the first ones of orbits.
void make_symmetric(ordered_json& plan, const std::vector<int>& translations,
                    const std::vector<int>& reflections) {
  plan["format"] = "isotrope-plan/2";
  plan["stages"][0]["replication"] = {{"translations", translations}, {"reflections", reflections}};
}

schedule::Plan read_json(const std::string& text) {
  return read_plan(text, PlanFormat::json, "memory");
}

schedule::Plan read_cbor(const ordered_json& plan) {
  const std::vector<std::uint8_t> bytes = ordered_json::to_cbor(plan);
  return read_plan({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, PlanFormat::cbor, "memory");
}

// The same values with the keys of every object in the order of `before`.
ordered_json sorted(const ordered_json& value,
                    const std::function<bool(const std::string&, const std::string&)>& before) {
  if (value.is_array()) {
    ordered_json result = ordered_json::array();
    for (const auto& element : value) result.push_back(sorted(element, before));
    return result;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (const auto& [key, unused] : value.items()) keys.push_back(key);
  std::sort(keys.begin(), keys.end(), before);
  ordered_json result = ordered_json::object();
  for (const std::string& key : keys) result[key] = sorted(value.at(key), before);
  return result;
}

TEST(PlanReader, reads_the_page_of_the_format) {
  const schedule::Plan plan = read_json(R"({"format": "isotrope-plan/1",
      "network": {"name": "torus:2x3", "moduli": [2, 3], "generators": [[1,0],[0,1],[0,2]]},
      "failed": {"nodes": [5], "links": [[3, 0]]}, "collective": "broadcast", "root": 4, "parts": 2,
      "ports": {"model": "k-port", "k": 3}, "rounds": "combining",
      "stages": [{"flow": "copy", "replication": "none", "hops": [[[0,4,0],[1,4,2]], [], [[0,1,1]]]}],
      "bound": {"kind": "degree", "value": 3, "because": "so"},
      "claims": {"rounds": 3, "hops": 3, "optimal": true, "link_load": [1, 0, 1]}})");

  EXPECT_EQ(plan.network.name(), "torus:2x3");
  EXPECT_EQ(plan.failed, (schedule::Failures{{5}, {{3, 0}}}));
  EXPECT_EQ(plan.task, (schedule::Task{schedule::Collective::broadcast, 4, 2}));
  EXPECT_EQ(plan.schedule.ports, schedule::PortModel::ports(3));
  EXPECT_EQ(plan.schedule.round_kind, schedule::RoundKind::aggregated);
  ASSERT_EQ(plan.schedule.stages.size(), 1u);
  const schedule::Stage& stage = plan.schedule.stages[0];
  EXPECT_EQ(stage.flow, schedule::Flow::copy);
  ASSERT_EQ(stage.rounds.size(), 3u);
  EXPECT_THAT(stage.rounds.round(0), testing::ElementsAre(schedule::Hop{0, 4, 0}, schedule::Hop{1, 4, 2}));
  EXPECT_THAT(stage.rounds.round(1), testing::IsEmpty());
  EXPECT_THAT(stage.rounds.round(2), testing::ElementsAre(schedule::Hop{0, 1, 1}));
  EXPECT_EQ(plan.bound, (schedule::Bound{"degree", 3, "so"}));
  EXPECT_EQ(plan.claims, (schedule::Claims{3, 3, true, {1, 0, 1}}));
}

TEST(PlanReader, a_million_hops_take_the_memory_of_the_hops) {
  const TemporaryFolder folder;
  const std::size_t hops = 1000000;
  // Twice the hops is what a growing vector holds while it moves; a document or the file's bytes would not
  // fit.
  const std::size_t most = 2 * hops * sizeof(schedule::Hop) + (std::size_t{1} << 20);

  for (const char* name : {"a.json", "a.cbor"}) {
    write_plan(folder / name, long_plan(1000, 1000));
    EXPECT_LT(heap_peak([&] { read_plan(folder / name); }), most) << name;
  }
}

TEST(PlanReader, reports_progress) {
  const TemporaryFolder folder;
  write_plan(folder / "a.json", long_plan(1000, 200));
  std::vector<double> shares;

  read_plan(folder / "a.json", [&](double share) { shares.push_back(share); });

  EXPECT_GE(shares.size(), 3u);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

RC_GTEST_PROP(PlanReader, keys_may_come_in_any_order, ()) {
  const schedule::Plan plan = random_plan();
  const ordered_json forward = ordered_json::parse(written(plan, PlanFormat::json));
  const auto salt = *rc::gen::arbitrary<std::uint64_t>();
  const auto rank = [&](const std::string& key) {
    return std::hash<std::string>{}(key + std::to_string(salt));
  };

  const ordered_json shuffled =
      sorted(forward, [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });

  RC_ASSERT(same_plan(read_json(shuffled.dump()), plan));
  RC_ASSERT(same_plan(read_cbor(shuffled), plan));
}

RC_GTEST_PROP(PlanReader, every_prefix_is_refused, ()) {
  const schedule::Plan plan = random_plan();
  for (PlanFormat format : {PlanFormat::json, PlanFormat::cbor}) {
    std::string bytes = written(plan, format);
    if (format == PlanFormat::json) bytes.pop_back();  // the newline at the end
    const auto length = *rc::gen::inRange<std::size_t>(0, bytes.size());
    RC_ASSERT(refusal([&] { read_plan(bytes.substr(0, length), format, "memory"); }) != "accepted");
  }
}

// Hostile, not wrong: the networks are large, the file is not.
TEST(PlanReader, large_networks_cost_little) {
  const std::size_t little = std::size_t{1} << 24;
  ordered_json plan = document(tiny);
  plan["network"] = {{"name", "cayley"}, {"moduli", {67108864}}, {"generators", {{1}, {67108863}}}};

  EXPECT_LT(heap_peak([&] { read_json(plan.dump()); }), little);
  plan["network"]["name"] = "complete:65536";
  EXPECT_LT(
      heap_peak([&] { EXPECT_THAT(refusal([&] { read_json(plan.dump()); }), HasSubstr("network.moduli")); }),
      little);
  plan["network"] = {{"name", "hypercube:26"}, {"moduli", std::vector<int>(26, 2)}, {"generators", {{1}}}};
  EXPECT_LT(heap_peak([&] {
              EXPECT_THAT(refusal([&] { read_json(plan.dump()); }), HasSubstr("network.generators"));
            }),
            little);
}

struct Mistake {
  Sample sample;
  std::function<void(ordered_json&)> make;
  std::string message;  // its beginning
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = {
      {tiny, [](auto& p) { p["format"] = "isotrope-plan/3"; },
       "format: 'isotrope-plan/3': this program reads 'isotrope-plan/1' and 'isotrope-plan/2'"},
      {tiny, [](auto& p) { p["format"] = 1; }, "format: 1: expected text"},
      {tiny, [](auto& p) { p = 7; }, "the plan: 7: expected an object with format, network"},
      {tiny, [](auto& p) { p = ordered_json::array(); }, "the plan: an array: expected an object"},

      {tiny, [](auto& p) { p.erase("stages"); }, "the plan: key 'stages' is missing"},
      {tiny,
       [](auto& p) {
         p = {{"format", "isotrope-plan/1"}, {"parts", 1}};
       },
       "the plan: keys 'network', 'collective', 'stages' are missing"},
      {tiny,
       [](auto& p) {
         p["bound"].clear();
         p["bound"]["because"] = "";
       },
       "bound: keys 'kind', 'value' are missing"},
      {tiny, [](auto& p) { p["bound"]["kind"] = ""; }, "bound.kind: empty: name the kind of bound"},
      {unnamed_task, [](auto& p) { p["network"].erase("moduli"); },
       "network: 'cayley' needs both 'moduli' and 'generators'"},
      {tiny, [](auto& p) { p["network"].erase("name"); }, "network: key 'name' is missing"},
      {tiny, [](auto& p) { p["stages"][0].erase("hops"); }, "stages[0]: key 'hops' is missing"},
      {tiny, [](auto& p) { p["claims"].erase("hops"); }, "claims: key 'hops' is missing"},
      {tiny, [](auto& p) { p["bound2"] = 1; },
       "the plan: unknown key 'bound2': did you mean bound or rounds?"},
      {tiny, [](auto& p) { p["ports"]["extra"] = 1; }, "ports: unknown key 'extra': known are model, k"},
      {tiny,
       [](auto& p) {
         p["stages"][0]["replication"] = {{"axis", 1}};
       },
       "stages[0].replication: unknown key 'axis'"},

      {tiny, [](auto& p) { p["parts"] = -1; }, "parts: "},
      {tiny, [](auto& p) { p["parts"] = 1.5; }, "parts: "},
      {tiny, [](auto& p) { p["parts"] = 4294967296; },
       "parts: 4294967296: expected a whole number 0..4294967295"},
      {tiny, [](auto& p) { p["parts"] = 1e300; }, "parts: "},
      {tiny, [](auto& p) { p["parts"] = nullptr; }, "parts: null: expected a whole number 0..4294967295"},
      {tiny, [](auto& p) { p["parts"] = true; }, "parts: true: expected a whole number"},
      {tiny, [](auto& p) { p["parts"] = "1"; }, "parts: '1': expected a whole number"},
      {tiny, [](auto& p) { p["parts"] = {1}; }, "parts: an array: expected a whole number"},
      {tiny,
       [](auto& p) {
         p["parts"] = {{"a", 1}};
       },
       "parts: an object: expected a whole number"},
      {tiny, [](auto& p) { p["parts"] = 0; }, "parts: 0 parts: a block has at least 1 part"},
      {tiny, [](auto& p) { p["claims"]["optimal"] = 1; }, "claims.optimal: 1: expected true or false"},
      {tiny, [](auto& p) { p["bound"]["value"] = -1; }, "bound.value: "},

      {tiny, [](auto& p) { p["network"]["name"] = "rong:3"; }, "network.name: "},
      {tiny, [](auto& p) { p["network"]["name"] = "ring:4"; },
       "network.moduli: ring:4 has moduli [4], the file gives [3]"},
      {tiny, [](auto& p) { p["network"]["generators"][1] = {1}; },
       "network.generators[1]: ring:3 has [2], the file gives [1]"},
      {tiny, [](auto& p) { p["network"]["generators"].push_back({1}); },
       "network.generators: ring:3 has 2 generators, the file gives 3"},
      {unnamed_task,
       [](auto& p) {
         p["network"]["moduli"] = {4, 0};
       },
       "network.moduli: "},
      {unnamed_task, [](auto& p) { p["network"]["moduli"] = ordered_json::array(); }, "network.moduli: "},
      {unnamed_task,
       [](auto& p) {
         p["network"]["moduli"] = {65536, 65536};
       },
       "network.moduli: "},
      {unnamed_task,
       [](auto& p) {
         p["network"]["generators"][2] = {0, 6};
       },
       "network.generators[2]: "},
      {unnamed_task, [](auto& p) { p["network"]["generators"][2] = {0}; }, "network.generators[2]: "},
      {unnamed_task, [](auto& p) { p["network"]["generators"].erase(2); }, "network.generators: "},
      {unnamed_task, [](auto& p) { p["network"]["generators"] = ordered_json::array(); },
       "network.generators: "},

      {failed_broadcast, [](auto& p) { p["failed"]["nodes"][1] = 15; },
       "failed.nodes[1]: node 15 is outside 0..14"},
      {failed_broadcast,
       [](auto& p) {
         p["failed"]["links"][0] = {15, 0};
       },
       "failed.links[0]: node 15 is outside 0..14"},
      {failed_broadcast,
       [](auto& p) {
         p["failed"]["links"][0] = {0, 4};
       },
       "failed.links[0]: port 4 is outside 0..3"},
      {failed_broadcast, [](auto& p) { p["failed"]["links"][0] = {0}; },
       "failed.links[0]: 1 given: expected [node, port]"},

      {tiny, [](auto& p) { p["collective"] = "allgahter"; },
       "collective: unknown collective 'allgahter': did you mean allgather"},
      {failed_broadcast, [](auto& p) { p["root"] = 15; }, "root: node 15 is outside 0..14"},
      {failed_broadcast, [](auto& p) { p.erase("root"); }, "root: missing: broadcast has a root"},
      {tiny, [](auto& p) { p["root"] = 0; }, "root: allgather has no root: leave it out"},

      {failed_broadcast, [](auto& p) { p["ports"]["k"] = 0; }, "ports.k: 0 ports are outside 1..4"},
      {failed_broadcast, [](auto& p) { p["ports"]["k"] = 5; }, "ports.k: 5 ports are outside 1..4"},
      {failed_broadcast, [](auto& p) { p["ports"].erase("k"); }, "ports.k: missing"},
      {tiny, [](auto& p) { p["ports"]["k"] = 1; }, "ports.k: all-port has no k: leave it out"},
      {tiny, [](auto& p) { p["ports"]["model"] = "2-port"; },
       "ports.model: unknown '2-port': did you mean k-port"},
      {tiny, [](auto& p) { p["rounds"] = "lax"; }, "rounds: unknown 'lax': known are strict, combining"},

      {tiny, [](auto& p) { p["stages"] = ordered_json::array(); },
       "stages: empty: a plan has at least one stage"},
      {tiny, [](auto& p) { p["stages"] = ordered_json::object(); }, "stages: an object: expected an array"},
      {tiny, [](auto& p) { p["stages"][0]["flow"] = "mvoe"; },
       "stages[0].flow: unknown 'mvoe': did you mean move"},
      {tiny, [](auto& p) { p["stages"][0]["replication"] = "some"; },
       "stages[0].replication: unknown 'some'"},
      {even_alltoall, [](auto& p) { make_symmetric(p, {2}, {}); },
       "stages[0].replication.translations: axis 2 is outside 0..1"},
      {even_alltoall,
       [](auto& p) {
         make_symmetric(p, {0, 0}, {});
       },
       "stages[0].replication.translations: axis 0 twice"},
      {tiny,
       [](auto& p) {
         make_symmetric(p, {}, {0});
         p["stages"][0]["packets"] = {{0, "all", 0, 0}};
       },
       "stages[0].replication: reflection of axis 0 of modulus 3: it must be even"},
      {even_alltoall, [](auto& p) { make_symmetric(p, {1}, {1}); },
       "stages[0].replication: axis 1 is translated and reflected"},
      {even_alltoall, [](auto& p) { make_symmetric(p, {}, {}); }, "stages[0].replication: no axis: give one"},
      {even_alltoall,
       [](auto& p) {
         make_symmetric(p, {0}, {});
         p["stages"][0]["replication"]["even_axis"] = 1;
       },
       "stages[0].replication: even axes beside symmetries"},
      {even_alltoall,
       [](auto& p) {
         make_symmetric(p, {1}, {});
         p["stages"][0].erase("packets");
       },
       "stages[0]: alltoall does not imply the packets"},
      {even_alltoall, [](auto& p) { p["stages"][0]["replication"]["even_axis"] = 2; },
       "stages[0].replication.even_axis: axis 2 is outside 0..1"},
      {failed_broadcast,
       [](auto& p) {
         p["stages"][0]["replication"] = {{"even_axis", 0}};
       },
       "stages[0].replication.even_axis: axis 0 has modulus 3: it must be even"},

      {even_alltoall, [](auto& p) { p["stages"][0].erase("packets"); },
       "stages[0]: alltoall does not imply the packets"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"] = ordered_json::array(); },
       "stages[0].hops[0][0]: packet 1: there is none"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][1][0] = 8; },
       "stages[0].packets[1]: origin 8 is outside 0..7"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][1][1] = 8; },
       "stages[0].packets[1]: destination 8 is outside 0..7"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][1][1] = 4294967295; },
       "stages[0].packets[1][1]: 4294967295: expected a whole number 0..4294967294 or text"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][1][1] = "every"; },
       "stages[0].packets[1][1]: unknown 'every': give a node or \"all\""},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][0][3] = 1; },
       "stages[0].packets[0]: part 1 is outside 0..0"},
      {even_alltoall, [](auto& p) { p["stages"][0]["packets"][0].push_back(1); },
       "stages[0].packets[0][4]: one value too many: expected [origin, to, block, part]"},

      {tiny, [](auto& p) { p["stages"][0]["hops"][0][1][0] = 77; },
       "stages[0].hops[0][1]: packet 77 is outside 0..0"},
      {even_alltoall, [](auto& p) { p["stages"][0]["hops"][1][0][0] = 2; },
       "stages[0].hops[1][0]: packet 2 is outside 0..1"},
      {combining_allreduce, [](auto& p) { p["stages"][1]["hops"][0][1][1] = 4; },
       "stages[1].hops[0][1]: node 4 is outside 0..3"},
      {tiny, [](auto& p) { p["stages"][0]["hops"][0][0][2] = 2; },
       "stages[0].hops[0][0]: port 2 is outside 0..1"},
      {tiny, [](auto& p) { p["stages"][0]["hops"][0][1][2] = -1; }, "stages[0].hops[0][1][2]: "},
      {tiny,
       [](auto& p) {
         p["stages"][0]["hops"][0][1] = {0, 0};
       },
       "stages[0].hops[0][1]: 2 given: expected [packet, from, port]"},
      {tiny,
       [](auto& p) {
         p["stages"][0]["hops"][0][1] = {0, 0, 0, 0};
       },
       "stages[0].hops[0][1][3]: one value too many: expected [packet, from, port]"},
      {tiny, [](auto& p) { p["stages"][0]["hops"][0][1] = 0; },
       "stages[0].hops[0][1]: 0: expected [packet, from, port]"},
      {tiny, [](auto& p) { p["stages"][0]["hops"][0] = 0; }, "stages[0].hops[0]: 0: expected an array"},

      {combining_allreduce, [](auto& p) { p["claims"].erase("link_load"); }, "claims.link_load: missing"},
      {tiny, [](auto& p) { p["claims"]["link_load"] = {1}; },
       "claims.link_load: strict rounds have no link_load"},
  };
  return all;
}

TEST(PlanReader, names_the_place_of_every_mistake) {
  for (const Mistake& mistake : mistakes()) {
    ordered_json plan = document(mistake.sample);
    mistake.make(plan);
    EXPECT_THAT(refusal([&] { read_json(plan.dump()); }), StartsWith("memory: " + mistake.message));
    EXPECT_THAT(refusal([&] { read_cbor(plan); }), StartsWith("memory: " + mistake.message));
  }
}

// The mistakes that only one of the two formats, or only its text, can hold.
TEST(PlanReader, names_the_place_of_mistakes_in_json) {
  const auto with_parts = [](const std::string& value) {
    return refusal([&] { read_json(R"({"format": "isotrope-plan/1", "parts": )" + value + "}"); });
  };

  EXPECT_EQ(with_parts("-3"), "memory: parts: -3: expected a whole number 0..4294967295");
  EXPECT_EQ(with_parts("1.5"), "memory: parts: '1.5': expected a whole number 0..4294967295");
  EXPECT_EQ(with_parts("99999999999999999999"),
            "memory: parts: '99999999999999999999': expected a whole number 0..4294967295");
  EXPECT_THAT(with_parts("1e999"), HasSubstr("memory: byte "));
  EXPECT_EQ(with_parts("1, \"parts\": 1"), "memory: parts: the key stands here twice");
  EXPECT_THAT(with_parts("1, \"\\n\": 1"), HasSubstr("unknown key '\\n'"));
}

TEST(PlanReader, names_line_and_column_of_what_is_not_json) {
  const std::string whole = written(tiny_plan(), PlanFormat::json);
  const auto message = [](const std::string& text) { return refusal([&] { read_json(text); }); };

  EXPECT_THAT(message(""), StartsWith("memory: line 1, column 1: "));
  EXPECT_THAT(message("{\n  \"format\": oops}"), StartsWith("memory: line 2, column 13: "));
  EXPECT_THAT(message("\x89PNG"), StartsWith("memory: line 1, column 1: "));
  EXPECT_THAT(message(whole + "x"), StartsWith("memory: line 24, column 1: "));
  EXPECT_EQ(message(whole + std::string(1, '\0')), "memory: a NUL byte stands after the end of the plan");
  EXPECT_EQ(message(whole + std::string("\0{\"garbage\": [not json", 23)),
            "memory: a NUL byte stands after the end of the plan");
  EXPECT_THAT(message(whole.substr(0, whole.find("\"parts\""))), HasSubstr("unexpected end of input"));
  EXPECT_THAT(message("{\"format\": \"\xFF\"}"), HasSubstr("UTF-8"));
  EXPECT_THAT(message(std::string(100000, '[')), StartsWith("memory: the plan: an array: expected"));
}

TEST(PlanReader, refuses_text_after_a_nul_in_a_file) {
  const TemporaryFolder folder;
  const std::string whole = written(tiny_plan(), PlanFormat::json);
  std::ofstream(folder / "a.json") << whole << '\0' << "{";

  EXPECT_THAT(refusal([&] { read_plan(folder / "a.json"); }), HasSubstr("a NUL byte"));
  std::ofstream(folder / "b.json") << whole;
  EXPECT_EQ(refusal([&] { read_plan(folder / "b.json"); }), "accepted");
}

TEST(PlanReader, names_the_wrong_extension) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.cbor") << written(tiny_plan(), PlanFormat::json);
  std::ofstream(folder / "a.json") << written(tiny_plan(), PlanFormat::cbor);

  EXPECT_THAT(refusal([&] { read_plan(folder / "a.cbor"); }),
              HasSubstr("the content is JSON, the name says CBOR; name the file .json"));
  EXPECT_THAT(refusal([&] { read_plan(folder / "a.json"); }),
              HasSubstr("the content is not JSON; if it is CBOR, name the file .cbor"));
}

// What a person writes: the name implies the network, the collective the flow, and nothing is claimed.
TEST(PlanReader, sets_what_a_person_leaves_out) {
  const schedule::Plan plan = read_json(R"({"format": "isotrope-plan/1", "network": {"name": "ring:3"},
      "collective": "allgather", "stages": [{"replication": "all", "hops": [[[0,0,0],[0,0,1]]]}]})");

  schedule::Plan expected = tiny_plan();
  expected.bound = {};
  expected.claims.optimal.reset();
  EXPECT_TRUE(same_plan(plan, expected));
  EXPECT_TRUE(same_plan(read_json(written(plan, PlanFormat::json)), plan));
}

TEST(PlanReader, implies_the_flow_of_every_stage) {
  const auto flows = [](const std::string& collective, int stages) {
    ordered_json plan = document(tiny);
    plan["collective"] = collective;
    if (collective == "scatter" || collective == "reduce") plan["root"] = 0;
    plan["stages"][0].erase("flow");
    plan["stages"][0].erase("replication");
    plan["stages"][0]["packets"] = {{0, 0, 0, 0}};
    for (int s = 1; s < stages; ++s) plan["stages"].push_back(plan["stages"][0]);
    std::vector<schedule::Flow> result;
    for (const schedule::Stage& stage : read_json(plan.dump()).schedule.stages) result.push_back(stage.flow);
    return result;
  };
  using enum schedule::Flow;
  EXPECT_THAT(flows("scatter", 1), testing::ElementsAre(move));
  EXPECT_THAT(flows("alltoall", 2), testing::ElementsAre(move, move));
  EXPECT_THAT(flows("allgather", 1), testing::ElementsAre(copy));
  EXPECT_THAT(flows("reduce", 1), testing::ElementsAre(reduce));
  EXPECT_THAT(flows("allreduce", 2), testing::ElementsAre(reduce, copy));
}

TEST(PlanReader, says_why_a_file_cannot_be_read) {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing.json";
  const std::string empty = folder / "empty.cbor";
  std::ofstream(empty) << "";

  EXPECT_EQ(refusal([&] { read_plan(missing); }), missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(
      refusal([&] { read_plan(folder.path()); }),
      folder.path().string() + ": a directory cannot be opened as a file: give the path of a regular file");
  EXPECT_EQ(refusal([&] { read_plan(empty); }), empty + ": byte 0: the file is empty");
}

}  // namespace
}  // namespace isotrope::io
