// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of a plan file before they are checked against each other.
//
// The keys of a plan may come in any order, so a hop may be read before the network that it must fit. The raw
// plan takes the values as they come; at the end `checked_plan` checks them against each other, sets what the
// file leaves out, and hands the hops over without a copy.
//
// Cost: one pass over the hops. Memory: in proportion to the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::io {

/// A group and its generators as the file gives them; either may be left out.
struct RawGroup {
  std::optional<std::vector<network::Coordinate>> moduli;
  std::vector<network::Coordinate> coordinates;  ///< of the generators, one after the other
  /// Generator g has the coordinates generator_ends[g-1] .. generator_ends[g]-1.
  std::optional<std::vector<std::size_t>> generator_ends;
};

/// The keys of a stage, beside its values.
struct StageKeys {
  std::optional<schedule::Flow> flow;
  bool lists_packets = false;
  std::vector<std::uint32_t> even_axes;  ///< of replication by even_axis or even_axes
  bool has_symmetry = false;             ///< whether the next two are given, instead of even axes
  std::vector<std::uint32_t> translations, reflections;
};

/// The values of a plan file by their keys. Keys that may be left out have the value that they then stand for,
/// or are optional if that depends on other keys.
struct RawPlan {
  std::uint32_t version = 1;
  std::string first_key_of_version_2;  ///< the place of a key or flow that version 1 lacks; empty if none

  std::string network_name;
  RawGroup network;
  std::optional<RawGroup> overlay;
  schedule::Failures failed;
  bool has_edges = false;
  std::string collective;
  std::optional<network::Node> root;
  std::uint32_t parts = 1;
  std::vector<schedule::RelativeDestination> destinations;
  std::vector<schedule::Delivery> deliveries;
  schedule::Schedule schedule;
  std::vector<StageKeys> stage_keys;  ///< by stage
  std::optional<network::Port> k;
  std::optional<std::uint64_t> aggregation;
  std::uint32_t window = 1;
  std::uint32_t chains = 1;
  std::vector<std::uint32_t> shares;
  std::optional<schedule::StepLimits> step_limits;
  schedule::Bound bound;
  std::optional<schedule::Claims> claims;
  bool has_link_load = false;

  schedule::Hop hop{};                     ///< under construction
  schedule::Packet packet{};               ///< under construction
  schedule::Link link{};                   ///< under construction
  network::Edge edge{};                    ///< under construction
  schedule::RelativeDestination blocks{};  ///< under construction
  schedule::Delivery delivery{};           ///< under construction
};

/// The plan.
/// @throws Error "PLACE: what" if a number is out of range, a value is missing or undue beside the others, or
/// the network is not the one that its name says.
schedule::Plan checked_plan(RawPlan&& raw);

}  // namespace isotrope::io
