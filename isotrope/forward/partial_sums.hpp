// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of a reduce-scatter that one node makes: for each stretch of a block, its own contribution and the sums that its
// children in the tree of that block have sent. A stretch goes on when all have come, and sums are added in the order of
// lanes, so the same call gives the same bits whatever the order of arrivals.
//
// Cost: a copy of the own contribution per stretch that has children, and one addition per child. Memory: what has come and
// waits for others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace isotrope::forward {

/// The bytes of a message, or of a sum.
using Message = std::shared_ptr<std::byte[]>;

class PartialSums {
 public:
  /// into = from op into, for `bytes` bytes of whole elements.
  using Combine = std::function<void(const std::byte* from, std::byte* into, std::uint64_t bytes)>;

  /// A stretch of a block: of the node that ends with it, in one of its trees.
  struct Stretch {
    std::uint32_t owner = 0;
    std::uint32_t tree = 0;
    std::uint64_t offset = 0;

    auto operator<=>(const Stretch&) const = default;
  };

  explicit PartialSums(Combine combine) : combine_(std::move(combine)) {}

  /// Takes the sum of a child, which lies in `kept`. @returns the sum of all and of `own`, once all of `children` have come
  std::optional<Message> add(const Stretch& stretch, std::size_t lane, const std::byte* sum,
                             const Message& kept, std::uint64_t bytes, std::size_t children,
                             const std::byte* own);

 private:
  struct Arrival {
    std::size_t lane;
    const std::byte* sum;
    Message kept;
  };

  Combine combine_;
  std::map<Stretch, std::vector<Arrival>> waiting_;
};

}  // namespace isotrope::forward
