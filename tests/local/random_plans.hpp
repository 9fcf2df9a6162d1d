// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of every form on small networks, valid ones and ones damaged in a few hops, drawn by RapidCheck.
#pragma once

#include "isotrope/schedule/plan.hpp"

namespace isotrope::local {

/// Any collective, replication, network of up to 12 nodes, and 1..4 parts. To be called within a property.
schedule::Plan random_plan();

/// The plan with 1..3 hops dropped, doubled, sent from elsewhere or over another port, or put into another
/// round.
schedule::Plan damaged(schedule::Plan plan);

}  // namespace isotrope::local
