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

std::string mpi_text(int code) {
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

// The codes of messages. MPI keeps every added code until it ends, so equal messages share a code. MPICH (4.0) keeps
// texts only for codes of added classes; then the code is the class itself, and this object keeps the latest message of
// each class. So it is with the messages after the first 256.
class Messages {
 public:
  static Messages& of_process() {
    static Messages messages;
    return messages;
  }

  int code_of(int error_class, const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (codes_.size() >= most_codes && !codes_.contains({error_class, message})) {
      latest_[error_class] = message;
      return error_class;
    }
    const auto [entry, is_new] = codes_.try_emplace({error_class, message}, error_class);
    if (is_new) {
      const std::string text = message.substr(0, MPI_MAX_ERROR_STRING - 1);
      const int code = added_code(error_class, text);
      if (mpi_text(code) == text) entry->second = code;
    }
    if (entry->second == error_class) latest_[error_class] = message;
    return entry->second;
  }
  /// The message of a code that code_of() has returned, or what MPI says of another code.
  std::string text_of(int code) {
    const std::lock_guard lock(mutex_);
    const auto kept = latest_.find(code);
    return kept == latest_.end() ? mpi_text(code) : kept->second;
  }

 private:
  static constexpr std::size_t most_codes = 256;

  std::mutex mutex_;
  std::map<std::pair<int, std::string>, int> codes_;
  std::map<int, std::string> latest_;
};

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
    : Error(message), code_(Messages::of_process().code_of(error_class, "isotrope: " + message)) {}

std::string text_of(int code) {
  return Messages::of_process().text_of(code);
}

void require_success(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  int error_class = MPI_ERR_OTHER;
  MPI_Error_class(code, &error_class);
  throw Failure(error_class, fmt::format("{}: {}", doing, mpi_text(code)));
}

int raise(int code, MPI_Comm given) {
  MPI_Comm comm = given == MPI_COMM_NULL ? MPI_COMM_WORLD : given;
  if (ends_the_job(comm)) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    fmt::print(stderr, "rank {}: {}\n", rank, text_of(code));
  }
  MPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace isotrope::mpi
