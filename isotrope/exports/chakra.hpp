// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as Chakra execution traces, one per rank, for ASTRA-sim and other readers of MLCommons Chakra.
//
//     varint length, GlobalMetadata  { version = 1 }
//     varint length, Node            { id = 1, name = 2, type = 3, ctrl_deps = 4, data_deps = 5, attr = 10 }
//     ...                            one node per send, per receipt, and per round with combined bytes
//
//     attr = AttributeProto          { name = 1, and one of int32_val = 7, int64_val = 9, uint64_val = 13,
//                                      bool_val = 27 }
//     type                               COMP_NODE = 4, COMM_SEND_NODE = 5, COMM_RECV_NODE = 6
//
// Sends and receipts have the attributes comm_size (bytes), comm_src, comm_dst, and comm_tag (the round). A
// COMP_NODE has num_ops, one per byte, and tensor_size.
//
//     round t      send   recv   recv          every node of round t+1 depends on the sends by ctrl_deps (:)
//                    :       \   /             and on the COMP_NODE, or else on the receipts, by data_deps
//                    :       comp
//     round t+1    send   recv
//
// Source: et_def.proto, schema 0.0.4, with its field numbers. Cost: one node per message end, each with the
// ids of all message ends of the round before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::exports {

/// Writes the trace of `rank`. @pre the plan is valid (verify it first).
/// @param block_bytes of a block, or of the vector of an allreduce
/// @throws Error if the plan has too many hops or failed nodes.
void write_chakra_trace(std::ostream& out, const schedule::Plan& plan, network::Node rank,
                        std::uint64_t block_bytes);

/// Makes the folder with `plan.0.et`, `plan.1.et`, ...; readers take the prefix FOLDER/plan. Beside them lie the files of
/// ASTRA-sim (astra_sim.hpp) for a network whose links have the times of `machine`.
/// @param progress called after every file with the share done, 0..1; its exceptions are passed on
/// @throws Error as above, or if the folder exists or cannot be written; then nothing is left behind.
void write_chakra_traces(const std::filesystem::path& folder, const schedule::Plan& plan,
                         std::uint64_t block_bytes, const cost::Machine& machine,
                         const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports
