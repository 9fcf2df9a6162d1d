// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine model: cut-through machines, models given by options, and models read from a file.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/program_cache.hpp"
#include "shapes.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

using testing::HasSubstr;

network::Network ring() {
  return network::parse("ring:" + std::to_string(world_size()));
}

// Small exchanges are sent directly to ranks that are no neighbours.
TEST(Machines, that_let_messages_pass_are_sent_to_directly) {
  cost::Machine machine = shared_memory();
  machine.cut_through = true;
  Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
  for (const Collective collective : copying) {
    for (const std::int64_t ints : {0, 1, 7, 3000})
      expect_right(comm, {.collective = collective, .ints = ints});
  }
}

// Elements of 4 bytes: messages of 24 bytes, or of one element if the limit is smaller than an element.
TEST(Machines, have_long_messages_cut) {
  for (const std::uint64_t bytes : {1U, 27U}) {
    cost::Machine machine = shared_memory();
    machine.largest_message = bytes;
    Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
    for (const Collective collective : copying) expect_right(comm, {.collective = collective, .ints = 50});
    for (const Collective collective : reducing) expect_right(comm, {.collective = collective, .ints = 50});
  }
}

// Links of 1 us and 1 GB/s, on which latencies overlap: broadcasts of more than a few kilobytes are
// pipelined.
class MpiCutThrough : public testing::TestWithParam<std::string> {
 protected:
  static cost::Machine machine() {
    cost::Machine result;
    result.startup_s = 1e-6;
    result.byte_time_s = 1e-9;
    result.ports = schedule::PortModel::all();
    result.cut_through = true;
    result.hop_time_s = 1e-6;
    return result;
  }
  static network::MappedNetwork network() { return network_called(GetParam()); }
  static Communicator communicator(const cost::Machine& machine) {
    return {MPI_COMM_WORLD, network().named, {.machine = machine, .nodes = nodes_of(network())}};
  }

  Communicator comm_ = communicator(machine());
};

// Messages that keep processors busy beside others: shares of the data go on by themselves.
TEST_P(MpiCutThrough, runs_shares_of_the_data_in_chains) {
  cost::Machine busy = machine();
  busy.overhead_s = busy.receive_overhead_s = 1e-6;
  Communicator comm = communicator(busy);
  ProgramCache programs(network(), static_cast<network::Rank>(world_rank()), busy);
  std::size_t in_chains = 0;
  for (const std::uint64_t bytes : {4096U, 8192U, 16384U, 65536U})
    in_chains += programs.find(Collective::allreduce, 0, bytes, true)->chains.size() > 1 ? 1U : 0U;
  EXPECT_TRUE(GetParam() != "torus:4x4" || in_chains > 0);
  for (const Collective collective :
       {Collective::allreduce, Collective::allgather, Collective::reduce_scatter, Collective::broadcast,
        Collective::reduce}) {
    for (const std::int64_t ints : {0, 1, 7, 256, 1024, 4096, 16384}) {
      for (int call = 0; call < 3; ++call)
        expect_right(comm, {.collective = collective, .ints = ints, .in_place = call == 1});
    }
  }
}

// A plan of more chains than a call has tags for would run in common rounds, and take longer than predicted.
TEST(Channels, have_tags_for_every_chain_of_a_plan) {
  EXPECT_EQ(Channel::of_its_own(MPI_COMM_WORLD).chains(), static_cast<int>(schedule::most_chains));
}

// Messages that occupy no link while they start up: shares of the data use it in turn.
TEST_P(MpiCutThrough, runs_shares_while_others_start_up) {
  ProgramCache programs(network(), static_cast<network::Rank>(world_rank()), machine());
  std::size_t in_shares = 0;
  for (const Collective collective :
       {Collective::allreduce, Collective::allgather, Collective::reduce_scatter, Collective::alltoall,
        Collective::gather, Collective::scatter}) {
    for (const std::int64_t ints : {0, 1, 7, 64, 256, 1024, 4096}) {
      in_shares += programs.find(collective, 0, static_cast<std::uint64_t>(4 * ints), true)->shares.size();
      for (int call = 0; call < 3; ++call)
        expect_right(comm_, {.collective = collective, .ints = ints, .in_place = call == 1});
    }
  }
  EXPECT_TRUE(GetParam() != "torus:4x4" || in_shares > 10);
}

// Pipelining needs trees with two links or more, on closed axes.
TEST_P(MpiCutThrough, pipelines_large_broadcasts_and_reduces) {
  ProgramCache programs(network(), static_cast<network::Rank>(world_rank()), machine());
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    const auto window = [&](std::uint64_t bytes) { return programs.find(collective, 0, bytes)->window; };
    EXPECT_EQ(window(4), 1U);
    EXPECT_EQ(window(80000) > 1, world_size() > 2 && network().named.lacks.empty());
  }
}

TEST_P(MpiCutThrough, reduces_to_all_roots) {
  for (int root = 0; root < comm_.size(); ++root) {
    for (const std::int64_t ints : {0, 1, 7, 300, 3001, 20011}) {
      for (const bool in_place : {false, true})
        expect_right(comm_,
                     {.collective = Collective::reduce, .ints = ints, .root = root, .in_place = in_place});
    }
  }
}

// Operands are combined in the order of the program, in whatever order they come.
TEST_P(MpiCutThrough, reduces_give_the_same_bits_again) {
  std::vector<double> numbers(20000), first(numbers.size()), again(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = 1.0 / static_cast<double>(3 + i % 17 + 5 * static_cast<std::size_t>(comm_.rank()));
  for (int call = 0; call < 10; ++call) {
    std::vector<double>& sums = call == 0 ? first : again;
    EXPECT_EQ(comm_.reduce(numbers.data(), sums.data(), 20000, MPI_DOUBLE, MPI_SUM, 0), MPI_SUCCESS);
    if (call > 0 && comm_.rank() == 0) {
      EXPECT_EQ(std::memcmp(first.data(), again.data(), sizeof(double) * first.size()), 0);
    }
  }
}

TEST_P(MpiCutThrough, broadcasts_from_all_roots) {
  for (int root = 0; root < comm_.size(); ++root) {
    for (const std::int64_t ints : {0, 1, 7, 300, 3001, 20011})
      expect_right(comm_, {.collective = Collective::broadcast, .ints = ints, .root = root});
  }
}

TEST_P(MpiCutThrough, broadcasts_derived_datatypes) {
  for (const Shape& shape : sixes()) {
    for (const std::int64_t ints : {6, 480}) {
      expect_right(comm_,
                   {.collective = Collective::broadcast, .ints = ints, .sent = shape, .received = shape});
    }
  }
}

// Not a whole number of packets. The value of a byte follows from its index.
TEST_P(MpiCutThrough, broadcasts_any_number_of_bytes) {
  for (const int bytes : {1, 2, 3, 61, 4099, 70001, 1300001}) {
    std::vector<unsigned char> data(static_cast<std::size_t>(bytes) + 1, 0xEE);
    const auto content = [](std::size_t i) { return static_cast<unsigned char>(i * 7 + (i >> 8) * 13); };
    const int root = bytes % comm_.size();
    for (std::size_t i = 0; comm_.rank() == root && i + 1 < data.size(); ++i) data[i] = content(i);
    EXPECT_EQ(comm_.broadcast(data.data(), bytes, MPI_BYTE, root), MPI_SUCCESS);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i + 1 < data.size(); ++i) wrong += data[i] == content(i) ? 0 : 1;
    EXPECT_EQ(wrong, 0U) << bytes;
    EXPECT_EQ(data.back(), 0xEE);
  }
}

// Sums of these numbers are rounded, so they depend on the order of the additions, which all ranks must share.
TEST_P(MpiCutThrough, allreduces_end_with_the_same_bits_on_all_ranks) {
  for (const double overhead_s : {0.0, 1e-6}) {
    cost::Machine costly = machine();
    costly.overhead_s = overhead_s;
    Communicator comm = communicator(costly);
    for (const int count : {1, 8, 33, 129, 1000, 20000}) {
      std::vector<double> numbers(static_cast<std::size_t>(count)), sums(numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = 1.0 / static_cast<double>(3 + i % 17 + 5 * static_cast<std::size_t>(comm.rank()));
      EXPECT_EQ(comm.allreduce(numbers.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM), MPI_SUCCESS);
      std::vector<double> first = sums;
      MPI_Bcast(first.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      EXPECT_EQ(std::memcmp(first.data(), sums.data(), sizeof(double) * sums.size()), 0) << count;
    }
  }
}

// Wrapping sums, which are right in every order.
TEST_P(MpiCutThrough, allreduces_of_integers_are_those_of_the_library) {
  cost::Machine costly = machine();
  costly.overhead_s = 1e-6;
  Communicator comm = communicator(costly);
  for (const int count : {1, 8, 33, 1000, 20000}) {
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count)), sums(numbers.size()),
        wanted(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<std::uint32_t>(i + 1) * 0x9E3779B9U + 77U * static_cast<unsigned>(comm.rank());
    for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_BXOR, MPI_MAX}) {
      MPI_Allreduce(numbers.data(), wanted.data(), count, MPI_UINT32_T, op, MPI_COMM_WORLD);
      EXPECT_EQ(comm.allreduce(numbers.data(), sums.data(), count, MPI_UINT32_T, op), MPI_SUCCESS);
      EXPECT_EQ(sums, wanted) << count;
    }
  }
}

TEST(Associativity, is_that_of_predefined_operations_on_what_does_not_round) {
  EXPECT_TRUE(is_associative(MPI_SUM, MPI_INT));
  EXPECT_TRUE(is_associative(MPI_BXOR, MPI_UINT8_T));
  EXPECT_TRUE(is_associative(MPI_LAND, MPI_C_BOOL));
  EXPECT_TRUE(is_associative(MPI_MAXLOC, MPI_2INT));
  EXPECT_FALSE(is_associative(MPI_SUM, MPI_DOUBLE));
  EXPECT_FALSE(is_associative(MPI_MAX, MPI_FLOAT));
  EXPECT_FALSE(is_associative(MPI_MINLOC, MPI_DOUBLE_INT));
  EXPECT_FALSE(is_associative(MPI_SUM, MPI_C_DOUBLE_COMPLEX));
  EXPECT_FALSE(is_associative(handle_of(Op::add), MPI_INT));
}

// Even ranks wait for the last request first, odd ranks test all requests.
TEST_P(MpiCutThrough, broadcasts_several_at_once) {
  std::deque<Trial> trials;
  std::deque<Request> requests;
  for (int i = 0; i < 6; ++i) {
    const Collective collective = i == 3 ? Collective::allreduce : Collective::broadcast;
    trials.emplace_back(comm_, Case{.collective = collective, .ints = 5000 + i, .root = i % comm_.size()});
    trials.back().start(requests.emplace_back());
  }
  for (std::size_t open = comm_.rank() % 2 == 0 ? 0 : 1; open > 0;) {
    open = 0;
    for (Request& request : requests) {
      bool complete = false;
      EXPECT_EQ(request.test(complete), MPI_SUCCESS);
      open += complete ? 0 : 1;
    }
  }
  for (std::size_t i = requests.size(); i-- > 0;) EXPECT_EQ(requests[i].wait(), MPI_SUCCESS);
  for (Trial& trial : trials) trial.check();
}

// MPI libraries call the error handler of one of these two communicators for a failed request.
class WorldThatReturnsErrors {
 public:
  WorldThatReturnsErrors() { set(MPI_ERRORS_RETURN); }
  WorldThatReturnsErrors(const WorldThatReturnsErrors&) = delete;
  WorldThatReturnsErrors& operator=(const WorldThatReturnsErrors&) = delete;
  ~WorldThatReturnsErrors() { set(MPI_ERRORS_ARE_FATAL); }

 private:
  static void set(MPI_Errhandler handler) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  }
};

// The root sends more than the others receive, in as many packets: its neighbours report an error, and later
// calls succeed.
TEST_P(MpiCutThrough, reports_messages_that_do_not_fit) {
  const WorldThatReturnsErrors world;
  std::vector<int> data(20000);
  Communicator comm = communicator(machine());
  const int code = comm.broadcast(data.data(), comm.rank() == 0 ? 20000 : 19000, MPI_INT, 0);
  const auto [named, ranks] = network();
  const network::SurvivingNetwork links(named.network, named.lacks);
  const auto own_node = ranks.node_of(static_cast<network::Rank>(comm.rank()));
  links.for_each_neighbour(ranks.node_of(0), [&](network::Port, network::Node neighbour) {
    if (neighbour == own_node) {
      EXPECT_NE(code, MPI_SUCCESS);
    }
  });
  expect_right(comm, {.collective = Collective::allreduce, .ints = 10});
}

NETWORKS_OF_THE_JOB(MpiCutThrough);

TEST(Machines, of_one_port_are_planned_for) {
  cost::Machine machine = shared_memory();
  machine.ports = schedule::PortModel::one();
  Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
  for (const Collective collective : copying) expect_right(comm, {.collective = collective, .ints = 100});
  for (const Collective collective : reducing) expect_right(comm, {.collective = collective, .ints = 100});
}

TEST(Machines, out_of_range_are_refused_on_all_ranks) {
  cost::Machine machine = shared_memory();
  machine.startup_s = -1;
  EXPECT_THROW(Communicator(MPI_COMM_WORLD, ring(), {.machine = machine}), Error);
}

class MachineFile : public testing::Test {
 protected:
  // The test has one thread only.
  // NOLINTBEGIN(concurrency-mt-unsafe)
  void SetUp() override { setenv("ISOTROPE_MACHINE", "/nowhere/machine.json", 1); }
  void TearDown() override { unsetenv("ISOTROPE_MACHINE"); }
  // NOLINTEND(concurrency-mt-unsafe)
};

TEST_F(MachineFile, that_is_not_there_is_an_error_on_all_ranks) {
  try {
    const Communicator comm(MPI_COMM_WORLD, ring());
    ADD_FAILURE() << "no error on rank " << comm.rank();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(world_rank() == 0 ? "/nowhere/machine.json" : "ISOTROPE_MACHINE"));
  }
}

TEST_F(MachineFile, is_not_read_where_the_options_name_a_machine) {
  Communicator comm(MPI_COMM_WORLD, ring(), {.machine = shared_memory()});
  expect_right(comm, {.collective = Collective::allreduce, .ints = 5});
}

}  // namespace
}  // namespace isotrope::mpi
