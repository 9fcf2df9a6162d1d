// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Something cut into pieces as equal as whole numbers allow: a block into parts, nodes and checks among
// threads.
#pragma once

#include <cstdint>

namespace isotrope::local {

/// Where share `index` of `shares` begins in 0..total-1: floor(index * total / shares), without overflow.
/// Share `index` ends where the next begins; it is empty where there are more shares than things.
/// @pre 0 <= index <= shares, 0 < shares < 2^32.
constexpr std::uint64_t share_begin(std::uint64_t index, std::uint64_t total, std::uint64_t shares) {
  return index * (total / shares) + index * (total % shares) / shares;
}

}  // namespace isotrope::local
