// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what came with what was sent, against the streams and not against any buffer: byte by byte, or,
// where results are rounded, element by element within the bound of expectation.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/copy_program.hpp"

namespace isotrope::local {

struct Verdict {
  std::uint64_t bytes_checked = 0;  ///< compared, right or wrong
  std::string first_error;          ///< empty if every byte is right
  double largest_rounding = 0;      ///< Expectation::largest_rounding()

  /// This verdict and that on what follows.
  void append(const Verdict& next);
};

/// Checks share `index` of `shares` equal shares of all instances of pieces. The shares' verdicts, appended
/// in order, name the first error of all, whatever their number.
Verdict check(const network::Group& group, const CopyProgram& program, const Arenas& arenas,
              std::uint64_t seed, unsigned index, unsigned shares);

}  // namespace isotrope::local
