// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs in SimGrid share: their frame, the contents of blocks, memory that ranks may share, the common start, and
// the largest value of all ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>
#include <string>
#include <string_view>
#include <time.h>
#include <vector>

#include <fmt/format.h>

namespace judge {

/// What rank `from` contributes for rank `to`, at byte i. Sums of a byte wrap around.
inline std::uint8_t content(int from, int to, std::uint64_t i) {
  return static_cast<std::uint8_t>(static_cast<std::uint64_t>(from) * 131 +
                                   static_cast<std::uint64_t>(to) * 29 + i * 7 + (i >> 8) * 13);
}

/// The sum of content() over `ranks` ranks: contents are linear in the rank.
inline std::uint8_t sum_of_contents(int ranks, int to, std::uint64_t i) {
  const auto count = static_cast<std::uint64_t>(ranks);
  return static_cast<std::uint8_t>(content(0, to, i) * count + 131 * (count * (count - 1) / 2));
}

/// Shares its memory with all others if smpirun runs with shared-malloc.
class Memory {
 public:
  explicit Memory(std::uint64_t bytes)
      : bytes_(static_cast<std::uint8_t*>(SMPI_SHARED_MALLOC(bytes == 0 ? 1 : bytes))) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { SMPI_SHARED_FREE(bytes_); }

  std::uint8_t* get() const { return bytes_; }

 private:
  std::uint8_t* bytes_;
};

/// Waits for the next whole thousand seconds and returns it. All ranks return then, a nanosecond late at most.
inline double meet() {
  constexpr double apart = 1000;
  const double now = MPI_Wtime(), instant = (std::floor(now / apart) + 1) * apart;
  const double left = instant - now, whole = std::floor(left);
  const timespec pause{static_cast<time_t>(whole), static_cast<long>((left - whole) * 1e9) + 1};
  smpi_nanosleep(&pause, nullptr);
  return instant;
}

/// The largest value of all ranks, on rank 0 alone. Message by message: collectives of SMPI call each other, and
/// so the one under trial.
inline double largest(double value) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    return value;
  }
  for (int from = 1; from < size; ++from) {
    double other = 0;
    MPI_Recv(&other, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = std::max(value, other);
  }
  return value;
}

/// Calls visit(bytes) for every number of "8,64,1024".
template <class Visit>
void for_each_size(std::string_view sizes, const Visit& visit) {
  while (!sizes.empty()) {
    const std::string bytes(sizes.substr(0, sizes.find(',')));
    sizes.remove_prefix(std::min(bytes.size() + 1, sizes.size()));
    visit(std::stoull(bytes));
  }
}

/// Prints the answer for one size. Rank 0 calls it.
inline void print_time(std::uint64_t bytes, double seconds, bool right) {
  fmt::print("{} {:.6f} {}\n", bytes, seconds * 1e6, right ? "right" : "wrong");
  std::fflush(stdout);
}

/// The main function of a program: body(arguments) between MPI_Init and MPI_Finalize. Returns 1 after an exception.
template <class Body>
int run_program(const char* name, int argc, char* argv[], const Body& body) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    body(std::vector<std::string>(argv, argv + argc));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    code = 1;
  }
  MPI_Finalize();
  return code;
}

}  // namespace judge
