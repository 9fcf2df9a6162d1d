// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network and the machine as Python holds them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/io/machine_file.hpp"
#include "isotrope/io/network_file.hpp"

namespace isotrope::python {

/// A network with what it lacks, and the places of its nodes if a file gives them.
struct Nodes {
  network::NamedNetwork named;
  io::Coordinates coordinates = {};

  network::SurvivingNetwork surviving() const { return {named.network, named.lacks}; }
};

/// A machine; `file` is empty if none was read.
struct GivenMachine {
  io::NamedMachine named;
  std::string file = {};

  /// The ranks in every node.
  std::uint32_t ranks_per_node() const { return named.nodes.ranks_per_node.value_or(1); }
};

}  // namespace isotrope::python
