// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A neighbourhood collective without a plan: every block is a message from the caller's memory into the receiver's.
//
// All messages have one tag. Receipts are posted in the order of the sources and blocks are sent in the order of
// neighbours.hpp, and MPI keeps the order between two ranks, so blocks of several edges are not mixed up.
// Cost: one MPI call per block, no copy, no memory but requests.
#pragma once

#include <memory>

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/execution.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/mpi/neighbours.hpp"

namespace isotrope::mpi {

/// @param arguments valid, with displacements in bytes. @param channel, @param neighbours must outlive
/// the result. @param tag of the channel, and of no other open call. @param host_memory carries the messages between ranks of a
/// host, if all ranks of the call wait for its end; nullptr: MPI does
std::unique_ptr<Execution> make_neighbour_exchange(NeighbourArguments arguments, const Neighbours& neighbours,
                                                   const Channel& channel, int tag,
                                                   std::shared_ptr<HostMemory> host_memory);

}  // namespace isotrope::mpi
