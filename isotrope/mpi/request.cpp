// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/request.hpp"

#include <utility>

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/pending_collective.hpp"

namespace isotrope::mpi {

Request::Request() = default;
Request::Request(Request&&) noexcept = default;
Request::Request(std::unique_ptr<PendingCollective> pending, MPI_Comm comm)
    : pending_(std::move(pending)), comm_(comm) {}

Request& Request::operator=(Request&& other) noexcept {
  if (this == &other) return *this;
  wait();
  pending_ = std::move(other.pending_);
  comm_ = other.comm_;
  return *this;
}

Request::~Request() {
  wait();
}

int Request::test(bool& complete) {
  complete = !pending_ || pending_->test();
  return complete ? release() : MPI_SUCCESS;
}

int Request::wait() {
  if (pending_) pending_->wait();
  return release();
}

// Frees the memory of a complete collective before the error handler runs, which need not return.
int Request::release() {
  if (!pending_) return MPI_SUCCESS;
  const int code = pending_->code();
  pending_.reset();
  return code == MPI_SUCCESS ? code : raise(code, comm_);
}

}  // namespace isotrope::mpi
