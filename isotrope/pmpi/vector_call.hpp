// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A call of a collective with blocks of unequal sizes, as the drop-in sees it (serving.hpp).
//
// Ranks must choose alike, and only in an allgatherv and a reduce_scatter every rank knows all sizes: these are chosen for by
// the mean size of a block. The other collectives have one choice on a communicator, whatever the sizes.
#pragma once

#include <mpi.h>
#include <optional>
#include <utility>

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {

/// Whether MPI refuses the arguments on a rank, so that nothing is sent.
bool is_refused(const mpi::VectorArguments& arguments, mpi::RankOf self);
/// Whether Isotrope can carry out a call that is not refused.
bool can_serve(const mpi::VectorArguments& arguments);

/// Whether the library must not carry out a reduction, since the bits would be others.
bool is_reproducible(const mpi::VectorArguments& reduction);

/// What sizes a rank may choose by.
inline CallSize any_size() {
  return {1, MPI_BYTE};
}

/// The blocks of all ranks together, which are as many bytes on each rank, but perhaps not as many elements.
template <class Count>
CallSize size_of_all(const Count* counts, MPI_Datatype type, int ranks) {
  if (counts == nullptr) return {};
  MPI_Count sum = 0;
  for (int i = 0; i < ranks; ++i) sum += counts[i];
  return {sum, type};
}

/// @tparam Make makes the arguments on a rank: they are listed only if they are needed, and once
template <class Make>
class VectorCall {
 public:
  /// @param has_lists whether the lists of counts and places that MPI reads on this rank are given
  VectorCall(mpi::VectorCollective kind, CallSize size, mpi::RankOf self, bool has_lists, Make make)
      : kind_(kind), size_(size), self_(self), has_lists_(has_lists), make_(std::move(make)) {}

  static CallCollective collective_of(mpi::VectorCollective kind) {
    return {mpi::with_equal_blocks(kind), true};
  }

  CallCollective collective() const { return collective_of(kind_); }
  CallSize size() const { return size_; }
  bool is_refused() const { return !has_lists_ || pmpi::is_refused(made(), self_); }
  bool fits(const mpi::Communicator&) const { return can_serve(made()); }
  // Listing the arguments costs as much as a short call, so it comes last.
  bool is_reproducible() const {
    return kind_ == mpi::VectorCollective::reduce_scatter && has_lists_ &&
           Session::of_process().is_reproducible() && pmpi::is_reproducible(made());
  }
  int run(mpi::Communicator& serving) const { return serving.run(made()); }
  const mpi::VectorArguments& made() const {
    if (!made_) made_ = make_(self_);
    return *made_;
  }

 private:
  mpi::VectorCollective kind_;
  CallSize size_;
  mpi::RankOf self_;
  bool has_lists_;
  Make make_;
  mutable std::optional<mpi::VectorArguments> made_;
};

}  // namespace isotrope::pmpi
