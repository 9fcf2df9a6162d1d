// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How a datatype was made: the blocks of its constructor, in the order of its type map.
//
// Convention: the numbers of a constructor are its integers, then its addresses, then its large counts. So each constructor and
// its large-count form have the same list: MPI_Type_create_hindexed the number of blocks, their lengths, their displacements.
// Cost: O(numbers) to make one, O(blocks) to visit them.
#pragma once

#include <cstddef>
#include <functional>
#include <mpi.h>
#include <vector>

namespace isotrope::mpi {

/// Whether the datatype is MPI's own, which no program frees: MPI_INT, or one of MPI_Type_create_f90_real and its like. True of a
/// handle that MPI does not know.
bool is_predefined(MPI_Datatype handle);

/// `count` elements of `type`, one after the other.
struct TypeBlock {
  MPI_Aint displacement = 0;  ///< bytes from the origin of the datatype
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

class TypeConstructor {
 public:
  /// @throws Failure if MPI does not know the datatype
  explicit TypeConstructor(MPI_Datatype handle);
  TypeConstructor(const TypeConstructor&) = delete;
  TypeConstructor& operator=(const TypeConstructor&) = delete;
  ~TypeConstructor();

  /// As mpi::is_predefined().
  bool is_predefined() const { return combiner_ == MPI_COMBINER_NAMED; }
  /// Calls `visit` for every block; their types are valid until the end of this object.
  /// @returns false, without a call, for predefined datatypes, subarrays and distributed arrays
  bool for_each_block(const std::function<void(const TypeBlock&)>& visit) const;

 private:
  MPI_Count number(MPI_Count index) const { return numbers_[static_cast<std::size_t>(index)]; }
  void visit_strided(MPI_Aint unit, const std::function<void(const TypeBlock&)>& visit) const;
  void visit_listed(MPI_Aint unit, bool one_length, const std::function<void(const TypeBlock&)>& visit) const;

  int combiner_ = MPI_COMBINER_NAMED;  // of all predefined datatypes
  std::vector<MPI_Count> numbers_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace isotrope::mpi
