// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a network lacks, in words.
#pragma once

#include <string>

#include "isotrope/network/failures.hpp"

namespace isotrope::network {

/// The failures of a network: " without nodes 5,12 and link 3-4"; empty if nothing failed. One of several links side by
/// side is named by its port, "7:0".
std::string losses(const Network& network, const Failures& failed);

}  // namespace isotrope::network
