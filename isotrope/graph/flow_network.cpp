// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/flow_network.hpp"

#include <algorithm>

namespace isotrope::graph {

FlowNetwork::Arc FlowNetwork::add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  const auto arc = static_cast<Arc>(halves_.size() / 2);
  add_half(from, to, capacity);
  add_half(to, from, 0);
  return arc;
}

std::uint64_t FlowNetwork::augment(std::uint32_t source, std::uint32_t sink) {
  std::uint64_t added = 0;
  for (find_levels(source, sink); level_[sink] != none; find_levels(source, sink)) {
    current_ = last_;
    added += blocking_flow(source, sink);
  }
  return added;
}

void FlowNetwork::clear() {
  for (std::size_t forward = 0; forward < halves_.size(); forward += 2) {
    halves_[forward].left += halves_[forward + 1].left;
    halves_[forward + 1].left = 0;
  }
}

std::vector<bool> FlowNetwork::source_side(std::uint32_t source) {
  std::vector<bool> result(level_.size(), false);
  find_levels(source, none);
  for (const std::uint32_t node : reached_) result[node] = true;
  return result;
}

void FlowNetwork::add_half(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  halves_.push_back({to, last_[from], capacity});
  last_[from] = static_cast<std::uint32_t>(halves_.size() - 1);
}

// Until the sink is reached.
void FlowNetwork::find_levels(std::uint32_t source, std::uint32_t sink) {
  std::fill(level_.begin(), level_.end(), none);
  level_[source] = 0;
  reached_ = {source};
  for (std::size_t i = 0; i < reached_.size() && reached_.back() != sink; ++i) {
    const std::uint32_t node = reached_[i];
    for (std::uint32_t half = last_[node]; half != none && reached_.back() != sink;
         half = halves_[half].before) {
      const Half& way = halves_[half];
      if (way.left == 0 || level_[way.to] != none) continue;
      level_[way.to] = level_[node] + 1;
      reached_.push_back(way.to);
    }
  }
}

// A half with something left to the next level, or none.
std::uint32_t FlowNetwork::next_half(std::uint32_t node) {
  std::uint32_t& half = current_[node];
  while (half != none && (halves_[half].left == 0 || level_[halves_[half].to] != level_[node] + 1))
    half = halves_[half].before;
  return half;
}

std::uint64_t FlowNetwork::blocking_flow(std::uint32_t source, std::uint32_t sink) {
  std::uint64_t added = 0;
  path_.clear();
  for (std::uint32_t node = source;;) {
    if (node == sink) {
      added += send_along_path();
      node = path_.empty() ? source : halves_[path_.back()].to;
    } else if (const std::uint32_t half = next_half(node); half != none) {
      path_.push_back(half);
      node = halves_[half].to;
    } else if (node == source) {
      return added;
    } else {
      level_[node] = none;
      node = halves_[path_.back() ^ 1U].to;
      path_.pop_back();
    }
  }
}

// As much as fits; the path ends before its first full half.
std::uint64_t FlowNetwork::send_along_path() {
  std::uint64_t amount = UINT64_MAX;
  for (const std::uint32_t half : path_) amount = std::min(amount, halves_[half].left);
  for (const std::uint32_t half : path_) {
    halves_[half].left -= amount;
    halves_[half ^ 1U].left += amount;
  }
  const auto full = std::ranges::find_if(path_, [&](std::uint32_t half) { return halves_[half].left == 0; });
  path_.erase(full, path_.end());
  return amount;
}

}  // namespace isotrope::graph
