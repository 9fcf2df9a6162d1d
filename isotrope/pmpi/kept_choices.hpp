// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measured times that outlive a job: ISOTROPE_CHOICES=FILE (io/choices_file.hpp). Those of earlier jobs come from the file, which
// rank 0 reads for all; those of this job replace them at its end.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "isotrope/io/choices_file.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/pmpi/communicator_choices.hpp"
#include "isotrope/pmpi/measured_choice.hpp"

namespace isotrope::pmpi {

class KeptChoices {
 public:
  /// Reads the file, if one is named. One that cannot be read stays as it is. Collective over MPI_COMM_WORLD.
  void begin();
  /// Adds the times of earlier jobs for calls of that kind on `communicator`.
  void add_priors(MeasuredChoice& choice, const CallKind& kind, const mpi::Communicator& communicator) const;
  /// Keeps what was measured on a communicator that is freed.
  void keep(const CommunicatorChoices& choices, const mpi::Communicator& communicator);
  /// Writes the file on rank 0: what it has measured replaces what the file says of the same kinds of calls.
  void write() const;

 private:
  std::string file_;                        // empty: choices are not kept
  std::vector<io::MeasuredCall> priors_;    // of earlier jobs, the same on all ranks
  std::mutex mutex_;                        // threads may free communicators at once
  std::vector<io::MeasuredCall> measured_;  // of this rank
};

}  // namespace isotrope::pmpi
