// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A call of a collective on MPI_COMM_WORLD that Isotrope and the MPI library carry out in turn, from one buffer into
// another.
//
// The buffers hold whole numbers that depend on rank and place, small enough for exact sums of floats in any order, so
// both must leave the same bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "isotrope/mpi/communicator.hpp"

namespace isotrope::app {

class ComparedCall {
 public:
  ComparedCall(const ComparedCall&) = delete;
  ComparedCall& operator=(const ComparedCall&) = delete;
  virtual ~ComparedCall() = default;

  // An error of MPI ends the job.
  void call_isotrope();
  void call_library();

  /// Calls both. Whether they leave the same data in the receive buffer of this rank.
  bool gives_same_data();

 protected:
  /// @param floats whether the data are floats; else bytes
  ComparedCall(std::size_t sent_bytes, std::size_t received_bytes, bool floats);

  virtual int isotrope_code() = 0;
  virtual int library_code() = 0;

  std::vector<char> send_, receive_;
  bool receives_ = true;  ///< whether MPI defines what this rank receives
};

/// With equal blocks, from rank 0 or to it.
class EqualCall : public ComparedCall {
 public:
  /// @param bytes MPI's count times the size of its type
  EqualCall(mpi::Communicator& comm, schedule::Collective collective, std::uint64_t bytes);

 private:
  int isotrope_code() override { return comm_.run(arguments_); }
  int library_code() override;

  mpi::Communicator& comm_;
  mpi::Arguments arguments_;
};

}  // namespace isotrope::app
