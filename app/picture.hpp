// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Charts as files: a picture or a table, by the name of the file.
#pragma once

#include <string>

#include "isotrope/io/chart.hpp"

namespace isotrope::app {

/// Whether a file of this name holds a chart: FILE.svg or FILE.csv.
bool is_picture(const std::string& path);

/// Writes the chart, whole or not at all. @pre is_picture(path).
void write_chart(const std::string& path, const io::Chart& chart);

}  // namespace isotrope::app
