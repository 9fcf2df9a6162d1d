// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of a datatype made of ints, in memory that shows whether any other byte was written.
//
//     | guard | i i . i | i i . i | ... | guard |    i: bytes of elements; other bytes keep their filling
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

namespace isotrope::mpi {

class Memory {
 public:
  Memory(MPI_Datatype type, std::int64_t count);

  /// The address to pass to MPI: the origin of the first element.
  void* address() { return bytes_.data() + origin_; }
  /// All ints in the order of the type map.
  std::vector<int> ints() const;
  /// Writes all ints, and no other byte. @param values as many ints as the elements hold, in type map order
  void set(const std::vector<int>& values);
  /// Whether the bytes that belong to no element have kept their filling.
  bool gaps_are_whole() const;

  bool operator==(const Memory& other) const { return bytes_ == other.bytes_; }

 private:
  static constexpr std::byte filling{0xA5};

  int packed_bytes() const;

  MPI_Datatype type_;
  int count_;
  std::size_t origin_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace isotrope::mpi
