// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nonblocking and persistent collectives of this process, of all communicators, and the handles of the program.
//
// A handle is a request of the MPI library: a receive without data from this rank itself, on a communicator and with
// a tag that nothing else uses. When the collective is complete, the drop-in sends the message. So every function of
// MPI for requests works on the handle as it is, in every language.
//
// All open collectives advance together in every call of the program that the drop-in sees (progress.cpp): a rank may
// wait for one while another rank needs the progress of a different one.
//
// A collective keeps what it needs: its communicator, though the program may free that
// while the collective is open, and the datatypes and the operation, whose MPI_Type_free and MPI_Op_free wait for it.
//
// Errors go to the error handler of the communicator in the next call of the program. The handle of a nonblocking
// collective that failed gets one byte more than it has room for, so waiting for it returns an error too.
//
// Threads may open and advance collectives at once: a thread that finds another one advancing does not wait for it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <variant>
#include <vector>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/mpi/progress_engine.hpp"
#include "isotrope/mpi/request.hpp"

namespace isotrope::pmpi {

class OpenCollectives final : public mpi::ProgressEngine {
 public:
  /// Whether a collective is open, or has failed and its error has not been reported.
  static bool any() { return open_count.load(std::memory_order_relaxed) > 0; }
  /// Whether a collective exists: it is open or persistent.
  static bool exist() { return count.load(std::memory_order_relaxed) > 0; }
  /// Blocks until any(), or between wake() and woken().
  static void wait_for_any() { open_count.wait(0); }
  /// Ends the waiting of other threads for ever: any() holds from now on.
  static void wake() {
    ++open_count;
    open_count.notify_all();
  }
  static void woken() { --open_count; }

  /// @param self has this rank alone and returns errors; nothing else sends or receives there
  void begin(MPI_Comm self) { self_ = self; }

  /// The communicator of a collective, as long as the collective needs it.
  using Owner = std::shared_ptr<mpi::Communicator>;

  /// Starts a nonblocking collective. @returns the code of MPI; errors have been reported
  int open(const Owner& comm, const mpi::Arguments& arguments, MPI_Request* handle);
  int open(const Owner& comm, const mpi::VectorArguments& arguments, MPI_Request* handle);
  /// Prepares a persistent collective. All ranks of `comm`, which serves nothing else, must call this.
  int prepare(const Owner& comm, const mpi::Arguments& arguments, MPI_Request* handle);
  int prepare(const Owner& comm, const mpi::VectorArguments& arguments, MPI_Request* handle);
  /// Starts a persistent collective whose handle MPI_Start has made active. Ignores other handles.
  /// @param before the handle before MPI_Start, which may change it
  /// @returns the code of MPI; errors have been reported
  int start(MPI_Request before, MPI_Request handle);
  /// Forgets a persistent collective, when it is complete if it is open. Ignores other handles.
  void free(MPI_Request handle);
  /// Whether a datatype or an operation must live on. If so, it is freed when no collective uses it any more.
  bool postpones_type(MPI_Datatype type);
  bool postpones_op(MPI_Op op);

  /// Whether one of the handles is that of an open collective, about which MPI has nothing to say yet. Not if another thread is
  /// advancing them.
  bool is_open(const MPI_Request* handles, int handle_count);

  /// Advances all open collectives without blocking, unless another thread is doing so; then reports errors.
  void advance() override;
  /// The two parts of advance().
  void advance_silently();
  void report_failures();
  /// Waits until all open collectives are complete.
  void finish() {
    while (any()) advance();
  }

  // Blocking collectives are advanced by those who wait for them, alone.
  void add(mpi::Execution&) override {}
  void remove(mpi::Execution&) override {}
  bool has_others(const mpi::Execution*) const override { return any(); }

 private:
  struct Collective {
    Owner comm;
    std::variant<mpi::Request, mpi::PersistentRequest> request;
    MPI_Request handle = MPI_REQUEST_NULL;
    int tag = 0;  // of the handle
    std::vector<MPI_Datatype> types = {};
    MPI_Op op = MPI_OP_NULL;
    bool is_known = true;  // to the program: it has not freed the handle
  };
  using Pointer = std::shared_ptr<Collective>;

  template <class AnyArguments>
  int open_any(const Owner& comm, const AnyArguments& arguments, MPI_Request* handle);
  template <class AnyArguments>
  int prepare_any(const Owner& comm, const AnyArguments& arguments, MPI_Request* handle);
  static Pointer make(const Owner& comm, std::vector<MPI_Datatype> types, MPI_Op op);
  void open(Pointer collective);
  void complete(const Pointer& collective);
  void forget(const Pointer& collective);
  template <class Uses>
  bool is_used(const Uses& uses) const;
  void free_unused();
  void signal(const Collective& collective, int bytes) const;
  int take_tag();

  static inline std::atomic<int> open_count = 0, count = 0;

  MPI_Comm self_ = MPI_COMM_NULL;
  std::mutex mutex_;  // of all below
  std::vector<Pointer> open_, failed_;
  std::map<MPI_Request, Pointer> persistent_;
  std::vector<int> spare_tags_;
  int next_tag_ = 0;
  std::vector<MPI_Datatype> unused_types_;  // that the program has freed
  std::vector<MPI_Op> unused_ops_;
};

}  // namespace isotrope::pmpi
