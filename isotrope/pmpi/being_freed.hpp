// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The communicators that this thread is freeing. MPI calls the delete callbacks of their attributes meanwhile, and these may call
// collectives on them. Their attributes must then be neither read nor set: MPICH 4.0 walks the list, and frees what it has passed.
#pragma once

#include <mpi.h>

namespace isotrope::pmpi {

class BeingFreed {
 public:
  /// `comm` is being freed as long as this object lives.
  explicit BeingFreed(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }
  BeingFreed(const BeingFreed&) = delete;
  BeingFreed& operator=(const BeingFreed&) = delete;
  ~BeingFreed() { innermost = outer_; }

  static bool has(MPI_Comm comm) {
    for (const BeingFreed* each = innermost; each != nullptr; each = each->outer_) {
      if (each->comm_ == comm) return true;
    }
    return false;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static inline thread_local const BeingFreed* innermost = nullptr;

  MPI_Comm comm_;
  const BeingFreed* outer_;
};

}  // namespace isotrope::pmpi
