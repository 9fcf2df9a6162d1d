// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the units of a buffer lie: part p of block b is unit b P + p, for P parts a block.
//
//     blocks of E elements     part p of a block begins at its element floor(p E / P)
//     a vector of n elements   cut into all units of all blocks: unit q begins at floor(q n / (B P)), for B
//                              blocks; as allreduce cuts its vector when every node combines a block of it
//
//     E = 10, P = 4     | 0 1 | 2 3 4 | 5 6 | 7 8 9 |     | 0 1 | ...
//     unit                 0      1      2      3           4
//
//     weighted parts           the same, but with sizes in the ratio of their weights (make_pipelined in program.cpp)
//     unequal blocks           part p of a block of E elements begins at its element floor(p E / P), whatever E is; blocks
//                              follow each other
//     a share                  of every block, or of the vector: from its element floor(a E / c) to floor(b E / c), in as many units.
//                              Those of two blocks do not follow each other
//
// Units follow each other without gaps, so consecutive units are one stretch of memory. A program counts in
// units and knows no sizes; this class knows them. Cost: O(1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace isotrope::rank {

class Segmentation {
 public:
  /// Blocks of `elements` elements in `parts` >= 1 parts each.
  static Segmentation of_blocks(std::uint64_t elements, std::uint32_t parts) {
    return {elements, parts, parts};
  }
  /// A vector of `elements` elements in `blocks` >= 1 blocks of `parts` >= 1 parts.
  static Segmentation of_vector(std::uint64_t elements, std::uint32_t blocks, std::uint32_t parts) {
    return {elements, std::uint64_t{blocks} * parts, parts};
  }

  /// One block of `elements` elements, whose part p takes the weights from ends[p - 1] (0 before the first)
  /// to ends[p] of ends.back() in all. @pre ends ascend, 0 < ends.back() < 2^32, and they outlive this.
  static Segmentation of_weighted_block(std::uint64_t elements, std::span<const std::uint64_t> ends) {
    Segmentation units(elements, ends.back(), static_cast<std::uint32_t>(ends.size()));
    units.part_ends_ = ends;
    return units;
  }

  /// Block b has the elements from ends[b - 1] (0 before the first) to ends[b], in `parts` >= 1 parts.
  /// @pre ends ascend, are not empty, and outlive this.
  static Segmentation of_unequal_blocks(std::span<const std::uint64_t> ends, std::uint32_t parts) {
    std::uint64_t longest = 0;
    for (std::size_t block = 0; block < ends.size(); ++block)
      longest = std::max(longest, ends[block] - (block == 0 ? 0 : ends[block - 1]));
    Segmentation units(longest, parts, parts);
    units.block_ends_ = ends;
    return units;
  }

  /// From `begin` to `end` of `all` equal parts of every block, or of the vector. @pre begin <= end <= all < 2^32, blocks are
  /// equal, and parts are not weighted
  Segmentation share(std::uint64_t begin, std::uint64_t end, std::uint64_t all) const {
    const auto up_to = [&](std::uint64_t weight) {
      return elements_ / all * weight + elements_ % all * weight / all;
    };
    Segmentation units(up_to(end) - up_to(begin), row_units_, parts_);
    units.first_ = first_ + up_to(begin);
    units.stride_ = stride_;
    return units;
  }
  /// Whether share() applies.
  bool has_shares() const { return part_ends_.empty() && block_ends_.empty(); }

  /// The first element of `unit`.
  std::uint64_t begin(std::uint64_t unit) const {
    if (!part_ends_.empty()) unit = unit == 0 ? 0 : part_ends_[unit - 1];
    const std::uint64_t row = unit / row_units_, place = unit % row_units_;
    if (!block_ends_.empty()) return begin_in_block(row, place);
    return first_ + row * stride_ + in_row(place);
  }
  /// Elements of `count` units from `unit` on. @pre of a share, they are in one block
  std::uint64_t elements(std::uint64_t unit, std::uint64_t count) const {
    if (stride_ == elements_) return begin(unit + count) - begin(unit);
    const std::uint64_t place = unit % row_units_;
    return in_row(place + count) - in_row(place);
  }
  /// Elements of the largest unit. @pre parts are not weighted.
  std::uint64_t largest() const { return quotient_ + (remainder_ > 0 ? 1 : 0); }
  /// Elements up to the end of block `blocks` - 1.
  std::uint64_t of_whole_blocks(std::uint64_t blocks) const { return begin(blocks * parts_); }

 private:
  Segmentation(std::uint64_t elements, std::uint64_t row_units, std::uint32_t parts)
      : elements_(elements),
        stride_(elements),
        row_units_(row_units),
        quotient_(elements / row_units),
        remainder_(elements % row_units),
        parts_(parts) {}

  std::uint64_t in_row(std::uint64_t place) const {
    return place * quotient_ + place * remainder_ / row_units_;
  }
  // The first element of part `place` of an unequal block; the block behind the last one has only a beginning.
  std::uint64_t begin_in_block(std::uint64_t block, std::uint64_t place) const {
    const std::uint64_t first = block == 0 ? 0 : block_ends_[block - 1];
    if (place == 0) return first;
    const std::uint64_t elements = block_ends_[block] - first;
    return first + place * (elements / parts_) + place * (elements % parts_) / parts_;
  }

  std::uint64_t elements_;   // in a row, or in the longest of unequal blocks
  std::uint64_t stride_;     // elements from row to row: more than in a row if this is a share
  std::uint64_t first_ = 0;  // element of the first row
  std::uint64_t row_units_;  // of equal size, but for rounding: those of a block or of the vector, or weights
  std::uint64_t quotient_;
  std::uint64_t remainder_;
  std::uint32_t parts_;
  std::span<const std::uint64_t> part_ends_;   // of weighted parts, in units of equal size
  std::span<const std::uint64_t> block_ends_;  // of unequal blocks, in elements
};

/// The ends of blocks of these sizes that follow each other, as Segmentation::of_unequal_blocks takes them.
inline std::vector<std::uint64_t> block_ends(std::span<const std::uint64_t> sizes) {
  std::vector<std::uint64_t> ends(sizes.size());
  std::partial_sum(sizes.begin(), sizes.end(), ends.begin());
  return ends;
}

}  // namespace isotrope::rank
