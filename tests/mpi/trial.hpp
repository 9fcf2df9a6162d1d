// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of a collective on ints that every rank can compute, with its expected result.
//
// The ints that `origin` contributes for `destination` are values(origin, destination). In collectives with
// one block for all (broadcast, gather, allgather, reduce, allreduce) the destination is 0.
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
inline constexpr std::array reducing{Collective::reduce, Collective::reduce_scatter, Collective::allreduce,
                                     Collective::scan, Collective::exscan};

/// Operations on ints.
enum class Op {
  sum,     ///< MPI_SUM, for one_int() only
  add,     ///< user-defined, for every shape
  compose  ///< user-defined, for sixes(): composition of affine maps of the plane; does not commute
};
/// The handle of an operation; free_ops() frees those that are user-defined.
MPI_Op handle_of(Op op);
void free_ops();

struct Case {
  Collective collective = Collective::broadcast;
  std::int64_t ints = 0;  ///< in a block, a multiple of the ints of both shapes
  int root = 0;
  bool in_place = false;
  Shape sent = one_int();
  Shape received = one_int();  ///< collectives that reduce use this shape alone
  Op op = Op::sum;
};
std::string to_string(const Case& c);

class Trial {
 public:
  Trial(Communicator& comm, const Case& c);

  /// Calls the blocking function of that name.
  void run();
  /// Calls the nonblocking function of that name.
  void start(Request& request);
  /// Calls the persistent function of that name.
  void prepare(PersistentRequest& request);
  /// Overwrites the numbers of an open call to send.
  void overwrite_sent();
  /// Sets other numbers to send. @pre the call is complete
  void refill();
  /// Adds a failure to the test for every deviation. @pre the call is complete
  void check();

 private:
  bool receives() const;
  bool sends_apart() const;
  std::vector<int> sent() const;
  std::vector<int> expected() const;
  std::vector<int> reduced(int destination, int ranks) const;
  std::vector<int> values(int origin, int destination) const;
  MPI_Count sent_count() const { return case_.ints / case_.sent.ints; }
  MPI_Count received_count() const { return case_.ints / case_.received.ints; }
  int sent_blocks() const;
  int received_blocks() const;
  void fill();
  void place_own_input();

  Communicator& comm_;
  Case case_;
  Memory send_, receive_, send_before_;
  int code_ = MPI_SUCCESS;
  unsigned turn_ = 0;  // of the numbers
};

/// Runs a case and checks its result.
void expect_right(Communicator& comm, const Case& c);

}  // namespace isotrope::mpi
