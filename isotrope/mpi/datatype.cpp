// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/datatype.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {
namespace {

// The constructor of a datatype and the sizes of its arguments.
struct Envelope {
  int integers = 0, addresses = 0, types = 0;
  int combiner = MPI_COMBINER_NAMED;

  explicit Envelope(MPI_Datatype handle) {
    require_success(MPI_Type_get_envelope(handle, &integers, &addresses, &types, &combiner),
                    "querying a datatype");
  }
  bool predefined() const { return combiner == MPI_COMBINER_NAMED; }
};

// Whether the addresses of an element ascend in the order of its type map. False for some types that do:
// their maps would have to be followed.
bool in_order(MPI_Datatype handle, const Envelope& made) {
  if (made.predefined()) return true;
  if (made.combiner != MPI_COMBINER_CONTIGUOUS && made.combiner != MPI_COMBINER_DUP) return false;
  std::vector<int> integers(static_cast<std::size_t>(made.integers) + 1);
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(made.addresses) + 1);
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(made.types) + 1);
  require_success(MPI_Type_get_contents(handle, made.integers, made.addresses, made.types, integers.data(),
                                        addresses.data(), types.data()),
                  "querying the parts of a datatype");
  const bool result = Datatype::of(types.front()).dense;
  if (!Envelope(types.front()).predefined()) MPI_Type_free(&types.front());
  return result;
}

// The number of elements for one call of MPI_Pack, which counts bytes in an int.
std::uint64_t most_at_once(const Datatype& type) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
  if (type.size > INT_MAX) {
    throw Failure(MPI_ERR_TYPE, fmt::format("a datatype with {} bytes in an element that are not contiguous: "
                                            "give elements of less than 2 GiB, and more of them",
                                            type.size));
  }
  return std::max<std::uint64_t>(most_bytes / std::max<std::uint64_t>(type.size, 1), 1);
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
  const std::uint64_t most = most_at_once(type);
  if (type.size == 0) return;
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
  Datatype type{handle,     static_cast<std::uint64_t>(size),        extent,
                true_lower, static_cast<std::uint64_t>(true_extent), false};
  const Envelope made(handle);
  type.dense =
      lower == 0 && true_lower == 0 && size == extent && size == true_extent && in_order(handle, made);
  if (made.predefined()) last_predefined = type;
  return type;
}

void pack(const void* elements, std::uint64_t count, const Datatype& type, std::byte* bytes, MPI_Comm comm) {
  if (count * type.size == 0) return;
  if (type.is_bytes_at(elements)) {
    std::memcpy(bytes, elements, count * type.size);
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
