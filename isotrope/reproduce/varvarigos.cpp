// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The closed formulas of Varvarigos and Bertsekas 1992 beside verified schedules.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/reproduce/exhibits.hpp"
#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

constexpr std::uint32_t first_x = 2, last_x = 8;
constexpr std::array<std::uint64_t, 5> primes{2, 3, 5, 7, 11};

constexpr const char* ring_reason =
    "the least for symmetric schedules only: where even nodes send their antipodal packet one way and odd "
    "nodes the other, ceil(n^2 / 8) rounds do";
constexpr const char* hypercube_delay_reason =
    "misprinted: m_i is i + M_(i-1), and the sum lacks a factor 1/d and one of 1/2; it is "
    "(n^2 / 4 + n d / 4 - C(2d-1, d) / 2 + (d - 1) / 2) / (n - 1)";
constexpr const char* ring_delay_reason = "misprinted: (n + 1) (n + 3) / 24";

schedule::Problem problem_for(const std::string& network_name, const std::string& collective,
                              const std::string& ports = "all") {
  const network::Network network = network::parse(network_name);
  return {.network = network,
          .task = schedule::parse_task(collective, network),
          .ports = schedule::parse_port_model(ports, network.degree())};
}

std::uint64_t rounds(const std::string& network_name, const std::string& collective,
                     const std::string& ports = "all") {
  return measure(problem_for(network_name, collective, ports)).report.rounds;
}

double least_mean_delay(const std::string& network_name) {
  return measure(problem_for(network_name, "alltoall"), {.objective = planner::Objective::delay})
      .report.mean_delay;
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// Section 4: the larger of the farthest distance and the column sum.
std::uint64_t neighborhood_time(std::uint64_t d, std::uint64_t nearest, std::uint64_t farthest) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = nearest; i <= farthest; ++i) sum += binomial(d - 1, i - 1);
  return std::max(farthest, sum);
}

// Section 8, for p^d nodes.
std::uint64_t torus_time(std::uint64_t p, std::uint64_t d) {
  const std::uint64_t nodes = power(p, d);
  return p % 2 == 1 ? (p * nodes - nodes / p) / 8 : p * nodes / 8;
}

// The last line of the paper's formula, as printed.
double printed_hypercube_delay(std::uint64_t d) {
  const double others = std::exp2(d) - 1;
  double hops = 0, sum = 0;
  for (std::uint64_t i = 1; i <= d; ++i) {
    hops += static_cast<double>(binomial(d, i) * i);
    sum += static_cast<double>(binomial(d, i)) * hops;
  }
  // (2d - 1)! / ((d - 1)!)^2 = d C(2d - 1, d)
  const double last = static_cast<double>(d * binomial(2 * d - 1, d));
  return 0.5 + sum / others - last / (static_cast<double>(d) * others);
}

double corrected_hypercube_delay(std::uint64_t d) {
  const auto nodes = static_cast<double>(power(2, d)), dimension = static_cast<double>(d);
  const double sum = nodes * nodes / 4 + nodes * dimension / 4 -
                     static_cast<double>(binomial(2 * d - 1, d)) / 2 + (dimension - 1) / 2;
  return sum / (nodes - 1);
}

Row row_over_x(const char* name, const std::function<Cell(std::uint64_t)>& cell_for) {
  return row_over(name, first_x, last_x, cell_for);
}

}  // namespace

Table varvarigos_completion() {
  Table table{"Varvarigos and Bertsekas 1992: completion times by formula", "every schedule is verified",
              columns_over("x", first_x, last_x)};
  table.rows = {
      row_over_x("total exchange, hypercube, d = x",
                 [](std::uint64_t d) {
                   return cell(rounds(fmt::format("hypercube:{}", d), "alltoall"), power(2, d - 1));
                 }),
      row_over_x("the same over 2 ports",
                 [](std::uint64_t d) {
                   return cell(rounds(fmt::format("hypercube:{}", d), "alltoall", "2"),
                               std::max(d, (power(2, d) * d + 3) / 4));
                 }),
      row_over_x("(1,2) exchange, hypercube, d = x",
                 [](std::uint64_t d) {
                   return cell(rounds(fmt::format("hypercube:{}", d), "neighborhood:1:2"),
                               neighborhood_time(d, 1, 2));
                 }),
      row_over_x("(2,x) exchange, hypercube, d = x",
                 [](std::uint64_t d) {
                   return cell(rounds(fmt::format("hypercube:{}", d), fmt::format("neighborhood:2:{}", d)),
                               neighborhood_time(d, 2, d));
                 }),
      row_over_x("total exchange, 2-dimensional torus, p = x + 1",
                 [](std::uint64_t x) {
                   return cell(rounds(fmt::format("torus:{0}x{0}", x + 1), "alltoall"), torus_time(x + 1, 2));
                 }),
      row_over_x("total exchange, 3-dimensional torus, p = x + 1",
                 [](std::uint64_t x) {
                   return cell(rounds(fmt::format("torus:{0}x{0}x{0}", x + 1), "alltoall"),
                               torus_time(x + 1, 3));
                 }),
      row_over_x("total exchange, ring of 2x + 1",
                 [](std::uint64_t x) {
                   return cell(rounds(fmt::format("ring:{}", 2 * x + 1), "alltoall"),
                               torus_time(2 * x + 1, 1));
                 }),
      row_over_x("total exchange, ring of 2x",
                 [](std::uint64_t x) {
                   return cell(rounds(fmt::format("ring:{}", 2 * x), "alltoall"), 2 * x * (2 * x + 2) / 8,
                               ring_reason);
                 }),
  };
  return table;
}

Table varvarigos_delay() {
  Table table{"Varvarigos and Bertsekas 1992: least mean delays of total exchange by formula",
              "in rounds; every schedule is verified and takes the least rounds",
              columns_over("x", 1, primes.size())};
  Row hypercube{"hypercube, d = x-th prime"}, hypercube_corrected{"  corrected"};
  Row ring{"ring of 2x + 1"}, ring_corrected{"  corrected"};
  for (std::uint64_t x = 1; x <= primes.size(); ++x) {
    const std::uint64_t d = primes[x - 1];
    const double on_hypercube = least_mean_delay(fmt::format("hypercube:{}", d));
    hypercube.cells.push_back(cell(on_hypercube, printed_hypercube_delay(d), 3, hypercube_delay_reason));
    hypercube_corrected.cells.push_back(cell(on_hypercube, corrected_hypercube_delay(d), 3));

    const auto n = static_cast<double>(2 * x + 1);
    const double on_ring = least_mean_delay(fmt::format("ring:{}", 2 * x + 1));
    ring.cells.push_back(cell(on_ring, (n + 1) * (n + 3) / 48, 3, ring_delay_reason));
    ring_corrected.cells.push_back(cell(on_ring, (n + 1) * (n + 3) / 24, 3));
  }
  table.rows = {std::move(hypercube), std::move(hypercube_corrected), std::move(ring),
                std::move(ring_corrected)};
  return table;
}

}  // namespace isotrope::reproduce
