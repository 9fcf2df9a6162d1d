// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which charts are drawn and written.
#pragma once

#include "isotrope/io/chart.hpp"

namespace isotrope::io {

/// The range of values, and of those on logarithmic axes.
inline constexpr double greatest = 1e300, least_positive = 1e-300;

/// @throws Error where a value is not finite, beyond 1e300, or not positive on a logarithmic axis; where the x
/// of a series do not ascend; where log_base is neither 2 nor 10; where a text is not UTF-8.
void check(const Chart& chart);

}  // namespace isotrope::io
