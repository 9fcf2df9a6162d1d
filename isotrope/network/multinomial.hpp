// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// In how many orders hops can be made: the number of shortest paths if nothing else distinguishes them.
//
// Facts: (a + b + c)! / (a! b! c!) = C(a + b, b) C(a + b + c, c), and so on.
// Cost: products of all hops but the most numerous kind, each O(digits).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace isotrope::network {

/// The exact number of orders of `hops`, counted by kind, times 2^doublings; in decimal. @pre fewer than 2^32 hops.
std::string multinomial(std::span<const std::uint32_t> hops, std::uint32_t doublings = 0);

}  // namespace isotrope::network
