// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/annealed_gossip.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "isotrope/algorithm/gossip/coset_annealing.hpp"
#include "isotrope/algorithm/gossip/cosets.hpp"

namespace isotrope::algorithm {
namespace {

// Messages between the cosets of one subgroup, and how near to a gossip they have come.
struct CosetCandidate {
  Cosets cosets;
  float missed = 0;  // by a node, in the last search
};

// The nodes on which a random homomorphism to a small cyclic group is 0.
std::vector<Node> random_kernel(const network::Group& group, FastRandom& random) {
  constexpr std::uint32_t largest_image = 8;
  const std::uint32_t order = 2 + random.below(largest_image - 1);
  std::vector<std::uint32_t> images;  // of the unit vectors
  for (const network::Coordinate modulus : group.moduli()) {
    const std::uint32_t common = std::gcd(modulus, order);
    images.push_back(order / common * random.below(common));
  }
  std::vector<Node> result;
  for (Node node = 0; node < group.order(); ++node) {
    std::uint32_t image = 0;
    for (std::size_t axis = 0; axis < images.size(); ++axis)
      image += images[axis] * group.coordinate(node, axis);
    if (image % order == 0) result.push_back(node);
  }
  return result;
}

// A subgroup of small index.
std::vector<Node> random_subgroup(const network::Group& group, FastRandom& random) {
  std::vector<Node> result = random_kernel(group, random);
  for (std::uint32_t more = random.below(3); more > 0; --more) {
    std::vector<Node> both;
    std::ranges::set_intersection(result, random_kernel(group, random), std::back_inserter(both));
    result = std::move(both);
  }
  return result;
}

// The cosets of subgroups of small index, those of fewer cosets first, then the nodes one by one. Under half duplex a
// link within a coset serves for nothing, so subgroups that have one are left out.
std::vector<CosetCandidate> coset_candidates(const Network& network, bool half_duplex) {
  constexpr std::uint32_t trials = 300, few = 6, most = 12;  // cosets
  std::size_t room_for_few = 8, room_for_more = 3;
  std::vector<CosetCandidate> result;
  std::vector<std::vector<Node>> seen;
  FastRandom random(7);
  for (std::uint32_t trial = 0; trial < trials && room_for_few + room_for_more > 0; ++trial) {
    const std::vector<Node> subgroup = random_subgroup(network.group(), random);
    const std::size_t count = network.order() / subgroup.size();
    std::size_t& room = count <= few ? room_for_few : room_for_more;
    if (subgroup.size() == 1 || count < 3 || count > most || room == 0) continue;
    if (std::ranges::find(seen, subgroup) != seen.end()) continue;
    seen.push_back(subgroup);
    Cosets cosets(network, subgroup);
    if (half_duplex && cosets.joined_within()) continue;
    result.push_back({std::move(cosets)});
    --room;
  }
  std::ranges::stable_sort(result, {}, [](const CosetCandidate& each) { return each.cosets.count(); });
  if (network.order() <= most_nodes_alone) result.push_back({Cosets(network, {0})});
  return result;
}

class GossipSearch {
 public:
  GossipSearch(const Network& network, bool half_duplex, Gossip gossip, const SearchLimits& limits)
      : network_(network),
        half_duplex_(half_duplex),
        limits_(limits),
        budget_(limits),
        candidates_(coset_candidates(network, half_duplex)),
        gossip_(std::move(gossip)),
        left_(limits.seconds > 0 ? UINT64_MAX : all_work()) {
    // Under one port long searches of many cosets find most, under half duplex many searches of few cosets.
    constexpr std::uint64_t parts = 48, parts_one_port = 256;
    length_ = all_work() / (half_duplex ? parts : parts_one_port);
    if (candidates_.size() == 1) length_ = std::min(2 * length_, longest());
  }

  Gossip run() {
    while (goes_on()) {
      for (CosetCandidate& candidate : candidates_) {
        while (goes_on() && shortened(candidate)) {
        }
      }
      narrow();
    }
    return std::move(gossip_);
  }

 private:
  std::uint64_t all_work() const {
    constexpr std::uint64_t work_a_link = 144;
    return work_a_link * limits_.links;
  }

  bool goes_on() const {
    if (candidates_.empty() || gossip_.rounds.size() <= std::max<std::uint64_t>(limits_.target, 1))
      return false;
    return limits_.seconds > 0 ? budget_.allows(run_ + 1) : left_ > 0;
  }

  // Searches for a gossip of one round fewer.
  bool shortened(CosetCandidate& candidate) {
    const std::uint32_t count = candidate.cosets.count();
    if (count <= 8) return shortened_by<Origins<std::uint8_t, 1>>(candidate);
    if (count <= 16) return shortened_by<Origins<std::uint16_t, 1>>(candidate);
    if (count <= 64) return shortened_by<Origins<std::uint64_t, 1>>(candidate);
    if (count <= 128) return shortened_by<Origins<std::uint64_t, 2>>(candidate);
    if (count <= 192) return shortened_by<Origins<std::uint64_t, 3>>(candidate);
    return shortened_by<Origins<std::uint64_t, 4>>(candidate);
  }

  template <class Set>
  bool shortened_by(CosetCandidate& candidate) {
    const auto rounds = static_cast<std::uint32_t>(gossip_.rounds.size()) - 1;
    CosetAnnealing<Set> annealing(network_, candidate.cosets, half_duplex_, rounds, limits_.seed + ++run_);
    auto found = annealing.run(std::min(left_, length(candidate.cosets)));
    left_ -= std::min(left_, annealing.work());
    candidate.missed = annealing.least_missed();
    if (!found) return false;
    gossip_ = *std::move(found);
    return true;
  }

  // More where there is more to choose.
  std::uint64_t length(const Cosets& cosets) const {
    if (candidates_.size() == 1) return length_;
    return static_cast<std::uint64_t>(std::sqrt(cosets.count() / 16.0) * static_cast<double>(length_));
  }

  // Leaves the more promising half, for longer searches; under half duplex some remain, at last for the same length.
  void narrow() {
    constexpr std::size_t fewest_half_duplex = 4;
    const std::size_t before = candidates_.size();
    const std::size_t kept =
        std::min(before, std::max((before + 1) / 2, half_duplex_ ? fewest_half_duplex : 1));
    std::ranges::stable_sort(candidates_, {}, &CosetCandidate::missed);
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end());
    if (kept < before || kept == 1) length_ = std::min(2 * length_, all_work());
    if (kept > 1) return;
    if (3 * length_ > left_) length_ = left_;
    length_ = std::min(length_, longest());
  }

  // Small networks rather need more searches than longer ones.
  std::uint64_t longest() const { return std::uint64_t{80000} * network_.order() * network_.order(); }

  const Network& network_;
  bool half_duplex_;
  SearchLimits limits_;
  SearchBudget budget_;
  std::vector<CosetCandidate> candidates_;
  Gossip gossip_;                    // the best
  std::uint64_t left_, length_ = 0;  // work: of all searches, and of one of 16 cosets
  std::uint32_t run_ = 0;
};

}  // namespace

Gossip annealed_gossip(const Network& network, schedule::PortModel ports, Gossip gossip,
                       const SearchLimits& limits) {
  if (gossip.rounds.size() <= std::max<std::uint64_t>(limits.target, 1)) return gossip;
  return GossipSearch(network, ports.half_duplex(), std::move(gossip), limits).run();
}

}  // namespace isotrope::algorithm
