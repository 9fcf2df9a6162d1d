// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/request.hpp"

#include <utility>

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/operation.hpp"

namespace isotrope::mpi {

Request::Request() = default;
Request::Request(Request&&) noexcept = default;
Request::Request(std::unique_ptr<Operation> operation, MPI_Comm comm)
    : operation_(std::move(operation)), comm_(comm) {}

Request& Request::operator=(Request&& other) noexcept {
  if (this == &other) return *this;
  wait();
  operation_ = std::move(other.operation_);
  comm_ = other.comm_;
  return *this;
}

Request::~Request() {
  wait();
}

int Request::test(bool& over) {
  over = true;
  if (!operation_) return MPI_SUCCESS;
  try {
    over = operation_->test();
  } catch (const Failure& failure) {
    operation_.reset();
    return raise(failure.code(), comm_);
  }
  return over ? finished() : MPI_SUCCESS;
}

int Request::wait() {
  if (!operation_) return MPI_SUCCESS;
  try {
    operation_->wait();
  } catch (const Failure& failure) {
    operation_.reset();
    return raise(failure.code(), comm_);
  }
  return finished();
}

int Request::finished() {
  const int code = operation_->error();
  operation_.reset();
  return code == MPI_SUCCESS ? code : raise(code, comm_);
}

}  // namespace isotrope::mpi
