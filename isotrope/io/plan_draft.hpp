// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan file says, before it is known to make sense.
//
// The keys of a plan may come in any order, so a hop may be read before the network it must fit. The draft
// takes the values as they come; once all are there, `checked_plan` checks them against each other and hands
// the hops over without a copy.
//
// Cost: one pass over the hops. Memory: in proportion to the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::io {

/// The values of a plan file by their keys; optional are those whose presence depends on others.
struct PlanDraft {
  std::string network;
  std::vector<network::Coordinate> moduli;
  std::vector<network::Coordinate> coordinates;  ///< of the generators, one after the other
  std::vector<std::size_t>
      generator_ends;  ///< generator g: coordinates generator_ends[g-1] .. generator_ends[g]-1
  schedule::Failures failed;
  std::string collective;
  std::optional<network::Node> root;
  std::uint32_t parts = 0;
  schedule::Schedule schedule;
  std::optional<network::Port> k;
  schedule::Bound bound;
  schedule::Claims claims;
  std::optional<std::vector<std::uint64_t>> link_load;

  schedule::Hop hop{};        ///< under construction
  schedule::Packet packet{};  ///< under construction
  schedule::Link link{};      ///< under construction
};

/// The plan.
/// @throws Error "PLACE: what" where a number is out of range, a value is missing or undue beside the others,
/// or the network is not the one its name says.
schedule::Plan checked_plan(PlanDraft&& draft);

}  // namespace isotrope::io
