// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A route of links for every packet, in one array: a total exchange on a graph of 4,096 nodes has 16.8 million routes of seven hops.
// A route that grows moves to the end, and its old place is lost.
//
// Memory: 4 bytes a hop and 12 a packet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/link_list.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

using network::LinkNumber;

class PacketRoutes {
 public:
  void reserve(std::size_t packets, std::uint64_t hops) {
    begins_.reserve(packets);
    hops_.reserve(packets);
    links_.reserve(hops);
  }
  /// Adds a route of `hops` links, not yet set, for the next packet.
  void add(std::uint32_t hops) {
    begins_.push_back(links_.size());
    hops_.push_back(hops);
    links_.resize(links_.size() + hops);
  }
  std::size_t size() const { return begins_.size(); }
  std::span<const LinkNumber> of(schedule::PacketId id) const {
    return {links_.data() + begins_[id], hops_[id]};
  }
  /// The place of a route in one array of all of them, the link in a place, and how many places there are; some are lost.
  std::uint64_t begin(schedule::PacketId id) const { return begins_[id]; }
  LinkNumber link(std::uint64_t place) const { return links_[place]; }
  std::uint64_t places() const { return links_.size(); }
  /// To be set, in place.
  std::span<LinkNumber> of(schedule::PacketId id) { return {links_.data() + begins_[id], hops_[id]}; }
  void replace(schedule::PacketId id, std::span<const LinkNumber> route) {
    if (route.size() > hops_[id]) {
      begins_[id] = links_.size();
      links_.insert(links_.end(), route.begin(), route.end());
    } else {
      std::ranges::copy(route, of(id).begin());
    }
    hops_[id] = static_cast<std::uint32_t>(route.size());
  }

 private:
  std::vector<std::uint64_t> begins_;  // in links_, by packet
  std::vector<std::uint32_t> hops_;    // by packet
  std::vector<LinkNumber> links_;
};

}  // namespace isotrope::algorithm
