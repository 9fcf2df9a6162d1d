// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/open_collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace isotrope::pmpi {

using mpi::Arguments;
using mpi::VectorArguments;

namespace {

std::vector<MPI_Datatype> types_of(const Arguments& arguments) {
  return {arguments.send.type, arguments.receive.type};
}

// Most calls have one type.
std::vector<MPI_Datatype> types_of(const VectorArguments& arguments) {
  std::vector<MPI_Datatype> types;
  for (const auto* blocks : {&arguments.sent, &arguments.received}) {
    for (const mpi::PlacedBlock& block : *blocks) {
      if (std::ranges::find(types, block.type) == types.end()) types.push_back(block.type);
    }
  }
  return types;
}

}  // namespace

// ---- the program's calls

int OpenCollectives::open(const Owner& comm, const Arguments& arguments, MPI_Request* handle) {
  return open_any(comm, arguments, handle);
}

int OpenCollectives::open(const Owner& comm, const VectorArguments& arguments, MPI_Request* handle) {
  return open_any(comm, arguments, handle);
}

int OpenCollectives::prepare(const Owner& comm, const Arguments& arguments, MPI_Request* handle) {
  return prepare_any(comm, arguments, handle);
}

int OpenCollectives::prepare(const Owner& comm, const VectorArguments& arguments, MPI_Request* handle) {
  return prepare_any(comm, arguments, handle);
}

template <class AnyArguments>
int OpenCollectives::open_any(const Owner& comm, const AnyArguments& arguments, MPI_Request* handle) {
  const Pointer collective = make(comm, types_of(arguments), arguments.op);
  if (const int code = comm->start(arguments, std::get<mpi::Request>(collective->request));
      code != MPI_SUCCESS)
    return code;
  const std::scoped_lock lock(mutex_);
  collective->tag = take_tag();
  const int code = PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, collective->tag, self_, handle);
  collective->handle = *handle;
  ++count;
  open(collective);
  return code;
}

template <class AnyArguments>
int OpenCollectives::prepare_any(const Owner& comm, const AnyArguments& arguments, MPI_Request* handle) {
  const Pointer collective = make(comm, types_of(arguments), arguments.op);
  auto& request = collective->request.emplace<mpi::PersistentRequest>();
  if (const int code = comm->prepare(arguments, request); code != MPI_SUCCESS) return code;
  const std::scoped_lock lock(mutex_);
  collective->tag = take_tag();
  const int code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, collective->tag, self_, handle);
  ++count;
  persistent_.insert_or_assign(*handle, collective);
  return code;
}

int OpenCollectives::start(MPI_Request before, MPI_Request handle) {
  Pointer collective;
  {
    const std::scoped_lock lock(mutex_);
    auto entry = persistent_.extract(before);
    if (!entry) return MPI_SUCCESS;
    collective = entry.mapped();
    entry.key() = handle;
    persistent_.insert(std::move(entry));
  }
  const int code = std::get<mpi::PersistentRequest>(collective->request).start();
  const std::scoped_lock lock(mutex_);
  collective->handle = handle;
  if (code == MPI_SUCCESS) {
    open(std::move(collective));
  } else {
    signal(*collective, 0);
  }
  return code;
}

void OpenCollectives::free(MPI_Request handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = persistent_.find(handle);
  if (found == persistent_.end()) return;
  const Pointer collective = std::move(found->second);
  persistent_.erase(found);
  collective->is_known = false;
  const auto is_in = [&](const std::vector<Pointer>& list) {
    return std::ranges::count(list, collective) > 0;
  };
  if (!is_in(open_) && !is_in(failed_)) forget(collective);
}

bool OpenCollectives::postpones_type(MPI_Datatype type) {
  const std::scoped_lock lock(mutex_);
  if (!is_used([=](const Collective& user) { return std::ranges::count(user.types, type) > 0; }))
    return false;
  unused_types_.push_back(type);
  return true;
}

bool OpenCollectives::postpones_op(MPI_Op op) {
  const std::scoped_lock lock(mutex_);
  if (!is_used([=](const Collective& user) { return user.op == op; })) return false;
  unused_ops_.push_back(op);
  return true;
}

// ---- progress

bool OpenCollectives::is_open(const MPI_Request* handles, int handle_count) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && std::any_of(handles, handles + handle_count, [&](MPI_Request handle) {
           return handle != MPI_REQUEST_NULL &&
                  std::ranges::find(open_, handle, [](const Pointer& collective) {
                    return collective->handle;
                  }) != open_.end();
         });
}

void OpenCollectives::advance() {
  advance_silently();
  report_failures();
}

void OpenCollectives::advance_silently() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  // Collectives that complete leave the list.
  for (std::size_t i = 0; i < open_.size();) {
    const Pointer collective = open_[i];
    if (std::visit([](auto& request) { return request.poll(); }, collective->request)) {
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      complete(collective);
    } else {
      ++i;
    }
  }
}

void OpenCollectives::complete(const Pointer& collective) {
  const bool has_failed =
      std::visit([](const auto& request) { return request.has_failed(); }, collective->request);
  const bool is_persistent = std::holds_alternative<mpi::PersistentRequest>(collective->request);
  // Open MPI frees a persistent request that fails.
  signal(*collective, has_failed && !is_persistent ? 1 : 0);
  if (has_failed) {
    failed_.push_back(collective);
    return;
  }
  --open_count;
  if (!is_persistent || !collective->is_known) forget(collective);
}

// An error handler may call MPI, or not return.
void OpenCollectives::report_failures() {
  for (;;) {
    Pointer collective;
    {
      const std::scoped_lock lock(mutex_);
      if (failed_.empty()) return;
      collective = std::move(failed_.back());
      failed_.pop_back();
      --open_count;
      if (!std::holds_alternative<mpi::PersistentRequest>(collective->request) || !collective->is_known)
        forget(collective);
    }
    std::visit([](auto& request) { request.wait(); }, collective->request);
  }
}

// ---- the list

OpenCollectives::Pointer OpenCollectives::make(const Owner& comm, std::vector<MPI_Datatype> types,
                                               MPI_Op op) {
  auto collective = std::make_shared<Collective>();
  collective->comm = comm;
  collective->types = std::move(types);
  collective->op = op;
  return collective;
}

void OpenCollectives::open(Pointer collective) {
  open_.push_back(std::move(collective));
  ++open_count;
  open_count.notify_all();
}

void OpenCollectives::forget(const Pointer& collective) {
  spare_tags_.push_back(collective->tag);
  collective->types.clear();
  collective->op = MPI_OP_NULL;
  --count;
  free_unused();
}

template <class Uses>
bool OpenCollectives::is_used(const Uses& uses) const {
  const auto uses_it = [&](const Pointer& collective) { return uses(*collective); };
  return std::ranges::any_of(open_, uses_it) || std::ranges::any_of(failed_, uses_it) ||
         std::ranges::any_of(persistent_, [&](const auto& entry) { return uses_it(entry.second); });
}

void OpenCollectives::free_unused() {
  std::erase_if(unused_types_, [this](MPI_Datatype type) {
    if (is_used([=](const Collective& user) { return std::ranges::count(user.types, type) > 0; }))
      return false;
    PMPI_Type_free(&type);
    return true;
  });
  std::erase_if(unused_ops_, [this](MPI_Op op) {
    if (is_used([=](const Collective& user) { return user.op == op; })) return false;
    PMPI_Op_free(&op);
    return true;
  });
}

// ---- handles

void OpenCollectives::signal(const Collective& collective, int bytes) const {
  const std::byte byte{};
  PMPI_Send(&byte, bytes, MPI_BYTE, 0, collective.tag, self_);
}

int OpenCollectives::take_tag() {
  if (spare_tags_.empty()) return next_tag_++;
  const int tag = spare_tags_.back();
  spare_tags_.pop_back();
  return tag;
}

}  // namespace isotrope::pmpi
