// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what came with what was sent, byte by byte, against the streams and not against any buffer.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/program.hpp"

namespace isotrope::local {

struct Verdict {
  std::uint64_t bytes_checked = 0;  ///< compared, right or wrong
  std::string first_error;          ///< empty where every byte is right

  /// This verdict and that on what follows.
  void append(const Verdict& next);
};

/// Checks share `index` of `shares` equal shares of all instances of pieces. The shares' verdicts, appended
/// in order, name the first error of all, whatever their number.
Verdict check(const network::Group& group, const Program& program, const Arenas& arenas, std::uint64_t seed,
              unsigned index, unsigned shares);

}  // namespace isotrope::local
