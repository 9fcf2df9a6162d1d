// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of a collective on ints that every rank can compute, and what must come of it.
//
// The ints that `origin` has for `destination` are values(origin, destination); where there is one block for
// all (broadcast, gather, allgather, reduce, allreduce) the destination is 0.
#pragma once

#include <array>
#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/schedule/task.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "memory.hpp"
#include "shapes.hpp"

namespace isotrope::mpi {

using schedule::Collective;

inline constexpr std::array copying{Collective::broadcast, Collective::scatter, Collective::gather,
                                    Collective::allgather, Collective::alltoall};
inline constexpr std::array combining{Collective::reduce, Collective::reduce_scatter, Collective::allreduce};

/// Operations on ints, as MPI_Op where a trial asks for one.
enum class Op {
  sum,     ///< MPI_SUM, for one_int() only
  add,     ///< of the user, for every shape
  compose  ///< of the user, for sixes(): affine maps of the plane, one after the other; does not commute
};
/// Freed by free_ops().
MPI_Op handle_of(Op op);
void free_ops();

struct Case {
  Collective collective = Collective::broadcast;
  std::int64_t ints = 0;  ///< in a block, a multiple of the ints of both shapes
  int root = 0;
  bool in_place = false;
  Shape sent = one_int();
  Shape received = one_int();  ///< of combining collectives the only one
  Op op = Op::sum;
};
std::string to_string(const Case& c);

class Trial {
 public:
  Trial(Communicator& comm, const Case& c);

  void run();
  void start(Request& request);
  /// Adds a failure to the test for every deviation. The call must be over.
  void check();

 private:
  bool receives() const;
  bool sends_apart() const;
  std::vector<int> sent() const;
  std::vector<int> expected() const;
  std::vector<int> combined(int destination) const;
  std::vector<int> values(int origin, int destination) const;
  MPI_Count sent_count() const { return case_.ints / case_.sent.ints; }
  MPI_Count received_count() const { return case_.ints / case_.received.ints; }
  int sent_blocks() const;
  int received_blocks() const;
  void place_own_input();

  Communicator& comm_;
  Case case_;
  Memory send_, receive_, send_before_;
  int code_ = MPI_SUCCESS;
};

/// Runs it, and checks it.
void expect_right(Communicator& comm, const Case& c);

}  // namespace isotrope::mpi
