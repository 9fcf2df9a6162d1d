// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout in memory of the elements of an MPI datatype.
//
//     address + i extent + true_lower      the first byte of element i, which spans true_extent bytes
//
//     dense         the bytes of elements follow each other in order, without gaps: MPI_INT, 3 MPI_DOUBLE;
//                   such data are sent without packing
//     interleaved   elements overlap (a column resized to one entry) or have descending addresses
//
// Source: MPI 3.1, Sections 4.1.7 to 4.1.9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

namespace isotrope::mpi {

struct Datatype {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  std::uint64_t size = 0;         ///< bytes of data in an element
  std::int64_t extent = 0;        ///< bytes
  std::int64_t true_lower = 0;    ///< bytes
  std::uint64_t true_extent = 0;  ///< bytes
  bool predefined = false;        ///< by MPI, not by a constructor of the program
  bool dense = false;

  /// Whether the data of elements at `address` are the bytes there.
  bool is_bytes_at(const void* address) const { return dense && address != MPI_BOTTOM; }
  /// Whether elements cannot be at a null pointer, as with absolute addresses they can.
  bool needs_address() const { return size > 0 && true_lower == 0; }
  bool interleaved() const { return extent < static_cast<std::int64_t>(true_extent); }

  /// @throws Failure for MPI_DATATYPE_NULL
  static Datatype of(MPI_Datatype handle);
};

/// Copies the data of `count` elements, without gaps, to the count * size bytes at `bytes`.
void pack(const void* elements, std::uint64_t count, const Datatype& type, std::byte* bytes, MPI_Comm comm);
/// Copies count * size bytes from `bytes` into `count` elements.
void unpack(const std::byte* bytes, void* elements, std::uint64_t count, const Datatype& type, MPI_Comm comm);

/// Copies elements into others with as many bytes of data, which are apart from them.
void convert(const void* from, std::uint64_t from_count, const Datatype& from_type, void* to,
             std::uint64_t to_count, const Datatype& to_type, MPI_Comm comm);

/// A datatype with the same data whose elements do not overlap and have no gaps around them. Owns the handle.
class SpreadDatatype {
 public:
  explicit SpreadDatatype(const Datatype& type);
  SpreadDatatype(const SpreadDatatype&) = delete;
  SpreadDatatype& operator=(const SpreadDatatype&) = delete;
  ~SpreadDatatype();

  const Datatype& type() const { return type_; }

 private:
  Datatype type_;
};

}  // namespace isotrope::mpi
