// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes in bytes as people write them: 512, 64KiB, 1.5MiB, 10MB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isotrope::app {

/// The largest block: 1 TiB.
inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;

/// Reads a size: a number, then B, KiB, MiB, GiB, TiB (powers of 1024), kB, KB, MB, GB, TB (powers of 1000)
/// or nothing.
/// @throws Error if it is malformed, 0, no whole number of bytes, or above largest_size.
std::uint64_t parse_size(std::string_view text);

/// `bytes` in the largest binary unit that leaves at most one decimal, such as "64 KiB" or "768.0 MiB".
std::string format_size(std::uint64_t bytes);

}  // namespace isotrope::app
