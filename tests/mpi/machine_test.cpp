// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine that is planned for: where messages pass nodes, in the options, and in a file.
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

using testing::HasSubstr;

network::Network ring() {
  return network::parse("ring:" + std::to_string(world_size()));
}

// Small exchanges are sent directly there, to ranks that are no neighbours.
TEST(Machines, that_let_messages_pass_are_sent_to_directly) {
  simulate::Machine machine = shared_memory();
  machine.cut_through = true;
  Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
  for (const Collective collective : copying) {
    for (const std::int64_t ints : {0, 1, 7, 3000})
      expect_right(comm, {.collective = collective, .ints = ints});
  }
}

// Elements of 4 bytes: messages of 24 bytes, or of one element where that is not enough.
TEST(Machines, have_long_messages_cut) {
  for (const std::uint64_t bytes : {1U, 27U}) {
    simulate::Machine machine = shared_memory();
    machine.largest_message = bytes;
    Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
    for (const Collective collective : copying) expect_right(comm, {.collective = collective, .ints = 50});
    for (const Collective collective : combining) expect_right(comm, {.collective = collective, .ints = 50});
  }
}

TEST(Machines, of_one_port_are_planned_for) {
  simulate::Machine machine = shared_memory();
  machine.ports = schedule::PortModel::one();
  Communicator comm(MPI_COMM_WORLD, ring(), {.machine = machine});
  for (const Collective collective : copying) expect_right(comm, {.collective = collective, .ints = 100});
  for (const Collective collective : combining) expect_right(comm, {.collective = collective, .ints = 100});
}

TEST(Machines, out_of_range_are_refused_on_all_ranks) {
  simulate::Machine machine = shared_memory();
  machine.startup_s = -1;
  EXPECT_THROW(Communicator(MPI_COMM_WORLD, ring(), {.machine = machine}), Error);
}

class MachineFile : public testing::Test {
 protected:
  // One thread only.
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
