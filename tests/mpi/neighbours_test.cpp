// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbourhood collectives on every topology, with single and with combined messages.
#include "isotrope/mpi/neighbours.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/mpi/message_combining.hpp"
#include "memory.hpp"
#include "neighbourhoods.hpp"
#include "shapes.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

// Messages cost, bytes do not: blocks of any size are combined. And the other way round.
cost::Machine machine_of(const std::string& name) {
  cost::Machine machine = shared_memory();
  if (name == "network") machine.startup_s = 2e-6, machine.overhead_s = 1e-6;
  if (name == "costly messages") machine.overhead_s = 1;
  if (name == "costly bytes") machine.overhead_byte_s = 1;
  return machine;
}

// The ints of the block that `source` sends from a place.
std::vector<int> values(int source, std::size_t place, std::size_t count) {
  std::vector<int> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(1000000 * source + 1000 * static_cast<int>(place) + static_cast<int>(i % 1000));
  return result;
}

void append(std::vector<int>& all, const std::vector<int>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// As many ints as the elements of a block of any shape hold together.
constexpr std::size_t six = 6;

std::string ring() {
  return world_size() == 1 ? "torus:1" : "ring:" + std::to_string(world_size());
}

class MpiNeighbours : public testing::TestWithParam<std::string> {
 protected:
  // Calls check(edges, communicator, the given one) for all cases.
  template <class Check>
  static void on_all(const Check& check) {
    for (const NeighbourhoodCase& neighbourhood : neighbourhood_cases()) {
      SCOPED_TRACE(neighbourhood.name);
      Communicator comm(neighbourhood.comm, network::parse(ring()), {.machine = machine_of(GetParam())});
      check(edges_of(neighbourhood), comm, neighbourhood.comm);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, MpiNeighbours,
                         testing::Values("shared memory", "network", "costly messages", "costly bytes"),
                         network_test_name);

// Equal blocks, and what must arrive. Places without a neighbour keep their content.
class EqualBlocks {
 public:
  EqualBlocks(const Edges& edges, bool personal, std::size_t ints, const Shape& sent, const Shape& received)
      : sent_(sent),
        received_(received),
        sent_count_(static_cast<MPI_Count>(ints) / sent.ints),
        received_count_(static_cast<MPI_Count>(ints) / received.ints),
        send_(sent.type, sent_count_ * static_cast<MPI_Count>(personal ? edges.destinations.size() : 1)),
        receive_(received.type, received_count_ * static_cast<MPI_Count>(edges.incoming.size())) {
    std::vector<int> content;
    for (std::size_t i = 0; i < (personal ? edges.destinations.size() : 1); ++i)
      append(content, values(world_rank(), i, ints));
    send_.set(content);
    for (const auto& [source, place] : edges.incoming) {
      append(expected_, source == MPI_PROC_NULL ? std::vector<int>(ints, -1)
                                                : values(source, personal ? place : 0, ints));
    }
    receive_.set(std::vector<int>(expected_.size(), -1));
  }

  // Calls function(send, count, type, recv, count, type), which returns a code.
  template <class Function>
  void call(const Function& function) {
    EXPECT_EQ(function(send_.address(), sent_count_, sent_.type, receive_.address(), received_count_,
                       received_.type),
              MPI_SUCCESS);
  }
  void check() const {
    EXPECT_EQ(receive_.ints(), expected_) << sent_.name << " to " << received_.name;
    EXPECT_TRUE(receive_.gaps_are_whole()) << sent_.name << " to " << received_.name;
  }

 private:
  Shape sent_, received_;
  MPI_Count sent_count_, received_count_;
  Memory send_, receive_;
  std::vector<int> expected_;
};

TEST_P(MpiNeighbours, exchange_equal_blocks) {
  on_all([](const Edges& edges, Communicator& comm, MPI_Comm) {
    for (const std::size_t ints : {0, 1, 70, 5000}) {
      EqualBlocks personal(edges, true, ints, one_int(), one_int()),
          common(edges, false, ints, one_int(), one_int());
      personal.call([&](auto... arguments) { return comm.neighbor_alltoall(arguments...); });
      common.call([&](auto... arguments) { return comm.neighbor_allgather(arguments...); });
      personal.check();
      common.check();
    }
  });
}

TEST_P(MpiNeighbours, exchange_any_datatype) {
  on_all([](const Edges& edges, Communicator& comm, MPI_Comm) {
    if (edges.incoming.size() > most_columns || edges.destinations.size() > most_columns) return;
    for (std::size_t i = 0; i < sixes().size(); ++i) {
      const Shape &sent = sixes()[i], &received = sixes()[(i + 3) % sixes().size()];
      EqualBlocks personal(edges, true, six, sent, received), common(edges, false, six, received, sent);
      personal.call([&](auto... arguments) { return comm.neighbor_alltoall(arguments...); });
      common.call([&](auto... arguments) { return comm.neighbor_allgather(arguments...); });
      personal.check();
      common.check();
    }
  });
}

// Ranks complete their requests in different orders.
TEST_P(MpiNeighbours, are_open_at_once) {
  on_all([](const Edges& edges, Communicator& comm, MPI_Comm) {
    std::deque<EqualBlocks> calls;
    std::deque<Request> requests;
    for (const std::size_t ints : {1, 300, 7}) {
      calls.emplace_back(edges, true, ints, one_int(), one_int());
      calls.back().call(
          [&](auto... arguments) { return comm.ineighbor_alltoall(arguments..., requests.emplace_back()); });
      calls.emplace_back(edges, false, ints, one_int(), one_int());
      calls.back().call(
          [&](auto... arguments) { return comm.ineighbor_allgather(arguments..., requests.emplace_back()); });
    }
    if (world_rank() % 2 == 0) std::ranges::reverse(requests);
    for (Request& request : requests) EXPECT_EQ(request.wait(), MPI_SUCCESS);
    for (const EqualBlocks& call : calls) call.check();
  });
}

// The blocks of one side of an exchange in memory, the last one first, with a gap behind each.
struct PlacedBlocks {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> places;
  std::vector<int> memory;

  explicit PlacedBlocks(const std::vector<std::vector<int>>& blocks)
      : counts(blocks.size()), places(blocks.size()) {
    for (std::size_t i = blocks.size(); i-- > 0;) {
      counts[i] = static_cast<MPI_Count>(blocks[i].size());
      places[i] = static_cast<MPI_Aint>(memory.size());
      append(memory, blocks[i]);
      memory.push_back(-2);
    }
  }
  // The same places without the content.
  PlacedBlocks blank() const {
    PlacedBlocks result = *this;
    std::ranges::fill(result.memory, -2);
    return result;
  }
};

std::size_t ints_of(int source, std::size_t place) {
  return (static_cast<std::size_t>(source) + place) % 4;
}

std::vector<std::vector<int>> blocks_of_this_rank(std::size_t blocks) {
  std::vector<std::vector<int>> result;
  for (std::size_t i = 0; i < blocks; ++i)
    result.push_back(values(world_rank(), i, ints_of(world_rank(), i)));
  return result;
}

// Places without a neighbour have counts too, and stay as they are.
std::vector<std::vector<int>> arriving_blocks(const Edges& edges, bool personal) {
  std::vector<std::vector<int>> result;
  for (const auto& [source, place] : edges.incoming) {
    const std::size_t block = personal ? place : 0;
    result.push_back(source == MPI_PROC_NULL ? std::vector<int>(2, -2)
                                             : values(source, block, ints_of(source, block)));
  }
  return result;
}

TEST_P(MpiNeighbours, exchange_blocks_of_different_sizes) {
  on_all([](const Edges& edges, Communicator& comm, MPI_Comm) {
    const PlacedBlocks sent(blocks_of_this_rank(edges.destinations.size())),
        expected(arriving_blocks(edges, true));
    PlacedBlocks received = expected.blank();
    EXPECT_EQ(comm.neighbor_alltoallv(sent.memory.data(), sent.counts.data(), sent.places.data(), MPI_INT,
                                      received.memory.data(), received.counts.data(), received.places.data(),
                                      MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(received.memory, expected.memory);

    const PlacedBlocks one(blocks_of_this_rank(1)), gathered(arriving_blocks(edges, false));
    received = gathered.blank();
    EXPECT_EQ(comm.neighbor_allgatherv(one.memory.data(), one.counts.front(), MPI_INT, received.memory.data(),
                                       received.counts.data(), received.places.data(), MPI_INT),
              MPI_SUCCESS);
    EXPECT_EQ(received.memory, gathered.memory);
  });
}

// Memories of elements of several shapes, by absolute addresses.
struct ShapedBlocks {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
  std::deque<Memory> memories;

  void add(const Shape& shape, const std::vector<int>& content) {
    counts.push_back(static_cast<MPI_Count>(content.size()) / shape.ints);
    types.push_back(shape.type);
    memories.emplace_back(shape.type, counts.back());
    memories.back().set(content);
    MPI_Aint address = 0;
    MPI_Get_address(memories.back().address(), &address);
    places.push_back(address);
  }
};

TEST_P(MpiNeighbours, exchange_blocks_of_different_types) {
  on_all([](const Edges& edges, Communicator& comm, MPI_Comm) {
    ShapedBlocks sent, received;
    std::vector<std::vector<int>> expected;
    for (std::size_t i = 0; i < edges.destinations.size(); ++i) {
      sent.add(sixes()[i % sixes().size()], values(world_rank(), i, six * ints_of(world_rank(), i)));
    }
    for (const auto& [source, place] : edges.incoming) {
      expected.push_back(source == MPI_PROC_NULL ? std::vector<int>(six, -1)
                                                 : values(source, place, six * ints_of(source, place)));
      received.add(sixes()[(received.counts.size() + 4) % sixes().size()],
                   std::vector<int>(expected.back().size(), -1));
    }
    EXPECT_EQ(comm.neighbor_alltoallw(MPI_BOTTOM, sent.counts.data(), sent.places.data(), sent.types.data(),
                                      MPI_BOTTOM, received.counts.data(), received.places.data(),
                                      received.types.data()),
              MPI_SUCCESS);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(received.memories[i].ints(), expected[i]);
      EXPECT_TRUE(received.memories[i].gaps_are_whole());
    }
  });
}

// What the MPI library does. If several edges join two ranks, MPICH (4.0) reverses them.
TEST_P(MpiNeighbours, agree_with_the_library) {
  on_all([](const Edges& edges, Communicator&, MPI_Comm given) {
#ifndef OPEN_MPI
    if (edges.repeated) return;
#endif
    EqualBlocks personal(edges, true, 3, one_int(), one_int()), common(edges, false, 3, one_int(), one_int());
    personal.call([&](const void* send, MPI_Count sent, MPI_Datatype sent_type, void* receive,
                      MPI_Count received, MPI_Datatype type) {
      return MPI_Neighbor_alltoall(send, static_cast<int>(sent), sent_type, receive,
                                   static_cast<int>(received), type, given);
    });
    common.call([&](const void* send, MPI_Count sent, MPI_Datatype sent_type, void* receive,
                    MPI_Count received, MPI_Datatype type) {
      return MPI_Neighbor_allgather(send, static_cast<int>(sent), sent_type, receive,
                                    static_cast<int>(received), type, given);
    });
    personal.check();
    common.check();
  });
}

// ---- plans

TEST(MpiIsotropicNeighbourhoods, have_plans_that_the_checker_accepts) {
  int recognised = 0;
  for (const NeighbourhoodCase& neighbourhood : neighbourhood_cases()) {
    SCOPED_TRACE(neighbourhood.name);
    const Neighbours neighbours = *neighbours_of(neighbourhood.comm);
    const auto found = isotropic_neighbourhood(neighbourhood.comm, neighbours);
    if (!found) continue;
    EXPECT_EQ(found->blocks(), neighbours.destinations.size());
    if (found->longest() == 0) continue;
    ++recognised;
    const schedule::Plan plan = combining_plan(*found, schedule::PortModel::all());
    const verify::Report report = verify::verify(plan);
    EXPECT_TRUE(report.valid) << found->torus.name();
    EXPECT_EQ(plan.schedule.hop_count(), found->hops());
  }
  EXPECT_TRUE(world_size() <= 2 || recognised > 0);
}

// Neighbours in every direction, listed by each rank in an order of its own.
TEST(MpiIsotropicNeighbourhoods, are_tori_with_short_ways) {
  const std::vector<std::pair<std::vector<int>, std::string>> tori{{{7}, "torus:7"},
                                                                   {{2, 2, 2}, "torus:2x2x2"},
                                                                   {{3, 3}, "torus:3x3"},
                                                                   {{4, 4}, "torus:4x4"},
                                                                   {{19}, "torus:19"}};
  for (const auto& [extents, name] : tori) {
    int order = 1;
    for (const int extent : extents) order *= extent;
    if (order != world_size()) continue;
    MPI_Comm comm = stencil(extents, 1, true);
    const auto found = isotropic_neighbourhood(comm, *neighbours_of(comm));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->torus.name(), name);
    MPI_Comm_free(&comm);
  }
}

TEST(MpiIsotropicNeighbourhoods, combine_small_blocks_only) {
  if (world_size() % 3 != 0 || world_size() < 9) GTEST_SKIP() << "no torus of two extents of 3 or more";
  MPI_Comm given = stencil({3, world_size() / 3}, 1, false);
  Communicator comm(given, network::parse(ring()), {.machine = machine_of("network")});
  const auto combines = [&](MPI_Count bytes) {
    return comm.combines(
        neighbor_alltoall(comm.neighbour_counts(), nullptr, bytes, MPI_BYTE, nullptr, bytes, MPI_BYTE));
  };
  EXPECT_FALSE(combines(0));
  EXPECT_TRUE(combines(1));
  EXPECT_TRUE(combines(64));
  EXPECT_FALSE(combines(1 << 20));
  comm = Communicator(given, network::parse(ring()), {.machine = shared_memory()});
  EXPECT_FALSE(combines(64));
  MPI_Comm_free(&given);
}

// Ranks of even number send blocks of 2 ints, the others blocks of 3: MPI allows this on rings of even length.
TEST(MpiIsotropicNeighbourhoods, are_not_combined_if_blocks_may_differ) {
  if (world_size() % 2 != 0) GTEST_SKIP() << "an even number of ranks is needed";
  MPI_Comm given = stencil({world_size()}, 1, false);
  EXPECT_FALSE(isotropic_neighbourhood(given, *neighbours_of(given)));
  Communicator comm(given, network::parse(ring()), {.machine = machine_of("costly messages")});
  const int own = 2 + world_rank() % 2, others = 5 - own;
  const std::vector<int> sent(2 * static_cast<std::size_t>(own), world_rank());
  std::vector<int> received(2 * static_cast<std::size_t>(others), -1);
  EXPECT_EQ(comm.neighbor_alltoall(sent.data(), own, MPI_INT, received.data(), others, MPI_INT), MPI_SUCCESS);
  EXPECT_EQ(received.front(), (world_rank() + 1) % world_size());
  EXPECT_EQ(received.back(), (world_rank() + world_size() - 1) % world_size());
  MPI_Comm_free(&given);
}

// ---- errors

TEST(MpiNeighbourErrors, are_reported_and_later_calls_succeed) {
  MPI_Comm given = stencil({world_size()}, 1, false);
  MPI_Comm_set_errhandler(given, MPI_ERRORS_RETURN);
  Communicator comm(given, network::parse(ring()));
  std::vector<int> sent{world_rank(), world_rank()}, received(2);
  int* const to = received.data();

  EXPECT_NE(comm.neighbor_alltoall(sent.data(), -1, MPI_INT, to, 1, MPI_INT), MPI_SUCCESS);
  EXPECT_THAT(error_string(comm.neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, to, 1, MPI_INT)),
              testing::HasSubstr("MPI_IN_PLACE instead of a buffer"));
  EXPECT_THAT(error_string(comm.neighbor_allgather(sent.data(), 1, MPI_DATATYPE_NULL, to, 1, MPI_INT)),
              testing::HasSubstr("MPI_DATATYPE_NULL"));
  EXPECT_THAT(error_string(comm.neighbor_alltoall(nullptr, 1, MPI_INT, to, 1, MPI_INT)),
              testing::HasSubstr("null pointer"));
  EXPECT_EQ(comm.neighbor_alltoall(sent.data(), 1, MPI_INT, to, 1, MPI_INT), MPI_SUCCESS);
  EXPECT_EQ(received.front(), (world_rank() + 1) % world_size());
  MPI_Comm_free(&given);
}

TEST(MpiNeighbourErrors, name_the_missing_topology) {
  MPI_Comm given = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &given);
  MPI_Comm_set_errhandler(given, MPI_ERRORS_RETURN);
  Communicator comm(given, network::parse(ring()));
  int number = 0;
  const int code = comm.neighbor_allgather(&number, 1, MPI_INT, &number, 1, MPI_INT);
  EXPECT_THAT(error_string(code),
              testing::HasSubstr("neighbor_allgather on a communicator without a topology"));
#ifdef OPEN_MPI
  EXPECT_EQ(class_of(code), MPI_ERR_TOPOLOGY);
#else
  EXPECT_NE(class_of(code), MPI_SUCCESS);
#endif
  MPI_Comm_free(&given);
}

// One rank calls another function.
TEST(MpiNeighbourErrors, of_ranks_that_disagree_are_found_by_the_check) {
  if (world_size() == 1) GTEST_SKIP() << "a rank agrees with itself";
  MPI_Comm given = stencil({world_size()}, 1, false);
  MPI_Comm_set_errhandler(given, MPI_ERRORS_RETURN);
  Communicator comm(given, network::parse(ring()), {.check = true});
  std::vector<int> sent{1, 2}, received(2);
  const int code = world_rank() == 0
                       ? comm.neighbor_allgather(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT)
                       : comm.neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT);
  EXPECT_THAT(error_string(code), testing::HasSubstr("disagree on the collective: neighbor_all"));
  EXPECT_EQ(comm.neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT), MPI_SUCCESS);
  MPI_Comm_free(&given);
}

}  // namespace
}  // namespace isotrope::mpi
