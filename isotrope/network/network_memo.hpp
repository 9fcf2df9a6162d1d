// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What was found for the last networks, by searches that every choice by size would repeat.
//
// Cost: a comparison of networks for each that is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

template <class Value>
class NetworkMemo {
 public:
  /// The value of the network, made by make() if it is not there. Valid until the next call.
  template <class Make>
  const Value& get(const Network& network, Make make) {
    const auto known =
        std::ranges::find_if(kept_, [&](const auto& each) { return same_network(each.first, network); });
    if (known != kept_.end()) return known->second;
    if (kept_.size() == most_kept) kept_.pop_back();
    return kept_.emplace_front(network, make()).second;
  }

 private:
  static constexpr std::size_t most_kept = 16;

  std::deque<std::pair<Network, Value>> kept_;
};

}  // namespace isotrope::network
