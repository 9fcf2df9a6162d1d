// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/tracks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using Difference = std::vector<std::uint64_t>::difference_type;

// The distances of the packets of one origin, the farthest first.
class DescendingDistances {
 public:
  explicit DescendingDistances(const GraphView& view) : from_(view.wanted().size() + 1, 0) {
    for (std::uint64_t j = view.wanted().size(); j-- > 1;)
      from_[j] = from_[j + 1] + view.wanted()[j] * view.parts();
  }

  std::uint64_t farthest() const { return from_.size() - 2; }
  std::uint64_t count() const { return from_[1]; }
  /// The packets for distance j or more.
  std::uint64_t from(std::uint64_t j) const { return from_[j]; }
  /// The distance of packet `index`; 0 behind the last one.
  std::uint64_t at(std::uint64_t index) const {
    std::uint64_t j = farthest();
    while (j > 0 && from_[j] <= index) --j;
    return j;
  }

 private:
  std::vector<std::uint64_t> from_;  // by distance; [0] is unused
};

}  // namespace

std::uint64_t track_rounds(std::vector<std::uint64_t> lengths, std::uint64_t tracks) {
  std::ranges::sort(lengths, std::greater<>());
  std::uint64_t most = 0;
  for (std::uint64_t r = 0; r * tracks < lengths.size(); ++r) {
    const std::uint64_t last = r * tracks, first = last - std::min(r, last);
    const auto begin = lengths.begin();
    most = std::max(most, std::accumulate(begin + static_cast<Difference>(first),
                                          begin + static_cast<Difference>(last) + 1, std::uint64_t{0}));
  }
  return most;
}

// The packets of all N origins share N m tracks. Each length occurs N times, so of the r N m + 1 longest packets the r + 1
// shortest are one of length l[r m] and r of length l[r m - 1], for r up to N. Between two lengths the sum grows
// with r, so the largest r of every length count.
std::optional<Bound> tracks_bound(const GraphView& view) {
  if (view.problem().waiting || view.traffic() != Traffic::isotropic || !view.is_symmetric())
    return std::nullopt;
  const DescendingDistances distances(view);
  const std::uint64_t tracks = view.room();
  Bound best{"tracks", 0, {}};
  const auto look_at = [&](std::uint64_t r) {
    if (r > view.node_count() || r * tracks >= distances.count()) return;
    const std::uint64_t shortest = distances.at(r * tracks);
    const std::uint64_t others = r == 0 ? 0 : distances.at(r * tracks - 1);
    if (shortest + r * others <= best.value) return;
    best.value = shortest + r * others;
    best.because = fmt::format(
        "without waiting, at most {} packets of each node are under way in a round, so {} of the {} longest "
        "ones "
        "follow each other: {} of {} hops and one of {} = {}",
        tracks, r + 1, r * tracks + 1, r, others, shortest, best.value);
  };
  look_at(0);
  for (std::uint64_t j = distances.farthest(); j > 0; --j) {
    if (distances.from(j) == 0) continue;
    look_at((distances.from(j) - 1) / tracks);
    look_at(distances.from(j) / tracks);
  }
  return best;
}

}  // namespace isotrope::bound
