// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// mpirun -n 8 own_plans hypercube:3: a communicator takes a plan of one's own from a folder of plan files.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mpi.h>
#include <numeric>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/io/plan_file.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/plan.hpp"

#include "isotrope/mpi/communicator.hpp"

using namespace isotrope;

namespace {

const std::filesystem::path folder = "own_plans_example";

// Any valid plan may stand in the folder, from any source; of plans that are as fast, the communicator takes this one.
void write_plans(const schedule::Problem& problem) {
  const planner::Choice choice = planner::choose_for(problem, 4096, mpi::shared_memory());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  io::write_plan(folder / "mine@1KiB-.cbor",
                 planner::make_plan(choice.best()));  // for blocks of 1 KiB and more
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    const network::Network network = network::parse(count > 1 ? arguments[1] : "hypercube:3");
    const schedule::Problem problem{.network = network, .task = schedule::parse_task("allgather", network)};
    if (rank == 0) {
      write_plans(problem);
      setenv("ISOTROPE_PLANS", folder.c_str(), 1);  // the folder of rank 0 holds for all
    }
    mpi::Communicator comm(MPI_COMM_WORLD, network);

    std::vector<int> block(1024, rank), all(block.size() * static_cast<std::size_t>(comm.size()));
    comm.allgather(block.data(), 1024, MPI_INT, all.data(), 1024, MPI_INT);

    if (rank == 0) {
      std::printf("the sum of all elements is %d\n", std::accumulate(all.begin(), all.end(), 0));
      for (const std::uint64_t bytes : {64, 4096}) {
        const planner::Choice choice = planner::choose_for(problem, bytes, mpi::shared_memory());
        std::printf("%4d bytes: %s\n", static_cast<int>(bytes), choice.best().algorithm->name().c_str());
      }
      std::filesystem::remove_all(folder);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
