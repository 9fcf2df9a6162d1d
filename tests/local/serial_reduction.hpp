// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of a combining plan, to the bit, by the plainest means: every translate of every packet and hop
// written out, every value in a vector of its own, one thread, no places. Within a round a node combines what
// comes as own = op(own, incoming), ascending by its port.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

/// At a node: the piece of a block of an owner that begins at an offset.
struct Place {
  network::Node node = 0;
  network::Node owner = 0;
  std::uint32_t block = 0;
  std::uint64_t offset = 0;

  bool operator==(const Place&) const = default;
  bool operator<(const Place& other) const {
    return std::tie(node, owner, block, offset) <
           std::tie(other.node, other.owner, other.block, other.offset);
  }
};

using Results = std::map<Place, std::vector<std::byte>>;

/// Sum, prod, max or min on int32, float or double. No node of the plan failed.
Results serial_results(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction,
                       std::uint64_t seed);

}  // namespace isotrope::local
