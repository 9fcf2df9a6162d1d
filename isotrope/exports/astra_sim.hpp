// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input files of ASTRA-sim that go with the Chakra traces of a plan:
//
//     network.yml     topology: [ Ring, FullyConnected ]      the axes of the network, for the analytical backend
//     system.json     "all-reduce-implementation-custom": ["FOLDER/plan"]
//     memory.json     no remote memory
//
// In network.yml the first dimension counts fastest, so the axes come last first. Bandwidths are in GB/s, latencies in ns.
// The analytical backend has dimensions of rings and of complete graphs; other networks have no network.yml.
//
// Sources: ASTRA-sim, class Sys; astra-network-analytical, class NetworkParser.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::exports {

/// network.yml, with the start-ups and times per byte of `machine`; nothing if the analytical backend has no such network: if
/// it is no product of rings and complete graphs, nodes, links or the closing links of axes are missing, links of an axis are
/// of different classes, or the messages of the plan go over an overlay.
/// @throws Error if a link takes no time per byte
std::optional<std::string> astra_network(const schedule::Plan& plan, const cost::Machine& machine);

/// system.json: all collectives like that of the plan are those of the traces `prefix`.RANK.et. A collective for which
/// ASTRA-sim has no such key is a workload only.
std::string astra_system(const schedule::Plan& plan, const std::filesystem::path& prefix);

/// memory.json.
std::string astra_memory();

}  // namespace isotrope::exports
