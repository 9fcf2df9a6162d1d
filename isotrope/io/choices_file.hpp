// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Choices files, version 1: measured times of collectives of an MPI library and of Isotrope, as JSON (docs/drop-in.md).
//
//     {"format": "isotrope-choices/1", "library": "Open MPI v4.1.4",
//      "calls": [{"network": "hypercube:3", "collective": "allreduce", "least_bytes": 32,
//                 "library_s": 2.1e-05, "isotrope_s": 2.6e-05, "one_port_s": 2.4e-05},
//                {"network": "hypercube:3", "collective": "alltoall", "unequal_blocks": true, ...}]}
//
// Writing is atomic: beside the file, then renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/collective.hpp"

namespace isotrope::io {

/// The times of one kind of call on one network.
struct MeasuredCall {
  std::string network;
  schedule::Collective collective = schedule::Collective::barrier;
  std::uint64_t least_bytes =
      0;                  ///< of the class of sizes, a factor of 2; as MPI counts them (planner/choice.hpp)
  double library_s = 0;   ///< seconds, above 0
  double isotrope_s = 0;  ///< seconds, above 0
  /// Of the plan for a memory through one port, if ranks share one; seconds, above 0.
  std::optional<double> one_port_s = {};
  /// Whether the blocks have sizes of their own, as in alltoallv. Then `least_bytes` is that of the mean block of an allgather or
  /// reduce-scatter; the other collectives have one kind of call, whatever the sizes.
  bool has_unequal_blocks = false;

  bool is_same_kind(const MeasuredCall& other) const {
    return network == other.network && collective == other.collective && least_bytes == other.least_bytes &&
           has_unequal_blocks == other.has_unequal_blocks;
  }
  /// Whether ranks know enough of the sizes to choose by them.
  bool has_sizes() const {
    using schedule::Collective;
    return !has_unequal_blocks || collective == Collective::allgather ||
           collective == Collective::reduce_scatter;
  }
};

struct MeasuredChoices {
  std::string library;  ///< the MPI library and its version
  std::vector<MeasuredCall> calls;
};

/// The choices in `text`, that of a file. @param name of the file, for errors
/// @throws Error naming the file: not JSON, another format, missing keys, wrong types, values out of range
MeasuredChoices parse_choices(const std::string& name, std::string_view text);
/// @throws Error also if the file cannot be read
MeasuredChoices read_choices(const std::filesystem::path& file);
/// Writes choices to `file`, replacing it only when everything is written. @throws Error if it cannot be written
void write_choices(const std::filesystem::path& file, const MeasuredChoices& choices);

}  // namespace isotrope::io
