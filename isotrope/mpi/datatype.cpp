// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/datatype.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/type_constructor.hpp"

namespace isotrope::mpi {
namespace {

// The bytes that hold data, one after the other in the order of the type map.
struct DataRange {
  MPI_Count begin = 0, bytes = 0;

  MPI_Count end() const { return begin + bytes; }
};

std::optional<DataRange> range_of(MPI_Datatype handle);

// Ranges of blocks that follow each other, as one. Consecutive blocks have mostly one type.
class JoinedRanges {
 public:
  void add(const TypeBlock& block) {
    if (block.type != type_) look_up(block.type);
    if (block.count == 0 || (one_ && one_->bytes == 0)) return;
    const bool is_joined = one_ && (block.count == 1 || extent_ == one_->bytes) &&
                           (all_.bytes == 0 || block.displacement + one_->begin == all_.end());
    has_gaps_ = has_gaps_ || !is_joined;
    if (has_gaps_) return;
    if (all_.bytes == 0) all_.begin = block.displacement + one_->begin;
    all_.bytes += block.count * one_->bytes;
  }
  std::optional<DataRange> result() const { return has_gaps_ ? std::nullopt : std::optional(all_); }

 private:
  void look_up(MPI_Datatype type) {
    MPI_Count lower = 0;
    type_ = type;
    one_ = range_of(type);
    require_success(MPI_Type_get_extent_x(type, &lower, &extent_), "querying a datatype's extent");
  }

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::optional<DataRange> one_;  // of an element of the type
  MPI_Count extent_ = 0;
  DataRange all_;
  bool has_gaps_ = false;
};

// None if the data have gaps or another order. None for some types that have not: subarrays would have to be followed.
std::optional<DataRange> range_of(MPI_Datatype handle) {
  JoinedRanges ranges;
  const TypeConstructor constructor(handle);
  if (constructor.for_each_block([&](const TypeBlock& block) { ranges.add(block); })) return ranges.result();
  if (!constructor.is_predefined()) return std::nullopt;
  MPI_Count size = 0, lower = 0, extent = 0;
  require_success(MPI_Type_size_x(handle, &size), "querying a datatype's size");
  require_success(MPI_Type_get_true_extent_x(handle, &lower, &extent), "querying a datatype's true extent");
  return size == extent ? std::optional(DataRange{lower, size}) : std::nullopt;
}

// MPI_Pack counts bytes in an int.
constexpr std::uint64_t most_bytes_at_once = std::uint64_t{1} << 30;

bool is_packed_by_blocks(const Datatype& type) {
  return type.size > INT_MAX;
}

// Calls step(offset from the first element, offset in the packed bytes, elements, their type) for the blocks of `count` elements.
template <class Step>
void by_blocks(std::uint64_t count, const Datatype& type, const Step& step) {
  const TypeConstructor constructor(type.handle);
  Datatype of_block;
  std::uint64_t packed_at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t element_at = static_cast<std::int64_t>(i) * type.extent;
    const bool has_blocks = constructor.for_each_block([&](const TypeBlock& block) {
      if (block.type != of_block.handle) of_block = Datatype::of(block.type);
      const auto elements = static_cast<std::uint64_t>(block.count);
      step(element_at + block.displacement, packed_at, elements, of_block);
      packed_at += elements * of_block.size;
    });
    if (!has_blocks) {
      throw Failure(MPI_ERR_TYPE, fmt::format("a subarray or distributed array of {} bytes in one element: "
                                              "give elements of less than 2 GiB, and more of them",
                                              type.size));
    }
  }
}

// The address `offset` bytes after one that may be MPI_BOTTOM, a null pointer.
template <class Byte>
Byte* at_offset(Byte* address, std::int64_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): arithmetic with a null pointer is undefined
  return reinterpret_cast<Byte*>(reinterpret_cast<std::intptr_t>(address) + offset);
}

// The datatype with its origin moved to its first byte. MPICH (4.0) does not pack from null pointers, so
// types of absolute addresses, which are used with MPI_BOTTOM, are used with the address of their first byte.
class FromFirstByte {
 public:
  explicit FromFirstByte(const Datatype& type) : type_(type) {
    const int one = 1;
    const auto back = static_cast<MPI_Aint>(-type.true_lower);
    require_success(MPI_Type_create_hindexed(1, &one, &back, type.handle, &type_.handle),
                    "moving the origin of a datatype");
    require_success(MPI_Type_commit(&type_.handle), "committing a datatype");
  }
  FromFirstByte(const FromFirstByte&) = delete;
  FromFirstByte& operator=(const FromFirstByte&) = delete;
  ~FromFirstByte() { MPI_Type_free(&type_.handle); }

  const Datatype& type() const { return type_; }

 private:
  Datatype type_;
};

template <class Step>
void in_steps(std::uint64_t count, const Datatype& type, const Step& step) {
  if (type.size == 0) return;
  const std::uint64_t most = std::max<std::uint64_t>(most_bytes_at_once / type.size, 1);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now = std::min(most, count - done);
    step(static_cast<std::int64_t>(done) * type.extent, done * type.size, static_cast<int>(now),
         static_cast<int>(now * type.size));
    done += now;
  }
}

}  // namespace

Datatype Datatype::of(MPI_Datatype handle) {
  if (handle == MPI_DATATYPE_NULL)
    throw Failure(MPI_ERR_TYPE, "MPI_DATATYPE_NULL is no datatype: give MPI_INT or another one");
  // A call looks the same type up several times. Predefined types are never freed, so their handles stay
  // valid.
  thread_local Datatype last_predefined;
  if (handle == last_predefined.handle) return last_predefined;
  MPI_Count size = 0, lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  require_success(MPI_Type_size_x(handle, &size), "querying a datatype's size");
  require_success(MPI_Type_get_extent_x(handle, &lower, &extent), "querying a datatype's extent");
  require_success(MPI_Type_get_true_extent_x(handle, &true_lower, &true_extent),
                  "querying a datatype's true extent");
  Datatype type{handle, static_cast<std::uint64_t>(size), extent, true_lower,
                static_cast<std::uint64_t>(true_extent)};
  type.predefined = is_predefined(handle);
  const bool may_be_dense = lower == 0 && true_lower == 0 && size == extent && size == true_extent;
  type.dense = may_be_dense && (type.predefined || range_of(handle).has_value());
  if (type.predefined) last_predefined = type;
  return type;
}

void pack(const void* elements, std::uint64_t count, const Datatype& type, std::byte* bytes, MPI_Comm comm) {
  if (count * type.size == 0) return;
  if (type.is_bytes_at(elements)) {
    std::memcpy(bytes, elements, count * type.size);
    return;
  }
  if (is_packed_by_blocks(type)) {
    by_blocks(count, type,
              [&](std::int64_t at, std::uint64_t packed_at, std::uint64_t block, const Datatype& of_block) {
                pack(at_offset(static_cast<const std::byte*>(elements), at), block, of_block,
                     bytes + packed_at, comm);
              });
    return;
  }
  if (elements == MPI_BOTTOM && type.true_lower != 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the datatype holds the address
    return pack(reinterpret_cast<const void*>(type.true_lower), count, FromFirstByte(type).type(), bytes,
                comm);
  }
  in_steps(count, type, [&](std::int64_t at, std::uint64_t packed_at, int now, int size) {
    int position = 0;
    require_success(MPI_Pack(static_cast<const std::byte*>(elements) + at, now, type.handle,
                             bytes + packed_at, size, &position, comm),
                    "packing");
  });
}

void unpack(const std::byte* bytes, void* elements, std::uint64_t count, const Datatype& type,
            MPI_Comm comm) {
  if (count * type.size == 0) return;
  if (type.is_bytes_at(elements)) {
    std::memcpy(elements, bytes, count * type.size);
    return;
  }
  if (is_packed_by_blocks(type)) {
    by_blocks(count, type,
              [&](std::int64_t at, std::uint64_t packed_at, std::uint64_t block, const Datatype& of_block) {
                unpack(bytes + packed_at, at_offset(static_cast<std::byte*>(elements), at), block, of_block,
                       comm);
              });
    return;
  }
  if (elements == MPI_BOTTOM && type.true_lower != 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the datatype holds the address
    return unpack(bytes, reinterpret_cast<void*>(type.true_lower), count, FromFirstByte(type).type(), comm);
  }
  in_steps(count, type, [&](std::int64_t at, std::uint64_t packed_at, int now, int size) {
    int position = 0;
    require_success(MPI_Unpack(bytes + packed_at, size, &position, static_cast<std::byte*>(elements) + at,
                               now, type.handle, comm),
                    "unpacking");
  });
}

void convert(const void* from, std::uint64_t from_count, const Datatype& from_type, void* to,
             std::uint64_t to_count, const Datatype& to_type, MPI_Comm comm) {
  if (to_type.is_bytes_at(to)) return pack(from, from_count, from_type, static_cast<std::byte*>(to), comm);
  if (from_type.is_bytes_at(from))
    return unpack(static_cast<const std::byte*>(from), to, to_count, to_type, comm);
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(from_count * from_type.size);
  pack(from, from_count, from_type, bytes.get(), comm);
  unpack(bytes.get(), to, to_count, to_type, comm);
}

SpreadDatatype::SpreadDatatype(const Datatype& type) : type_(type) {
  // Every element begins at an address that suits any number.
  constexpr std::uint64_t alignment = alignof(std::max_align_t);
  type_.extent = static_cast<std::int64_t>((type.true_extent + alignment - 1) / alignment * alignment);
  require_success(MPI_Type_create_resized(type.handle, type.true_lower, type_.extent, &type_.handle),
                  "resizing a datatype");
  require_success(MPI_Type_commit(&type_.handle), "committing a datatype");
}

SpreadDatatype::~SpreadDatatype() {
  MPI_Type_free(&type_.handle);
}

}  // namespace isotrope::mpi
