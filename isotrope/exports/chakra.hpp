// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as Chakra execution traces, one a rank, as ASTRA-sim and other feeders of MLCommons Chakra read
// them.
//
//     varint length, GlobalMetadata  { version = 1 }
//     varint length, Node            { id = 1, name = 2, type = 3, ctrl_deps = 4, data_deps = 5, attr = 10 }
//     ...                                a node a send, a receipt, and a round in which something is combined
//
//     attr = AttributeProto          { name = 1, and one of int32_val = 7, int64_val = 9, uint64_val = 13,
//                                      bool_val = 27 }
//     type                               COMP_NODE = 4, COMM_SEND_NODE = 5, COMM_RECV_NODE = 6
//
// Sends and receipts have the attributes comm_size (bytes), comm_src, comm_dst, and comm_tag: the round. What
// combines has num_ops, one a byte, and tensor_size.
//
//     round t      send   recv   recv          all nodes of the next round depend on all of these:
//                    :       \   /             on receipts, or on what combines them, by data_deps (--),
//                    :       comp              on sends by ctrl_deps (:)
//     round t+1    send   recv
//
// Source: et_def.proto, schema 0.0.4, whose field numbers these are. Cost: a node a message end, with an id
// for every message end of the round before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the trace of `rank`; blocks (of allreduce the vector) have `block_bytes` bytes.
/// @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops, or nodes have failed.
void write_chakra_trace(std::ostream& out, const schedule::Plan& plan, network::Node rank,
                        std::uint64_t block_bytes);

/// Makes the folder with `plan.0.et`, `plan.1.et`, ...: their prefix is FOLDER/plan.
/// @param progress called after every file with the share done, 0..1; what it throws is passed on
/// @throws Error as above, and where the folder exists or cannot be written; then nothing is left behind.
void write_chakra_traces(const std::filesystem::path& folder, const schedule::Plan& plan,
                         std::uint64_t block_bytes, const std::function<void(double)>& progress = {});

}  // namespace isotrope::exports
