// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements in memory, and their reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

namespace isotrope::mpi {

/// The layout of elements in memory: the data of element i are the `width` bytes from i stride + offset on,
/// stride >= width.
struct ElementLayout {
  MPI_Datatype type = MPI_BYTE;  ///< of one element
  std::uint64_t size = 1;        ///< bytes of data in an element
  std::uint64_t stride = 1;      ///< bytes
  std::int64_t offset = 0;       ///< bytes
  std::uint64_t width = 1;       ///< bytes

  /// Bytes before the data of the first element in memory that the runtime allocates.
  std::int64_t lead() const {
    constexpr std::int64_t alignment = alignof(std::max_align_t);
    return (offset % alignment + alignment) % alignment;
  }
  /// The position of element 0 in such memory. Elements are aligned as in the caller's buffer, which
  /// user-defined operations may rely on.
  std::int64_t origin() const { return lead() - offset; }
  /// Bytes of such memory for `count` elements.
  std::uint64_t room(std::uint64_t count) const {
    return count == 0 ? 0 : static_cast<std::uint64_t>(lead()) + span(count);
  }
  /// The elements in such memory of `bytes` bytes.
  std::uint64_t elements_in(std::uint64_t bytes) const {
    const std::uint64_t first = room(1);
    return bytes < first ? 0 : (bytes - first) / stride + 1;
  }
  /// Bytes from the first byte of the first element to the last byte of the last of `count` elements.
  std::uint64_t span(std::uint64_t count) const { return count == 0 ? 0 : (count - 1) * stride + width; }
};

/// How two elements are reduced to one; MPI_OP_NULL if the collective only copies.
struct ElementReduction {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_BYTE;  ///< as the operation knows it
  bool one_by_one = false;       ///< elements lie farther apart than `type` says
};

/// into = from op into, for `count` elements each, `stride` bytes apart. @returns the code of the first MPI error,
/// or MPI_SUCCESS
int reduce_elements(const ElementReduction& reduction, std::uint64_t stride, const std::byte* from,
                    std::byte* into, std::uint64_t count);

}  // namespace isotrope::mpi
