// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers with units as people write them, and sizes in bytes: 512, 64KiB, 1.5MiB, 10MB.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isotrope {

struct Unit {
  std::string_view name;
  double factor;
};

/// A number of 0 or more with one of `units`, multiplied by its factor; -1 if the text is no such value.
double quantity(std::string_view text, std::span<const Unit> units);

/// The largest block: 1 TiB.
inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;

/// Reads a size: a number, then B, KiB, MiB, GiB, TiB (powers of 1024), kB, KB, MB, GB, TB (powers of 1000)
/// or nothing.
/// @throws Error if it is malformed, 0, no whole number of bytes, or above largest_size.
std::uint64_t parse_size(std::string_view text);

/// `bytes` in the largest binary unit that leaves at most one decimal, such as "64 KiB" or "768.0 MiB".
std::string format_size(std::uint64_t bytes);

}  // namespace isotrope
