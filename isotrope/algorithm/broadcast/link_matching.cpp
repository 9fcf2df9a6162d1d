// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/link_matching.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

constexpr std::uint32_t deepest_path = 40;

}  // namespace

std::vector<DirectedLink> all_links(const network::Network& network) {
  std::vector<DirectedLink> result;
  result.reserve(network.directed_links());
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port)
      result.push_back({node, network.neighbour(node, port), port});
  }
  return result;
}

LinkMatching::LinkMatching(std::span<const DirectedLink> links, Node nodes, bool half_duplex)
    : links_(links),
      half_duplex_(half_duplex),
      list_begin_(std::size_t{nodes} + 1, 0),
      list_end_(nodes),
      sender_link_(nodes),
      link_(nodes),
      visited_(nodes, 0) {
  for (const DirectedLink& link : links_) {
    ++list_begin_[link.to + 1];
    if (half_duplex_) ++list_begin_[link.from + 1];
  }
  for (std::size_t i = 1; i < list_begin_.size(); ++i) list_begin_[i] += list_begin_[i - 1];
  listed_.resize(list_begin_.back());
}

std::span<const std::uint32_t> LinkMatching::match(std::span<const std::uint32_t> candidates) {
  std::ranges::fill(sender_link_, no_link);
  std::ranges::fill(link_, no_link);
  std::copy(list_begin_.begin(), list_begin_.end() - 1, list_end_.begin());
  if (half_duplex_) {
    match_nodes(candidates);
    for (Node node = 0; node < link_.size(); ++node) {
      if (link_[node] != no_link && links_[link_[node]].to != node) link_[node] = no_link;
    }
  } else {
    match_senders_with_receivers(candidates);
  }
  return link_;
}

// Searches for free nodes as long as one succeeds. Those of one pass do not visit a node twice.
template <class Find>
void LinkMatching::grow(const Find& find) {
  for (bool grown = true; grown;) {
    grown = false;
    ++pass_;
    for (Node node = 0; node < link_.size(); ++node) {
      if (link_[node] == no_link && !listed(node).empty() && find(node)) grown = true;
    }
  }
}

void LinkMatching::match_senders_with_receivers(std::span<const std::uint32_t> candidates) {
  for (const std::uint32_t i : candidates) {
    const auto [from, to, port] = links_[i];
    listed_[list_end_[to]++] = i;
    if (sender_link_[from] == no_link && link_[to] == no_link) sender_link_[from] = link_[to] = i;
  }
  grow([&](Node node) { return find_sender(node, deepest_path); });
}

bool LinkMatching::find_sender(Node receiver, std::uint32_t depth) {
  for (const std::uint32_t i : listed(receiver)) {
    if (sender_link_[links_[i].from] != no_link) continue;
    sender_link_[links_[i].from] = link_[receiver] = i;
    return true;
  }
  if (depth == 0) return false;
  for (const std::uint32_t i : listed(receiver)) {
    const Node from = links_[i].from;
    if (visited_[from] == pass_) continue;
    visited_[from] = pass_;
    if (!find_sender(links_[sender_link_[from]].to, depth - 1)) continue;
    sender_link_[from] = link_[receiver] = i;
    return true;
  }
  return false;
}

Node LinkMatching::other_end(std::uint32_t link, Node node) const {
  return links_[link].from == node ? links_[link].to : links_[link].from;
}

void LinkMatching::match_nodes(std::span<const std::uint32_t> candidates) {
  for (const std::uint32_t i : candidates) {
    const auto [from, to, port] = links_[i];
    listed_[list_end_[from]++] = i;
    listed_[list_end_[to]++] = i;
    if (link_[from] == no_link && link_[to] == no_link) link_[from] = link_[to] = i;
  }
  grow([&](Node node) { return find_partner(node, deepest_path); });
}

bool LinkMatching::find_partner(Node node, std::uint32_t depth) {
  visited_[node] = pass_;
  for (const std::uint32_t i : listed(node)) {
    const Node other = other_end(i, node);
    if (visited_[other] == pass_ || link_[other] != no_link) continue;
    link_[node] = link_[other] = i;
    return true;
  }
  if (depth == 0) return false;
  for (const std::uint32_t i : listed(node)) {
    const Node other = other_end(i, node);
    if (visited_[other] == pass_) continue;
    const Node released = other_end(link_[other], other);
    if (visited_[released] == pass_) continue;
    visited_[other] = pass_;
    if (!find_partner(released, depth - 1)) continue;
    link_[node] = link_[other] = i;
    return true;
  }
  return false;
}

}  // namespace isotrope::algorithm
