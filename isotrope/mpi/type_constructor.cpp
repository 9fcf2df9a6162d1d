// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/type_constructor.hpp"

#include <cstddef>
#include <utility>

#include "isotrope/mpi/failure.hpp"

// MPI 4 describes datatypes of large-count constructors by these alone. Libraries with the same binary interface may be older.
#if MPI_VERSION >= 4
#pragma weak MPI_Type_get_envelope_c
#pragma weak MPI_Type_get_contents_c
#endif

namespace isotrope::mpi {
namespace {

// The combiner of a datatype, and how many numbers its constructor has.
struct Envelope {
  MPI_Count integers = 0, addresses = 0, large_counts = 0, types = 0;
  int combiner = MPI_COMBINER_NAMED;
  int code = MPI_SUCCESS;

  explicit Envelope(MPI_Datatype handle) : code(query(handle)) {}

  bool is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }

 private:
  int query(MPI_Datatype handle) {
#if MPI_VERSION >= 4
    if (MPI_Type_get_envelope_c != nullptr)
      return MPI_Type_get_envelope_c(handle, &integers, &addresses, &large_counts, &types, &combiner);
#endif
    int few_integers = 0, few_addresses = 0, few_types = 0;
    const int code = MPI_Type_get_envelope(handle, &few_integers, &few_addresses, &few_types, &combiner);
    integers = few_integers;
    addresses = few_addresses;
    types = few_types;
    return code;
  }
};

// The arguments of a constructor. MPI wants no null pointers for empty lists.
struct Contents {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Datatype> types;

  Contents(MPI_Datatype handle, const Envelope& envelope)
      : integers(room_for(envelope.integers)),
        addresses(room_for(envelope.addresses)),
        large_counts(room_for(envelope.large_counts)),
        types(room_for(envelope.types)) {
    require_success(query(handle, envelope), "querying the parts of a datatype");
    integers.pop_back();
    addresses.pop_back();
    large_counts.pop_back();
    types.pop_back();
  }

 private:
  static std::size_t room_for(MPI_Count count) { return static_cast<std::size_t>(count) + 1; }

  int query(MPI_Datatype handle, const Envelope& envelope) {
#if MPI_VERSION >= 4
    if (MPI_Type_get_contents_c != nullptr) {
      return MPI_Type_get_contents_c(handle, envelope.integers, envelope.addresses, envelope.large_counts,
                                     envelope.types, integers.data(), addresses.data(), large_counts.data(),
                                     types.data());
    }
#endif
    return MPI_Type_get_contents(handle, static_cast<int>(envelope.integers),
                                 static_cast<int>(envelope.addresses), static_cast<int>(envelope.types),
                                 integers.data(), addresses.data(), types.data());
  }
};

MPI_Aint extent_of(MPI_Datatype handle) {
  MPI_Aint lower = 0, extent = 0;
  require_success(MPI_Type_get_extent(handle, &lower, &extent), "querying a datatype's extent");
  return extent;
}

}  // namespace

bool is_predefined(MPI_Datatype handle) {
  const Envelope envelope(handle);
  return envelope.code != MPI_SUCCESS || envelope.is_predefined();
}

TypeConstructor::TypeConstructor(MPI_Datatype handle) {
  const Envelope envelope(handle);
  require_success(envelope.code, "querying a datatype");
  if (envelope.is_predefined()) return;
  combiner_ = envelope.combiner;
  Contents contents(handle, envelope);
  numbers_.assign(contents.integers.begin(), contents.integers.end());
  numbers_.insert(numbers_.end(), contents.addresses.begin(), contents.addresses.end());
  numbers_.insert(numbers_.end(), contents.large_counts.begin(), contents.large_counts.end());
  types_ = std::move(contents.types);
}

TypeConstructor::~TypeConstructor() {
  for (MPI_Datatype& type : types_) {
    if (!mpi::is_predefined(type)) MPI_Type_free(&type);
  }
}

bool TypeConstructor::for_each_block(const std::function<void(const TypeBlock&)>& visit) const {
  switch (combiner_) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      visit({0, 1, types_.front()});
      return true;
    case MPI_COMBINER_CONTIGUOUS:
      visit({0, number(0), types_.front()});
      return true;
    case MPI_COMBINER_VECTOR:
      visit_strided(extent_of(types_.front()), visit);
      return true;
    case MPI_COMBINER_HVECTOR:
      visit_strided(1, visit);
      return true;
    case MPI_COMBINER_INDEXED:
      visit_listed(extent_of(types_.front()), false, visit);
      return true;
    case MPI_COMBINER_INDEXED_BLOCK:
      visit_listed(extent_of(types_.front()), true, visit);
      return true;
    case MPI_COMBINER_HINDEXED_BLOCK:
      visit_listed(1, true, visit);
      return true;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
      visit_listed(1, false, visit);
      return true;
    default:
      return false;
  }
}

// Numbers: of blocks, the length of a block, the stride in units.
void TypeConstructor::visit_strided(MPI_Aint unit, const std::function<void(const TypeBlock&)>& visit) const {
  for (MPI_Count i = 0; i < number(0); ++i)
    visit({static_cast<MPI_Aint>(i * number(2)) * unit, number(1), types_.front()});
}

// Numbers: of blocks, one length or that of each block, the displacement of each in units. A struct has a type for each.
void TypeConstructor::visit_listed(MPI_Aint unit, bool one_length,
                                   const std::function<void(const TypeBlock&)>& visit) const {
  const MPI_Count blocks = number(0), lengths = one_length ? 1 : blocks;
  for (MPI_Count i = 0; i < blocks; ++i) {
    visit({static_cast<MPI_Aint>(number(1 + lengths + i)) * unit, number(one_length ? 1 : 1 + i),
           types_[types_.size() > 1 ? static_cast<std::size_t>(i) : 0]});
  }
}

}  // namespace isotrope::mpi
