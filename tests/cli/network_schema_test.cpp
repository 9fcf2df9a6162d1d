// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/network.schema.json and the reader of network files agree on what each key holds: what the schema refuses, the reader
// refuses, and the reader refuses more only for what a schema cannot say.
#include <tuple>
#include <vector>

#include "tests/cli/cli.hpp"
#include "tests/cli/schema.hpp"
#include "tests/page_examples.hpp"

namespace isotrope::app {
namespace {

using testing::IsEmpty;
using testing::Not;

const json& network_schema() {
  static const json schema = json::parse(std::ifstream(ISOTROPE_NETWORK_SCHEMA));
  return schema;
}

class NetworkSchema : public Cli {
 protected:
  bool is_read(const std::string& text) const {
    write("graph.json", text);
    return run("network graph.json").status == 0;
  }
};

TEST_F(NetworkSchema, allows_the_examples) {
  const auto examples = examples_of(ISOTROPE_NETWORK_PAGE, "valid");
  EXPECT_EQ(examples.size(), 3U);
  for (const std::string& text : examples) {
    EXPECT_THAT(breaches(network_schema(), json::parse(text)), IsEmpty()) << text;
    EXPECT_TRUE(is_read(text)) << text;
  }
}

TEST_F(NetworkSchema, refuses_the_bad_examples) {
  const auto examples = examples_of(ISOTROPE_NETWORK_PAGE, "invalid");
  EXPECT_EQ(examples.size(), 4U);
  for (const std::string& text : examples) {
    EXPECT_THAT(breaches(network_schema(), json::parse(text)), Not(IsEmpty())) << text;
    EXPECT_FALSE(is_read(text)) << text;
  }
}

// A network with everything in it, and one value changed.
TEST_F(NetworkSchema, agrees_with_the_reader_on_every_key) {
  const json good = json::parse(R"({"format": "isotrope-network/1", "name": 1, "graph": [], "directed": false,
    "multigraph": true, "nodes": [{"id": 0, "pos": [1, 2.5, 3]}, 1, {"id": 2, "colour": "red"}],
    "links": [[0, 1], [1, 2, 60], [1, 2, 1], {"source": 0, "target": 2, "rate": 2, "weight": 7},
              [0, 2, "a"], {"source": 1, "target": 0, "class": "a"}],
    "classes": {"a": {"rate": 3}, "b": {"latency_s": 1e-6}, "c": {"rate": 1, "latency_s": 0}}})");
  EXPECT_THAT(breaches(network_schema(), good), IsEmpty());
  EXPECT_TRUE(is_read(good.dump()));

  const std::vector<std::pair<const char*, json>> changes{
      {"/format", "isotrope-network/2"},
      {"/directed", 1},
      {"/multigraph", "yes"},
      {"/nodes", 0},
      {"/nodes", 16385},
      {"/nodes", "three"},
      {"/nodes/0/pos", {1}},
      {"/nodes/0/pos", {1, "2"}},
      {"/nodes/2", json::object({{"name", 2}})},
      {"/links", json::object()},
      {"/links/0", 7},
      {"/links/0", {0}},
      {"/links/0", {0, 1, 2, 3}},
      {"/links/1/2", 0},
      {"/links/1/2", 65},
      {"/links/1/2", 1.5},
      {"/links/3", json::object({{"source", 0}})},
      {"/links/3/rate", -1},
      {"/links/3/class", 0.5},
      {"/classes", 7},
      {"/classes/a", json::object()},
      {"/classes/a/rate", "2"},
      {"/classes/b/latency_s", -1},
      {"/classes/b/latency_s", "1 us"},
      {"/classes/b/latency", 1},
      {"/colour", "red"},
      {"/edges", json::array()},
  };
  for (const auto& [place, value] : changes) {
    json bad = good;
    bad[json::json_pointer(place)] = value;
    EXPECT_THAT(breaches(network_schema(), bad), Not(IsEmpty())) << place << " " << value;
    EXPECT_FALSE(is_read(bad.dump())) << place << " " << value;
  }
  for (const char* key : {"nodes", "links"}) {
    json bad = good;
    bad.erase(key);
    EXPECT_THAT(breaches(network_schema(), bad), Not(IsEmpty())) << key;
    EXPECT_FALSE(is_read(bad.dump())) << key;
  }
}

}  // namespace
}  // namespace isotrope::app
