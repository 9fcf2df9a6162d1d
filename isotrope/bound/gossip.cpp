// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The gossip bound: under half duplex all nodes learn from all others in 2 + log_phi(ceil(N / 2)) rounds or more,
// phi = 1.618..., the golden ratio.
//
//     first round    at least half of the nodes do not send: after it, what such a node knew is at that node alone
//     last round     at least half of the nodes do not receive: such a node knows all before it
//     between        T - 2 rounds, in which every node of the second half learns from every node of the first
//
// Let A be the matrix of a round, A_uv = 1 if u sends to v. Entry (u, v) of the product of all I + A counts the ways in
// which v can learn from u. For the rounds between, no entry with u in the first half and v in the second is 0, so the
// 2-norm of the product is at least that of a matrix of ones, ceil(N / 2). The hops of a round share no node, so
// I + A falls apart into blocks (1 1; 0 1), of norm phi, and 1. T - 2 rounds have a product of norm phi^(T - 2) at most.
//
//     complete:16    phi^5 = 11.1 >= 8 > phi^4: 7 rounds
//
// Source: Cybenko, Krumme, Venkataraman 1992, and Even, Monien 1989, for the norm.
#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

// Whether phi^rounds >= nodes. phi^T = a + b phi in whole numbers, b phi >= nodes - a if b^2 + b m >= m^2 with
// m = nodes - a, as phi is the positive root of x^2 = x + 1.
bool grows_to(std::uint64_t nodes, std::uint64_t rounds) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t a = 1, b = 0;
  for (std::uint64_t t = 0; t < rounds && a < nodes; ++t) {
    const std::uint64_t sum = a + b;
    a = b;
    b = sum;
  }
  if (a >= nodes) return true;
  const Wide m = nodes - a;
  return Wide{b} * b + m * b >= m * m;
}

}  // namespace

std::optional<Bound> gossip_bound(const GraphView& view) {
  if (!view.half_duplex() || !view.all_learn_from_all()) return std::nullopt;
  std::uint64_t rounds = 0;
  const std::uint64_t half = ceil_div(view.node_count(), 2);
  while (!grows_to(half, rounds)) ++rounds;
  return Bound{
      "gossip", rounds + 2,
      fmt::format("{} nodes that do not receive in the last round must hear before it of {} that do not "
                  "send in the first, and the ways to hear grow 1.618-fold a round at most: {} + 2 = {}",
                  half, half, rounds, rounds + 2)};
}

}  // namespace isotrope::bound
