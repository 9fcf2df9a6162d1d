// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines MPI functions that replace those of the MPI library, and finds the replaced ones.
//
//     INTERPOSE(Barrier, (MPI_Comm comm), barrier(next, comm))
//
// defines MPI_Barrier and PMPI_Barrier; in the expression, `next` is the replaced function of the same name.
// Both names are needed: the Fortran bindings of Open MPI call PMPI_Barrier while those of MPICH call
// MPI_Barrier, and a profiler that is loaded before this library calls PMPI_Barrier.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

namespace isotrope::pmpi {

/// The function of that name in the libraries loaded after this one. Ends the program if there is none.
template <class Function>
Function next_function(const char* name) {
  void* address = dlsym(RTLD_NEXT, name);
  if (address == nullptr) {
    std::fprintf(
        stderr,
        "isotrope: no %s in the libraries loaded after libisotrope_pmpi.so: link the program with MPI\n",
        name);
    std::abort();
  }
  return reinterpret_cast<Function>(address);
}

/// Marks this thread as inside a call that the drop-in serves or passes on. Calls that the runtime and the MPI
/// library make meanwhile are their own and are passed on: MPI_Bcast -> isotrope -> MPI_Bcast -> library.
class ReentryGuard {
 public:
  ReentryGuard() { ++depth; }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;
  ~ReentryGuard() { --depth; }

  /// Whether a guard exists on this thread.
  static bool is_active() { return depth > 0; }

 private:
  [[gnu::tls_model("initial-exec")]] static inline thread_local int depth = 0;
};

}  // namespace isotrope::pmpi

// NOLINTBEGIN(bugprone-macro-parentheses): parameters and namespaces are no expressions
#define INTERPOSE_NAME(function, parameters, call)                                                     \
  extern "C" __attribute__((visibility("default"))) int function parameters {                          \
    static constinit std::atomic<decltype(&function)> found = nullptr;                                 \
    auto* next = found.load(std::memory_order_relaxed);                                                \
    if (next == nullptr) found = next = isotrope::pmpi::next_function<decltype(&function)>(#function); \
    return call;                                                                                       \
  }

#define INTERPOSE(name, parameters, call)      \
  INTERPOSE_NAME(MPI_##name, parameters, call) \
  INTERPOSE_NAME(PMPI_##name, parameters, call)

// INTERPOSE for a function whose counts have the type Count, and lists of places the type Displacement: int, and since
// MPI 4 also MPI_Count and MPI_Aint (MPI_Bcast_c beside MPI_Bcast).
namespace isotrope::pmpi {
namespace of_int {
using Count = int;
using Displacement = int;
}  // namespace of_int
namespace of_count {
using Count = MPI_Count;
using Displacement = MPI_Aint;
}  // namespace of_count
}  // namespace isotrope::pmpi
#define INTERPOSE_IN(space, name, parameters, call) \
  namespace space {                                 \
  INTERPOSE(name, parameters, call)                 \
  }
#if MPI_VERSION >= 4
#define INTERPOSE_COUNTED(name, parameters, call) \
  INTERPOSE_IN(of_int, name, parameters, call)    \
  INTERPOSE_IN(of_count, name##_c, parameters, call)
#else
#define INTERPOSE_COUNTED(name, parameters, call) INTERPOSE_IN(of_int, name, parameters, call)
#endif

// INTERPOSE and INTERPOSE_COUNTED for a function that makes a persistent collective: of MPI 4, or of Open MPI's
// extension, which has the prefix MPIX and no large counts. Defines nothing if the MPI library has neither.
#if MPI_VERSION >= 4
#define INTERPOSE_INIT(name, parameters, call) INTERPOSE(name##_init, parameters, call)
#define INTERPOSE_COUNTED_INIT(name, parameters, call) INTERPOSE_COUNTED(name##_init, parameters, call)
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define INTERPOSE_INIT(name, parameters, call)         \
  INTERPOSE_NAME(MPIX_##name##_init, parameters, call) \
  INTERPOSE_NAME(PMPIX_##name##_init, parameters, call)
#define INTERPOSE_COUNTED_INIT(name, parameters, call) \
  namespace of_int {                                   \
  INTERPOSE_INIT(name, parameters, call)               \
  }
#else
#define INTERPOSE_INIT(name, parameters, call)
#define INTERPOSE_COUNTED_INIT(name, parameters, call)
#endif
// NOLINTEND(bugprone-macro-parentheses)
