// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/group_part.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "isotrope/network/listed_subgroup.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;

// The image of every element of a subgroup; `outside` of others.
using Images = std::vector<std::uint8_t>;
constexpr std::uint8_t outside = UINT8_MAX;

class Subgroup {
 public:
  Subgroup(const Network& network, const std::vector<Node>& elements)
      : network_(network), order_(elements.size()) {
    network::ListedSubgroup reached(network.group());
    for (const Node element : elements) {
      if (reached.has(element)) continue;
      generators_.push_back(element);
      reached.add(element);
    }
  }

  bool is_divisible_by(std::uint32_t r) const { return order_ % r == 0; }

  // Onto Z_r; of two with the same kernel the first one.
  std::vector<Images> homomorphisms(std::uint32_t r) const {
    constexpr std::uint32_t most_tried = 1U << 8;
    std::vector<Images> result;
    std::vector<std::uint8_t> values(generators_.size(), 0);
    for (std::uint32_t tried = 0; tried < most_tried && next(values, r); ++tried) {
      const auto first = std::ranges::find_if(values, [](std::uint8_t value) { return value != 0; });
      if (*first != 1) continue;
      if (auto images = extended(values, r)) result.push_back(std::move(*images));
    }
    return result;
  }

 private:
  // The next number to base r; false after the last one.
  static bool next(std::vector<std::uint8_t>& values, std::uint32_t r) {
    for (std::uint8_t& value : values) {
      value = static_cast<std::uint8_t>((value + 1U) % r);
      if (value != 0) return true;
    }
    return false;
  }

  std::optional<Images> extended(const std::vector<std::uint8_t>& values, std::uint32_t r) const {
    Images images(network_.order(), outside);
    std::vector<Node> reached{0};
    images[0] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t g = 0; g < generators_.size(); ++g) {
        const Node next = network_.group().add(reached[i], generators_[g]);
        const auto image = static_cast<std::uint8_t>((images[reached[i]] + std::uint32_t{values[g]}) % r);
        if (images[next] == image) continue;
        if (images[next] != outside) return std::nullopt;
        images[next] = image;
        reached.push_back(next);
      }
    }
    return images;
  }

  const Network& network_;
  std::size_t order_;
  std::vector<Node> generators_;
};

class Divider {
 public:
  Divider(const Network& network, const GroupPart& part) : network_(network), part_(part) {
    for (const Node offset : part.offsets) (is_odd(offset) ? odd_ : even_).push_back(offset);
  }

  std::vector<PartDivision> run() {
    const Subgroup subgroup(network_, even_);
    if (!odd_.empty()) add({nearest(odd_)}, even_);
    for (const std::uint32_t r : {2U, 3U}) {
      if (!subgroup.is_divisible_by(r)) continue;
      for (const Images& images : subgroup.homomorphisms(r)) divide(images, r);
    }
    std::ranges::stable_sort(found_, {}, [&](const PartDivision& division) {
      return std::pair(network_.distance(0, division.partners.front()), division.hops);
    });
    return std::move(found_);
  }

 private:
  bool is_odd(Node offset) const {
    return part_.parity && network_.group().coordinate(offset, *part_.parity) % 2 != 0;
  }
  Node nearest(const std::vector<Node>& offsets) const {
    return *std::ranges::min_element(offsets, {}, [&](Node offset) { return network_.distance(0, offset); });
  }

  // By the kernel, and each coset of it among the odd offsets.
  void divide(const Images& images, std::uint32_t r) {
    std::vector<Node> kernel, moved;
    for (const Node offset : even_) {
      if (images[offset] == 0) kernel.push_back(offset);
      if (images[offset] == 1) moved.push_back(offset);
    }
    if (odd_.empty()) return add(partners(moved, r), kernel);
    for (std::uint32_t coset = 0; coset < r; ++coset) {
      std::vector<Node> inside = kernel, others = moved;
      for (const Node offset : odd_) {
        const Node from_first = network_.group().subtract(offset, odd_.front());
        if (images[from_first] == coset) {
          inside.push_back(offset);
        } else if (r == 2) {
          others.push_back(offset);
        }
      }
      std::ranges::sort(inside);
      add(partners(others, r), std::move(inside));
    }
  }
  std::vector<Node> partners(const std::vector<Node>& others, std::uint32_t r) const {
    const Node first = nearest(others);
    if (r == 2) return {first};
    return {first, network_.group().negate(first)};
  }

  void add(std::vector<Node> partners, std::vector<Node> offsets) {
    std::uint64_t hops = 0;
    for (const Node offset : offsets) hops += network_.distance(0, offset);
    found_.push_back({std::move(partners), {part_.parity, std::move(offsets)}, hops});
  }

  const Network& network_;
  const GroupPart& part_;
  std::vector<Node> even_, odd_;
  std::vector<PartDivision> found_;
};

}  // namespace

GroupPart whole_group(const Network& network, std::optional<std::size_t> parity) {
  GroupPart result{parity, {}};
  for (Node node = 0; node < network.order(); ++node) result.offsets.push_back(node);
  return result;
}

std::vector<PartDivision> divisions_of(const Network& network, const GroupPart& part) {
  return Divider(network, part).run();
}

}  // namespace isotrope::algorithm
