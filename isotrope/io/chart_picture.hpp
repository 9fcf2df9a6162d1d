// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A chart as SVG (chart.hpp shows where everything stands).
#pragma once

#include <string>

#include "isotrope/io/chart.hpp"

namespace isotrope::io {

/// @pre check(chart) passed.
std::string picture(const Chart& chart);

}  // namespace isotrope::io
