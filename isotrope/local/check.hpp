// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the final contents of the arenas against the streams of bytes that were sent, not against any buffer:
// byte by byte, or, if results are rounded, element by element within the bound of expectation.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/copy_program.hpp"

namespace isotrope::local {

struct Verdict {
  std::uint64_t bytes_checked = 0;  ///< correct or not
  std::string first_error;          ///< empty if every byte is correct
  double largest_rounding = 0;      ///< Expectation::largest_rounding()

  /// Adds the verdict on the following share.
  void append(const Verdict& next);
};

/// Checks share `index` of `shares` equal shares of all translates of pieces. The verdicts of the shares, appended
/// in order, name the first error of all, for any number of shares.
Verdict check(const network::Group& group, const CopyProgram& program, const Arenas& arenas,
              std::uint64_t seed, unsigned index, unsigned shares);

}  // namespace isotrope::local
