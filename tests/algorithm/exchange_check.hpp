// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the checker on isotropic exchanges, for the tests of their algorithms.
#pragma once

#include <string_view>
#include <utility>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {

/// The checker's report on the exchange of a collective, with the best bound as the plan's own.
inline verify::Report check_exchange(std::string_view network_name, std::string_view collective = "alltoall",
                                     std::uint64_t parts = 1,
                                     schedule::PortModel ports = schedule::PortModel::all()) {
  const network::Network network = network::parse(network_name);
  const schedule::Task task = schedule::parse_task(collective, network, 0, parts);
  schedule::Schedule schedule = IsotropicExchange(network, task, ports).schedule();
  const schedule::Bound bound =
      bound::lower_bounds({.network = network, .task = task, .ports = ports}).front();
  const schedule::Claims claims{
      schedule.round_count(), schedule.hop_count(), schedule.round_count() == bound.value, {}};
  return verify::verify({network, {}, task, std::move(schedule), bound, claims});
}

}  // namespace isotrope::algorithm
