// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole rates for links whose machine gives them unlike times per byte. A schedule counts rounds, in which a link of rate r
// carries r packets (network/rates.hpp); a machine gives seconds per byte, whose ratios need not be whole.
//
//     0.1, 0.1 and 0.2 ns     rates 2, 2, 1
//     0.1 and 0.151 ns        rates 3, 2       ratio 1.51
//
// Times are always those of the machine, whatever the rates: a link of rate r is r links side by side that share its
// bandwidth. So rates that do not fit cost time, and make no time wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/schedule/problem.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

/// The smallest whole rates, 1 to `largest`, for links of these seconds per byte, none of them 0: those whose products with
/// the seconds differ by 5 % at most, else those whose products differ least.
std::vector<std::uint32_t> nearest_rates(std::span<const double> byte_times_s, std::uint32_t largest);

/// Whole rates with which no link is slower than with given seconds per byte, for lower bounds.
struct FastRates {
  std::vector<std::uint32_t> rates;
  double unit_s = 0;  ///< seconds per byte of a link of rate 1
};
/// The smallest from 1 to `largest` that are within 0.1 % of each other's seconds, else those that are least too fast. A link `rate` times as fast as one of `unit_s` has at most its given
/// seconds per byte, but for 1e-9 of them. @pre none of the seconds is 0.
FastRates fast_rates(std::span<const double> byte_times_s, std::uint32_t largest);

/// Seconds per byte of the links of each port of the network, copies together. The ports are those of without_copies().
std::vector<double> whole_byte_times(const schedule::Problem& problem, const cost::Machine& machine);

/// The problem on the network with the nearest rates: up to 8 of link classes along axes, up to 4 of links with times of their own; of a
/// failed link all copies have failed. Nothing if all rates are 1, if the network has rates already, if a node cannot use all its ports
/// at once, if it lists its links and classes go along axes, or if it lists them and its nodes have more than 2^12 ports together.
std::optional<schedule::Problem> with_rate_slots(const schedule::Problem& problem,
                                                 const cost::Machine& machine);

/// The choice for the problem or, if that is faster, for the problem with rate slots; arguments as choose_for().
Choice choose_with_rate_slots(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine,
                              const Preferences& preferences = {}, Fixed fixed = {},
                              Detail detail = Detail::winner);

}  // namespace isotrope::planner
