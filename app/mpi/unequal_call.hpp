// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A compared call with the blocks of --counts: of bytes, or of floats in a reduce-scatter. Blocks lie one after the other.
#pragma once

#include <string>
#include <vector>

#include "app/counts.hpp"
#include "app/mpi/compared_call.hpp"

namespace isotrope::app {

/// What MPI's lists of int can hold, which the library's calls need, and whole floats in a reduce-scatter.
/// @throws Error naming `file` if the sizes do not suit
void require_suitable_for_mpi(const Counts& counts, const std::string& file);

/// With blocks of the given sizes.
class UnequalCall : public ComparedCall {
 public:
  /// @pre the sizes suit MPI
  UnequalCall(mpi::Communicator& comm, const Counts& counts);

 private:
  // Blocks one after the other, in elements.
  struct Blocks {
    std::vector<int> counts, places;

    explicit Blocks(std::vector<int> sizes);
    std::size_t elements() const;
  };
  UnequalCall(mpi::Communicator& comm, mpi::VectorCollective collective, int root, Blocks sent,
              Blocks received);

  int isotrope_code() override;
  int library_code() override;
  static Blocks sent_by(int rank, const Counts& counts);
  static Blocks received_by(int rank, const Counts& counts);

  mpi::Communicator& comm_;
  mpi::VectorCollective collective_;
  int root_;
  Blocks sent_, received_;  // by rank; one block if the rank has only one
  std::vector<MPI_Datatype> types_;
};

}  // namespace isotrope::app
