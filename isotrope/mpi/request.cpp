// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/request.hpp"

#include <new>
#include <utility>

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/pending_collective.hpp"

namespace isotrope::mpi {
namespace {

// Messages may still use the memory of a collective that is broken.
void destroy(std::unique_ptr<PendingCollective>& pending) {
  if (pending && pending->is_broken()) {
    static_cast<void>(pending.release());
  } else {
    pending.reset();
  }
}

bool is_open(const std::unique_ptr<PendingCollective>& pending) {
  return pending && pending->is_open();
}

int code_of(const std::unique_ptr<PendingCollective>& pending) {
  return pending ? pending->take_code() : MPI_SUCCESS;
}

}  // namespace

Request::Request() = default;
Request::Request(Request&&) noexcept = default;
Request::Request(std::unique_ptr<PendingCollective> pending, std::shared_ptr<const MPI_Comm> comm)
    : pending_(std::move(pending)), comm_(std::move(comm)) {}

Request& Request::operator=(Request&& other) noexcept {
  if (this == &other) return *this;
  wait();
  pending_ = std::move(other.pending_);
  comm_ = std::move(other.comm_);
  return *this;
}

Request::~Request() {
  wait();
}

int Request::test(bool& complete) {
  complete = !is_open(pending_) || pending_->test();
  return complete ? release() : MPI_SUCCESS;
}

int Request::wait() {
  if (is_open(pending_)) pending_->wait();
  return release();
}

bool Request::poll() {
  return !is_open(pending_) || pending_->poll();
}

bool Request::has_failed() const {
  return pending_ && pending_->has_failed();
}

// Frees the memory of a complete collective before the error handler runs, which need not return.
int Request::release() {
  const int code = code_of(pending_);
  destroy(pending_);
  return code == MPI_SUCCESS ? code : raise(code, *comm_);
}

PersistentRequest::PersistentRequest() = default;
PersistentRequest::PersistentRequest(PersistentRequest&&) noexcept = default;
PersistentRequest::PersistentRequest(std::unique_ptr<PendingCollective> pending,
                                     std::shared_ptr<const MPI_Comm> comm)
    : pending_(std::move(pending)), comm_(std::move(comm)) {}

PersistentRequest& PersistentRequest::operator=(PersistentRequest&& other) noexcept {
  if (this == &other) return *this;
  wait();
  destroy(pending_);
  pending_ = std::move(other.pending_);
  comm_ = std::move(other.comm_);
  return *this;
}

PersistentRequest::~PersistentRequest() {
  wait();
  destroy(pending_);
}

int PersistentRequest::start() {
  if (!pending_ || pending_->is_open() || pending_->is_broken()) {
    const Failure failure(
        MPI_ERR_REQUEST,
        "a persistent collective that cannot be started: create it, and complete it before it is "
        "started again");
    return raise(failure.code(), comm_ ? *comm_ : MPI_COMM_NULL);
  }
  try {
    pending_->start();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(failure.code(), *comm_);
  } catch (const std::bad_alloc&) {
    return raise(Failure(MPI_ERR_NO_MEM, "no memory for a collective").code(), *comm_);
  }
}

int PersistentRequest::test(bool& complete) {
  complete = !is_open(pending_) || pending_->test();
  return complete ? take_code() : MPI_SUCCESS;
}

int PersistentRequest::wait() {
  if (is_open(pending_)) pending_->wait();
  return take_code();
}

// An error is reported once.
int PersistentRequest::take_code() {
  const int code = code_of(pending_);
  return code == MPI_SUCCESS ? code : raise(code, *comm_);
}

bool PersistentRequest::poll() {
  return !is_open(pending_) || pending_->poll();
}

bool PersistentRequest::has_failed() const {
  return pending_ && pending_->has_failed();
}

}  // namespace isotrope::mpi
