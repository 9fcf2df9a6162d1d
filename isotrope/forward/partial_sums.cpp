// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/partial_sums.hpp"

#include <algorithm>
#include <cstring>

namespace isotrope::forward {

std::optional<Message> PartialSums::add(const Stretch& stretch, std::size_t lane, const std::byte* sum,
                                        const Message& kept, std::uint64_t bytes, std::size_t children,
                                        const std::byte* own) {
  std::vector<Arrival>& arrivals = waiting_[stretch];
  arrivals.push_back({lane, sum, kept});
  if (arrivals.size() < children) return std::nullopt;
  std::ranges::sort(arrivals, {}, &Arrival::lane);
  Message total = std::make_shared<std::byte[]>(bytes);
  std::memcpy(total.get(), own, bytes);
  for (const Arrival& arrival : arrivals) combine_(arrival.sum, total.get(), bytes);
  waiting_.erase(stretch);
  return total;
}

}  // namespace isotrope::forward
