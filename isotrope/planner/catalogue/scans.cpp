// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan, by sums of runs of consecutive nodes. The same schedules serve both.
//
//     axis-scan        tori and hypercubes: at the bound over all ports, diameter rounds; over one port on hypercubes
//     doubling-scan    complete graphs and others with links to c + 1, c + 2, c + 4, ...: ceil(log2 N) rounds
//
// On all other networks every allgather is a scan (derived.cpp).
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/scan/axis_scan.hpp"
#include "isotrope/algorithm/scan/doubling_scan.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

class AxisScan final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (!network::torus_axes(problem.network)) return "it needs a torus or a hypercube";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::axis_scan_rounds(problem);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::axis_scan(problem);
  }
  std::uint64_t local_reductions(const Problem& problem) const override {
    return algorithm::axis_scan_values(problem);
  }
};

class DoublingScan final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (problem.network.order() > algorithm::most_doubling_nodes)
      return fmt::format("it lists the hops of every node, of {} at most", algorithm::most_doubling_nodes);
    if (!algorithm::adds_powers_of_two(problem.network))
      return "it needs links from every node c to c + 1, c + 2, c + 4, ...";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::doubling_scan_rounds(problem, problem.network);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::doubling_scan(problem, problem.network);
  }
};

Traits scan_traits(std::string name, Collective collective, std::string networks, std::string source,
                   std::string claim) {
  Traits result{std::move(name), collective,        std::move(networks),
                full_duplex,     std::move(source), std::move(claim)};
  result.aggregates = true;
  return result;
}

}  // namespace

Algorithms scans() {
  Algorithms result;
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    result.push_back(std::make_unique<AxisScan>(scan_traits(
        "axis-scan", collective, "every torus, hypercube:0 to hypercube:26",
        "sums of runs of nodes, gathered axis after axis, the last axis first",
        "one part: all and K ports the diameter, optimal; one port: the sum of extent - 1 over the "
        "extents, optimal on hypercubes")));
    result.push_back(std::make_unique<DoublingScan>(scan_traits(
        "doubling-scan", collective,
        "complete graphs, circulants with links of lengths 1, 2, 4, ...; up to 16384 nodes",
        "W. D. Hillis and G. L. Steele 1986", "one part: ceil(log2 N) rounds, optimal over one port")));
  }
  return result;
}

}  // namespace isotrope::planner
