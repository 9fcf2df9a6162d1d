// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several ranks a node: all collectives on the places of the ranks, and where the number of ranks a node and the places come from.
// All ranks of the test are on one host.
#include "isotrope/mpi/job_places.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

using network::NamedNetwork;
using network::Node;
using testing::AllOf;
using testing::HasSubstr;

void expect_all_right_on_places(Communicator& comm) {
  for (const std::int64_t ints : {5, 3000}) {
    for (const Collective collective : copying)
      expect_right(comm, {.collective = collective, .ints = ints, .root = world_size() - 1});
    for (const Collective collective : reducing) {
      for (const Op op : {Op::add, Op::compose})
        expect_right(comm, {.collective = collective, .ints = ints, .op = op});
    }
  }
}

std::uint32_t ranks_of_world() {
  return static_cast<std::uint32_t>(world_size());
}

// Networks of `nodes` nodes; few for many ranks, whose tests take their time.
std::vector<std::string> networks_of(std::uint32_t nodes) {
  constexpr int many = 9;
  if (world_size() > many) return {nodes == 4 ? "torus:2x2" : fmt::format("line:2xring:{}", nodes / 2)};
  std::vector<std::string> result{fmt::format("ring:{}", nodes), fmt::format("line:{}", nodes),
                                  fmt::format("complete:{}", nodes)};
  if (nodes == 4) result.insert(result.end(), {"torus:2x2", "line:4@2"});
  return result;
}

// The nodes of the ranks in another order, each `ranks` times.
std::vector<Node> dealt_nodes(std::uint32_t ranks) {
  std::vector<Node> result;
  const std::uint32_t nodes = ranks_of_world() / ranks;
  for (std::uint32_t rank = 0; rank < ranks_of_world(); ++rank)
    result.push_back((rank * 3 + rank / nodes) % nodes);
  std::vector<std::uint32_t> taken(nodes, 0);
  for (Node& node : result) {
    while (taken[node] == ranks) node = (node + 1) % nodes;
    ++taken[node];
  }
  return result;
}

TEST(JobPlaces, serve_all_collectives_with_several_ranks_a_node) {
  for (const std::uint32_t ranks : {2U, 3U, 4U}) {
    if (ranks_of_world() % ranks != 0 || ranks_of_world() == ranks) continue;
    for (const std::string& name : networks_of(ranks_of_world() / ranks)) {
      SCOPED_TRACE(fmt::format("{} with {} ranks a node", name, ranks));
      const NamedNetwork nodes = network::parse_named(name);
      Communicator comm(MPI_COMM_WORLD, nodes, {.ranks_per_node = ranks});
      EXPECT_EQ(comm.network().name(), network::network_of_places(nodes, ranks).network.name());
      EXPECT_TRUE(comm.ranks().is_identity());
      expect_all_right_on_places(comm);
    }
  }
}

TEST(JobPlaces, follow_a_list_of_nodes) {
  for (const std::uint32_t ranks : {2U, 4U}) {
    if (ranks_of_world() % ranks != 0 || ranks_of_world() == ranks) continue;
    SCOPED_TRACE(ranks);
    const std::vector<Node> nodes = dealt_nodes(ranks);
    Communicator comm(MPI_COMM_WORLD, network::parse(fmt::format("ring:{}", ranks_of_world() / ranks)),
                      {.nodes = nodes, .ranks_per_node = ranks});
    for (std::uint32_t rank = 0; rank < ranks_of_world(); ++rank)
      EXPECT_EQ(comm.ranks().node_of(rank) / ranks, nodes[rank]);
    expect_all_right_on_places(comm);
  }
}

TEST(JobPlaces, take_the_ranks_a_node_from_a_list_of_nodes) {
  if (ranks_of_world() % 2 != 0 || ranks_of_world() == 2) return;
  const Communicator comm(MPI_COMM_WORLD, network::parse(fmt::format("ring:{}", ranks_of_world() / 2)),
                          {.nodes = dealt_nodes(2)});
  EXPECT_EQ(comm.network().order(), ranks_of_world());
}

TEST(JobPlaces, go_around_failed_links) {
  if (ranks_of_world() != 8 && ranks_of_world() != 16) return;
  NamedNetwork nodes = network::parse_named(fmt::format("ring:{}", ranks_of_world() / 2));
  nodes.lacks.links = network::parse_failed_links("0-1", nodes.network);
  Communicator comm(MPI_COMM_WORLD, nodes, {.nodes = dealt_nodes(2), .ranks_per_node = 2});
  EXPECT_EQ(comm.lacks().links.size(), 2U);
  expect_all_right_on_places(comm);
}

TEST(JobPlaces, are_those_of_any_graph) {
  if (ranks_of_world() % 2 != 0 || ranks_of_world() < 6) return;
  const std::uint32_t count = ranks_of_world() / 2;
  std::vector<network::Edge> edges{{0, 1}, {0, 1}};  // of rate 2
  for (Node node = 2; node < count; ++node) edges.push_back({node / 2, node});
  NamedNetwork nodes = network::from_edges(count, edges);
  nodes.lacks.edge_times = {{{0, 1}, 5e-6}};
  Communicator comm(MPI_COMM_WORLD, nodes, {.nodes = dealt_nodes(2), .ranks_per_node = 2});
  EXPECT_EQ(comm.network().order(), ranks_of_world());
  expect_all_right_on_places(comm);
}

std::string refusal_of(const NamedNetwork& nodes, const CommunicatorOptions& options) {
  try {
    const Communicator comm(MPI_COMM_WORLD, nodes, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(JobPlaces, are_on_the_nodes_that_are_left) {
  if (ranks_of_world() != 8) return;
  for (const std::uint32_t ranks : {1U, 2U}) {
    const Node left = ranks_of_world() / ranks;
    NamedNetwork nodes = network::parse_named(fmt::format("line:2xring:{}", (left + 2) / 2));
    nodes.lacks.nodes = {0, 3};
    Communicator in_order(MPI_COMM_WORLD, nodes, {.ranks_per_node = ranks});
    EXPECT_EQ(in_order.network().order(), ranks_of_world());
    expect_all_right_on_places(in_order);
    std::vector<Node> backwards;
    for (Node node = left + 2; node-- > 0;) {
      if (node != 0 && node != 3) backwards.insert(backwards.end(), ranks, node);
    }
    Communicator placed(MPI_COMM_WORLD, nodes, {.nodes = backwards, .ranks_per_node = ranks});
    EXPECT_EQ(placed.ranks().node_of(0), ranks_of_world() - ranks);
    expect_all_right_on_places(placed);
    backwards.front() = 3;
    EXPECT_THAT(refusal_of(nodes, {.nodes = backwards, .ranks_per_node = ranks}),
                HasSubstr("node 3 of a rank has failed"));
  }
}

TEST(JobPlaces, name_numbers_that_do_not_fit) {
  const NamedNetwork nodes = network::parse_named(fmt::format("ring:{}", ranks_of_world()));
  EXPECT_THAT(refusal_of(nodes, {.ranks_per_node = 2}),
              AllOf(HasSubstr(fmt::format("{0} nodes of ring:{0} with 2 ranks each", ranks_of_world())),
                    HasSubstr(fmt::format("start {} ranks", 2 * ranks_of_world()))));
  EXPECT_THAT(refusal_of(network::parse_named(fmt::format("ring:{}", ranks_of_world() + 1)), {}),
              HasSubstr("give as many ranks as nodes, or several on each by \"ranks_per_node\""));
  // One host, which says nothing about nodes.
  if (ranks_of_world() % 2 == 0 && ranks_of_world() > 2) {
    EXPECT_THAT(refusal_of(network::parse_named(fmt::format("ring:{}", ranks_of_world() / 2)), {}),
                HasSubstr("several on each by \"ranks_per_node\""));
  }
  NamedNetwork broken = nodes;
  broken.lacks.nodes = {0};
  // Two ranks fit the one node that is left of two.
  if (ranks_of_world() > 2) {
    EXPECT_THAT(refusal_of(broken, {}), HasSubstr("without its failed nodes has"));
  }
}

// ISOTROPE_MACHINE, read by rank 0: the others look in vain for a file of the name.
class MachineOfJob : public testing::Test {
 protected:
  ~MachineOfJob() override {
    unsetenv("ISOTROPE_MACHINE");  // NOLINT(concurrency-mt-unsafe): the test has one thread only
    if (world_rank() == 0) std::remove(file_.c_str());
  }
  void write(const std::string& more) {
    if (world_rank() == 0) {
      std::FILE* file = std::fopen(file_.c_str(), "w");
      std::fputs(
          (R"({"format": "isotrope-machine/1", "startup_s": 2e-6, "byte_time_s": 1e-10, "ports": "all")" +
           more + "}")
              .c_str(),
          file);
      std::fclose(file);
    }
    setenv("ISOTROPE_MACHINE", world_rank() == 0 ? file_.c_str() : "/none",
           1);  // NOLINT(concurrency-mt-unsafe)
    MPI_Barrier(MPI_COMM_WORLD);
  }
  static std::string file_of_job() {
    int process = static_cast<int>(getpid());
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return "/tmp/isotrope_job_places_test_" + std::to_string(process) + ".json";
  }

  std::string file_ = file_of_job();
};

TEST_F(MachineOfJob, gives_network_and_ranks) {
  if (ranks_of_world() % 2 != 0 || ranks_of_world() < 8) return;
  const std::uint32_t nodes = ranks_of_world() / 2;
  write(fmt::format(
      R"(, "network": "line:2xring:{}", "failed_links": ["0-1"], "ranks_per_node": 2, "ranks": [{}])",
      nodes / 2, fmt::join(dealt_nodes(2), ",")));
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(comm.network().name(), fmt::format("line:2xring:{}xcomplete:2", nodes / 2));
  EXPECT_EQ(comm.lacks().links.size(), 2U);
  for (std::uint32_t rank = 0; rank < ranks_of_world(); ++rank)
    EXPECT_EQ(comm.ranks().node_of(rank) / 2, dealt_nodes(2)[rank]);
  expect_all_right_on_places(comm);

  const Communicator same(MPI_COMM_WORLD, network::parse(fmt::format("torus:2x{}", nodes / 2)));
  EXPECT_EQ(same.network().order(), ranks_of_world());
  const Communicator other(MPI_COMM_WORLD, network::parse(fmt::format("ring:{}", nodes)));
  EXPECT_TRUE(other.ranks().is_identity());
  EXPECT_TRUE(other.lacks().empty());
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half);
  if (world_rank() % 2 == 0) {
    const Communicator part(half, network::parse(fmt::format("ring:{}", nodes)));
    EXPECT_EQ(part.network().name(), fmt::format("ring:{}", nodes));
  }
  MPI_Comm_free(&half);
}

TEST_F(MachineOfJob, that_contradicts_the_job_is_an_error_on_all_ranks) {
  write(fmt::format(R"(, "network": "ring:{}", "ranks_per_node": 3)", ranks_of_world()));
  EXPECT_THAT([] { const Communicator comm(MPI_COMM_WORLD); },
              testing::ThrowsMessage<Error>(HasSubstr("with 3 ranks each, and a communicator of")));
  write(R"(, "network": "rong:4")");
  EXPECT_THAT([] { const Communicator comm(MPI_COMM_WORLD); },
              testing::ThrowsMessage<Error>(HasSubstr("\"network\": unknown network family 'rong'")));
}

// The links of axis 1 that are left are slow ones still.
TEST_F(MachineOfJob, keeps_link_classes_around_failed_nodes) {
  if (ranks_of_world() != 8 && ranks_of_world() != 16) return;
  const std::uint32_t ranks = ranks_of_world() / 8;
  write(fmt::format(R"(, "network": "torus:3x3", "failed_nodes": [4], "ranks_per_node": {},
                       "link_classes": [{{"axes": [1], "byte_time_s": 4e-10}}])",
                    ranks));
  Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(comm.network().order(), ranks_of_world());
  EXPECT_EQ(comm.lacks().edge_times.size(), 7 * ranks);  // of 9 links along axis 1 two are those of node 4
  for (const network::EdgeTimes& times : comm.lacks().edge_times) EXPECT_EQ(times.byte_time_s, 4e-10);
  expect_all_right_on_places(comm);
}

TEST_F(MachineOfJob, leaves_topologies_as_they_are) {
  write(fmt::format(R"(, "network": "ring:{}", "ranks_per_node": 3)", ranks_of_world()));
  MPI_Comm grid = MPI_COMM_NULL;
  const int extent = world_size(), periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, &grid);
  {
    const Communicator comm(grid);
    EXPECT_EQ(comm.network().order(), ranks_of_world());
  }
  MPI_Comm_free(&grid);
}

}  // namespace
}  // namespace isotrope::mpi
