// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/multinomial.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace isotrope::network {

std::string multinomial(std::span<const std::uint32_t> hops, std::uint32_t doublings) {
  // The most numerous kind first: it costs no product.
  std::vector<std::uint32_t> kinds(hops.begin(), hops.end());
  std::sort(kinds.begin(), kinds.end(), std::greater<>());
  boost::multiprecision::cpp_int orders = 1;
  std::uint32_t total = kinds.empty() ? 0 : kinds.front();
  for (std::size_t kind = 1; kind < kinds.size(); ++kind) {
    for (std::uint32_t hop = 1; hop <= kinds[kind]; ++hop) {
      orders *= ++total;
      orders /= hop;  // without remainder: a binomial coefficient after every step
    }
  }
  orders <<= doublings;
  return orders.str();
}

}  // namespace isotrope::network
