// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/failure.hpp"

#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace isotrope::mpi {
namespace {

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) return fmt::format("MPI error {}", code);
  return {text.data(), static_cast<std::size_t>(length)};
}

// Returns a new code of that class with that text, or the class itself if MPI has no code left. SMPI takes
// the text as a char*.
int added_code(int error_class, std::string text) {
  int code = error_class;
  if (MPI_Add_error_code(error_class, &code) != MPI_SUCCESS) return error_class;
  return MPI_Add_error_string(code, text.data()) == MPI_SUCCESS ? code : error_class;
}

// MPI keeps every added code until it ends, so equal messages share a code. MPICH (4.0) keeps texts only for
// codes of added classes; then the text is worth more than the predefined class.
int code_of(int error_class, const std::string& message) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::string>, int> codes;
  static int own_class = MPI_SUCCESS;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = codes.try_emplace({error_class, message}, error_class);
  if (!is_new) return entry->second;
  const std::string text = message.substr(0, MPI_MAX_ERROR_STRING - 1);
  entry->second = added_code(error_class, text);
  if (text_of(entry->second) == text) return entry->second;
  if (own_class == MPI_SUCCESS && MPI_Add_error_class(&own_class) != MPI_SUCCESS) return entry->second;
  entry->second = added_code(own_class, text);
  return entry->second;
}

bool ends_the_job(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  bool ends = handler == MPI_ERRORS_ARE_FATAL;
#if MPI_VERSION >= 4
  ends = ends || handler == MPI_ERRORS_ABORT;
#endif
  MPI_Errhandler_free(&handler);
  return ends;
}

}  // namespace

Failure::Failure(int error_class, const std::string& message)
    : Error("isotrope: " + message), code_(code_of(error_class, "isotrope: " + message)) {}

void require_success(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  int error_class = MPI_ERR_OTHER;
  MPI_Error_class(code, &error_class);
  throw Failure(error_class, fmt::format("{}: {}", doing, text_of(code)));
}

int raise(int code, MPI_Comm comm) {
  if (ends_the_job(comm)) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    fmt::print(stderr, "rank {}: {}\n", rank, text_of(code));
  }
  MPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace isotrope::mpi
