// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rank does while it waits for others of its host: looks again at once if each has a processor, else lets others run.
//
// MPI advances meanwhile: a message that the program has begun to send may be what another rank waits for.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

namespace isotrope::mpi {

class Idling {
 public:
  /// @param ranks of the host. @param comm any communicator of the rank
  Idling(std::uint32_t ranks, MPI_Comm comm) : comm_(comm), shares_processors_(ranks > processors()) {}

  void pause() {
    constexpr std::uint32_t spins = 256, between_probes = 8;
    ++turns_;
    if (!shares_processors_ && turns_ < spins) return;
    if (turns_ % between_probes == 0) {
      int is_there = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, 0, comm_, &is_there, MPI_STATUS_IGNORE);
    }
    sched_yield();
  }

 private:
  // Counted once: the system reads a file.
  static long processors() {
    static const long result = sysconf(_SC_NPROCESSORS_ONLN);
    return result;
  }

  MPI_Comm comm_;
  bool shares_processors_;
  std::uint32_t turns_ = 0;
};

}  // namespace isotrope::mpi
