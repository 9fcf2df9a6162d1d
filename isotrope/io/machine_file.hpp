// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine files, version 1: the cost model of a machine, and perhaps its network and ranks, as JSON (docs/machine-file.md).
//
// Missing keys keep the defaults of cost::Machine; every file must give the start-up time and the time per byte.
// Writing is atomic: beside the file, then renamed.
//
// Paths in a file are relative to its folder; here they are relative to the folder of the process, as that of the file is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::io {

/// No time of a machine is longer, in seconds, so that sums and products of times stay finite.
inline constexpr double longest_time_s = 1e9;

/// The times of messages between ranks of one node, as a file gives them.
struct MemoryTimes {
  std::optional<double> startup_s = {};    ///< seconds per message
  std::optional<double> byte_time_s = {};  ///< seconds per byte

  bool operator==(const MemoryTimes&) const = default;
};

/// The network of a machine and the ranks on it, as a file gives them. What the network has is not known yet: machine_network.hpp
/// finds it out.
struct MachineNodes {
  std::string network =
      {};  ///< a name, or the path of a network file; empty: not given, and nothing below but ranks a node
  std::vector<network::Node> failed_nodes = {};
  std::vector<std::string> failed_links = {};        ///< each as "3-4" or "7:0"
  std::optional<std::uint32_t> ranks_per_node = {};  ///< 1 or more
  MemoryTimes memory = {};
  std::string ranks_file = {};                     ///< the path of a rank map; empty: not given
  std::vector<network::Node> nodes_of_ranks = {};  ///< a rank map in the file itself; empty: not given

  /// Whether there is a rank map.
  bool places_ranks() const { return !ranks_file.empty() || !nodes_of_ranks.empty(); }
  bool operator==(const MachineNodes&) const = default;
};

struct NamedMachine {
  std::string name;       ///< any text, also none
  cost::Machine machine;  ///< the times of the links
  double spread = 0;      ///< how far its measurements spread, at least 1; 0 if unknown
  MachineNodes nodes = {};
};

/// The largest number of ranks a node.
inline constexpr std::uint32_t most_ranks_per_node = 1024;

/// Reads a machine. Checks everything but whether a network has as many ports, which cost::check does.
/// @throws Error naming the file, and the wrong key if any: not a regular file (input_file.hpp), not JSON, another format,
/// unknown, missing or doubled keys, wrong types, values out of range.
NamedMachine read_machine(const std::filesystem::path& file);

/// The machine that `text` describes, the content of `file`.
NamedMachine parse_machine(const std::filesystem::path& file, std::string_view text);

/// Writes a machine to `file`, replacing it only when everything is written.
/// @throws Error if the file cannot be written, or the machine could not be read again.
void write_machine(const std::filesystem::path& file, const NamedMachine& machine);

}  // namespace isotrope::io
