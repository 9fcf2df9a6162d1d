// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures an allreduce of doubles in SimGrid's simulated time, plain or reproducible, and compares the bits of the
// reproducible one with those of the serial function on every rank. Measured as in judge.cpp.
//
//     smpirun ... simgrid_reproducible.so plain|reproducible NETWORK BYTES,BYTES,...
//     65536 694.08 right            output: the vector in bytes, simulated microseconds, whether the bits were right
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/sum/reproducible_sum.hpp"

#include "bench/simgrid/measure.hpp"
#include "isotrope/mpi/communicator.hpp"

namespace {

// Numbers of both signs and of about ten binary orders.
double contribution(int rank, std::uint64_t i) {
  isotrope::SplitMix random(static_cast<std::uint64_t>(rank) << 40 | i);
  const double fraction = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
  return fraction * static_cast<double>(std::uint64_t{1} << random.below(10));
}

// The bits of the serial sums, in pieces: all contributions of a piece are in memory at once.
bool has_right_bits(const std::vector<double>& got, int ranks) {
  constexpr std::uint64_t most = 4096;
  const auto contributions = static_cast<std::uint64_t>(ranks);
  const isotrope::sum::ReproducibleSum sum(isotrope::sum::Real::binary64, contributions);
  for (std::uint64_t begin = 0; begin < got.size(); begin += most) {
    const std::uint64_t count = std::min<std::uint64_t>(most, got.size() - begin);
    std::vector<double> blocks, wanted(count);
    for (int rank = 0; rank < ranks; ++rank) {
      for (std::uint64_t i = 0; i < count; ++i) blocks.push_back(contribution(rank, begin + i));
    }
    sum.fold(reinterpret_cast<const std::byte*>(blocks.data()), count,
             reinterpret_cast<std::byte*>(wanted.data()));
    if (std::memcmp(&got[begin], wanted.data(), count * sizeof(double)) != 0) return false;
  }
  return true;
}

void time_sizes(bool is_reproducible, const std::string& network, std::string_view sizes) {
  isotrope::mpi::CommunicatorOptions options;
  options.reproducible = is_reproducible;
  isotrope::mpi::Communicator comm(MPI_COMM_WORLD, isotrope::network::parse(network), options);
  judge::for_each_size(sizes, [&](std::uint64_t bytes) {
    std::vector<double> own(bytes / sizeof(double)), got(own.size());
    for (std::uint64_t i = 0; i < own.size(); ++i) own[i] = contribution(comm.rank(), i);
    const auto count = static_cast<MPI_Count>(own.size());
    comm.allreduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_SUM);  // planning does not count
    const double start = judge::meet();
    const int code = comm.allreduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_SUM);
    const double seconds = judge::largest(MPI_Wtime() - start);
    // All ranks have the same bits: one checks them, the others compare a checksum.
    std::uint64_t checksum = 0;
    for (const double value : got) checksum = std::rotl(checksum, 7) ^ std::bit_cast<std::uint64_t>(value);
    std::uint64_t first = checksum;
    comm.broadcast(&first, 1, MPI_UINT64_T, 0);
    const bool right = code == MPI_SUCCESS && first == checksum &&
                       (!is_reproducible || comm.rank() != 0 || has_right_bits(got, comm.size()));
    const bool all_right = judge::largest(right ? 0 : 1) == 0;
    if (comm.rank() == 0) judge::print_time(bytes, seconds, all_right);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  return judge::run_program("reproducible", argc, argv, [](const std::vector<std::string>& arguments) {
    if (arguments.size() != 4) throw std::runtime_error("arguments: plain|reproducible NETWORK BYTES,...");
    time_sizes(arguments[1] == "reproducible", arguments[2], arguments[3]);
  });
}
