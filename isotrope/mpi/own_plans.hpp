// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's plan files in an MPI job: the folder that ISOTROPE_PLANS names in the environment of rank 0, which reads and
// verifies it for all (planner/plan_folder.hpp).
//
// The catalogue is of a process, so the plans are registered in a process once, with the first communicator that has the
// folder; its rank 0 sends the files to the others. Later communicators send their names only.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/collective.hpp"

namespace isotrope::mpi {

/// Whether plan files are candidates on `comm`: if rank 0 has a folder with a valid plan. If a file is refused, or the folder
/// cannot be read, rank 0 says so once. Collective.
bool share_own_plans(MPI_Comm comm);

/// Notes that a plan file was chosen for `bytes` bytes or more.
void note_own_plan(std::string_view name, schedule::Collective collective, std::uint64_t bytes);

/// What was noted in this process, a line each: "sum: allreduce from 1 KiB".
std::vector<std::string> own_plans_chosen();

}  // namespace isotrope::mpi
