// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What was found for the last networks, whole ones or what is left of them, by searches that every choice by size would repeat.
//
// Cost: a comparison of networks for each that is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::network {

template <class Value>
class NetworkMemo {
 public:
  /// The value of the network, made by make() if it is not there. Valid until the next call.
  template <class Make>
  const Value& get(const Network& network, Make make) {
    return get(network, {}, std::move(make));
  }
  /// The same of what is left of it.
  template <class Make>
  const Value& get(const Network& network, const Failures& failed, Make make) {
    const auto known = std::ranges::find_if(kept_, [&](const Kept& each) {
      return each.failed == failed && same_network(each.network, network);
    });
    if (known != kept_.end()) return known->value;
    if (kept_.size() == most_kept) kept_.pop_back();
    return kept_.emplace_front(Kept{network, failed, make()}).value;
  }

 private:
  static constexpr std::size_t most_kept = 16;

  struct Kept {
    Network network;
    Failures failed;
    Value value;
  };

  std::deque<Kept> kept_;
};

}  // namespace isotrope::network
