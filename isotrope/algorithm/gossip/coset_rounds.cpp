// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/coset_rounds.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::algorithm {

CosetRounds::CosetRounds(const Network& network, const Cosets& cosets, bool half_duplex, std::uint32_t rounds)
    : network_(network), cosets_(cosets), half_duplex_(half_duplex), count_(rounds) {
  for (std::uint32_t i = 0; i < rounds * cosets.count(); ++i) {
    const auto coset = static_cast<Coset>(i % cosets.count());
    parts_.push_back({coset, coset});
  }
}

void CosetRounds::reverse() {
  const auto opposite = [&](Port16 port) {
    return port == Part::silent ? port : static_cast<Port16>(network_.opposite(port));
  };
  for (Part& part : parts_) {
    std::swap(part.to, part.from);
    part.sends = opposite(std::exchange(part.receives, opposite(part.sends)));
  }
  const auto start = [&](std::uint32_t t) { return parts_.begin() + std::ptrdiff_t{t} * cosets_.count(); };
  for (std::uint32_t t = 0; t < count_ / 2; ++t)
    std::swap_ranges(start(t), start(t + 1), start(count_ - 1 - t));
}

Gossip CosetRounds::gossip() const {
  Gossip result{false, std::vector<std::vector<Send>>(count_)};
  for (std::uint32_t t = 0; t < count_; ++t) {
    for (Node node = 0; node < network_.order(); ++node) {
      if (const Port16 port = part(t, cosets_.of(node)).sends; port != Part::silent)
        result.rounds[t].push_back({node, port});
    }
  }
  return result;
}

}  // namespace isotrope::algorithm
