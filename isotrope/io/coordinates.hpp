// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of nodes that their network's file gives, for pictures.
#pragma once

#include <array>
#include <vector>

namespace isotrope::io {

/// By node: x to the right, y upwards, z to the back, in any unit. Empty if they are not known.
using Coordinates = std::vector<std::array<double, 3>>;

}  // namespace isotrope::io
