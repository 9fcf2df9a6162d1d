// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures a collective with blocks of unequal sizes in SimGrid's simulated time, and checks the received data.
//
//     smpirun ... simgrid_unequal.so NETWORK COLLECTIVE TRAFFIC MEAN SEED
//     1024.5 2100.1 1000.0 right      output: simulated microseconds of Isotrope and of MPI_*, the bound (us), the data
//
// COLLECTIVE is alltoallv, allgatherv or reduce_scatter; MEAN, in bytes, the mean over all pairs of ranks, or over ranks.
//
//     uniform                all alike
//     zipf-row, zipf-column  1, 1/2, 1/3, ... in a random order of each row; columns in one order for all rows
//     hot-receiver, -sender  one column, or row, has N - 2 times the bytes
//     sparse, permutation    one pair of twenty, and one destination per rank
//     experts                a mixture of experts: tokens of 4 KiB go to the best two of 64 experts, of popularity 1/rank
//     single, quarter        of allgatherv and reduce_scatter: one rank holds half; a quarter of the ranks holds all
//
// The call begins on all ranks at one instant and ends with the last rank, as in judge.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/unequal_blocks.hpp"

#include "bench/simgrid/measure.hpp"
#include "isotrope/mpi/communicator.hpp"

namespace {

using isotrope::SplitMix;
using judge::content;

using Sizes = std::vector<std::vector<double>>;

double unit(SplitMix& random) {
  return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

std::vector<std::size_t> shuffled(std::size_t count, SplitMix& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

// The two experts with the largest popularity plus Gumbel noise.
std::vector<std::size_t> best_experts(const std::vector<double>& popularity, SplitMix& random) {
  std::vector<std::pair<double, std::size_t>> drawn;
  for (std::size_t expert = 0; expert < popularity.size(); ++expert)
    drawn.emplace_back(std::log(popularity[expert]) - std::log(-std::log(unit(random))), expert);
  std::ranges::partial_sort(drawn, drawn.begin() + 2, std::greater<>());
  return {drawn[0].second, drawn[1].second};
}

Sizes experts_traffic(std::size_t ranks, double mean, SplitMix& random) {
  constexpr std::size_t experts = 64;
  std::vector<double> popularity(experts);
  const std::vector<std::size_t> order = shuffled(experts, random);
  for (std::size_t i = 0; i < experts; ++i) popularity[order[i]] = 1.0 / static_cast<double>(i + 1);
  constexpr double token = 4096;
  const auto tokens = std::max(1L, std::lround(mean * static_cast<double>(ranks - 1) / token / 2));
  Sizes result(ranks, std::vector<double>(ranks, 0));
  for (auto& row : result) {
    for (long i = 0; i < tokens; ++i) {
      for (const std::size_t expert : best_experts(popularity, random)) row[expert % ranks] += token;
    }
  }
  return result;
}

Sizes shape_of(const std::string& traffic, std::size_t ranks, double mean, SplitMix& random) {
  if (traffic == "experts") return experts_traffic(ranks, mean, random);
  Sizes result(ranks, std::vector<double>(ranks, 1));
  const std::vector<std::size_t> columns = shuffled(ranks, random);
  const double hot = static_cast<double>(ranks) - 2;
  for (std::size_t i = 0; i < ranks; ++i) {
    std::vector<double>& row = result[i];
    const std::vector<std::size_t> order = shuffled(ranks, random);
    for (std::size_t j = 0; j < ranks; ++j) {
      if (traffic == "zipf-row") row[order[j]] = 1.0 / static_cast<double>(j + 1);
      if (traffic == "zipf-column") row[columns[j]] = (0.5 + unit(random)) / static_cast<double>(j + 1);
      if (traffic == "hot-receiver") row[j] = j == 3 ? hot : 1;
      if (traffic == "hot-sender") row[j] = i == 3 ? hot : 1;
      if (traffic == "sparse") row[j] = random.below(20) == 0 ? 1 : 0;
      if (traffic == "permutation") row[j] = columns[i] == j ? 1 : 0;
    }
  }
  return result;
}

// Whole bytes with that mean over pairs of different ranks; nothing for the rank itself.
std::vector<std::vector<std::uint64_t>> scaled(const Sizes& shape, double mean) {
  double sum = 0;
  const std::size_t ranks = shape.size();
  for (std::size_t i = 0; i < ranks; ++i) {
    for (std::size_t j = 0; j < ranks; ++j) sum += i == j ? 0 : shape[i][j];
  }
  const double factor = mean * static_cast<double>(ranks * (ranks - 1)) / sum;
  std::vector<std::vector<std::uint64_t>> result(ranks, std::vector<std::uint64_t>(ranks, 0));
  for (std::size_t i = 0; i < ranks; ++i) {
    for (std::size_t j = 0; j < ranks; ++j)
      result[i][j] = i == j ? 0 : static_cast<std::uint64_t>(shape[i][j] * factor);
  }
  return result;
}

std::vector<std::uint64_t> block_sizes(const std::string& traffic, std::size_t ranks, double mean,
                                       SplitMix& random) {
  std::vector<double> shape(ranks, 1);
  const std::vector<std::size_t> order = shuffled(ranks, random);
  for (std::size_t i = 0; i < ranks; ++i) {
    if (traffic == "zipf-row") shape[order[i]] = 1.0 / static_cast<double>(i + 1);
    if (traffic == "single") shape[order[i]] = i == 0 ? static_cast<double>(ranks) - 1 : 1;
    if (traffic == "quarter") shape[order[i]] = i < ranks / 4 ? 1 : 0;
  }
  const double sum = std::accumulate(shape.begin(), shape.end(), 0.0);
  std::vector<std::uint64_t> result;
  for (const double share : shape)
    result.push_back(static_cast<std::uint64_t>(share / sum * mean * static_cast<double>(ranks)));
  return result;
}

// Counts and places of blocks one after the other, as MPI takes them.
struct List {
  std::vector<int> counts, places;
  std::vector<MPI_Count> long_counts;
  std::vector<MPI_Aint> long_places;
  std::size_t bytes = 0;

  explicit List(const std::vector<std::uint64_t>& sizes) {
    for (const std::uint64_t size : sizes) {
      counts.push_back(static_cast<int>(size));
      places.push_back(static_cast<int>(bytes));
      long_counts.push_back(static_cast<MPI_Count>(size));
      long_places.push_back(static_cast<MPI_Aint>(bytes));
      bytes += size;
    }
  }
};

class Trial {
 public:
  Trial(isotrope::mpi::Communicator& comm, std::string collective,
        const std::vector<std::vector<std::uint64_t>>& pairs, const std::vector<std::uint64_t>& blocks)
      : comm_(comm),
        collective_(std::move(collective)),
        rank_(static_cast<std::size_t>(comm.rank())),
        sent_(collective_ == "alltoallv" ? pairs[rank_] : blocks),
        received_(collective_ == "alltoallv" ? column(pairs, rank_) : blocks),
        send_(sent_.bytes + 1),
        receive_(received_.bytes + 1) {}

  double run(bool by_isotrope) {
    for (std::size_t block = 0; block < sent_.counts.size(); ++block) {
      for (int i = 0; i < sent_.counts[block]; ++i) {
        send_[static_cast<std::size_t>(sent_.places[block] + i)] =
            content(comm_.rank(), to(block), static_cast<std::uint64_t>(i));
      }
    }
    std::ranges::fill(receive_, std::uint8_t{0xEE});
    const double start = judge::meet();
    if ((by_isotrope ? isotrope_call() : library_call()) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
    const double seconds = MPI_Wtime() - start;
    return judge::largest(seconds);
  }

  bool right() const {
    if (collective_ == "reduce_scatter") {
      for (int i = 0; i < sent_.counts[rank_]; ++i) {
        if (receive_[static_cast<std::size_t>(i)] !=
            judge::sum_of_contents(comm_.size(), comm_.rank(), static_cast<std::uint64_t>(i)))
          return false;
      }
      return true;
    }
    for (std::size_t from = 0; from < received_.counts.size(); ++from) {
      for (int i = 0; i < received_.counts[from]; ++i) {
        if (receive_[static_cast<std::size_t>(received_.places[from] + i)] !=
            content(static_cast<int>(from), collective_ == "allgatherv" ? 0 : comm_.rank(),
                    static_cast<std::uint64_t>(i)))
          return false;
      }
    }
    return true;
  }

 private:
  static std::vector<std::uint64_t> column(const std::vector<std::vector<std::uint64_t>>& pairs,
                                           std::size_t to) {
    std::vector<std::uint64_t> result;
    for (const auto& row : pairs) result.push_back(row[to]);
    return result;
  }
  int to(std::size_t block) const { return collective_ == "allgatherv" ? 0 : static_cast<int>(block); }
  // Of an allgather, this rank's block: the others of the list are not sent.
  const std::uint8_t* own() const { return send_.data() + sent_.places[rank_]; }

  int isotrope_call() {
    if (collective_ == "alltoallv") {
      return comm_.alltoallv(send_.data(), sent_.long_counts.data(), sent_.long_places.data(), MPI_BYTE,
                             receive_.data(), received_.long_counts.data(), received_.long_places.data(),
                             MPI_BYTE);
    }
    if (collective_ == "allgatherv") {
      return comm_.allgatherv(own(), sent_.counts[rank_], MPI_BYTE, receive_.data(),
                              received_.long_counts.data(), received_.long_places.data(), MPI_BYTE);
    }
    return comm_.reduce_scatter(send_.data(), receive_.data(), sent_.long_counts.data(), MPI_UINT8_T,
                                MPI_SUM);
  }
  int library_call() {
    if (collective_ == "alltoallv") {
      return MPI_Alltoallv(send_.data(), sent_.counts.data(), sent_.places.data(), MPI_BYTE, receive_.data(),
                           received_.counts.data(), received_.places.data(), MPI_BYTE, MPI_COMM_WORLD);
    }
    if (collective_ == "allgatherv") {
      return MPI_Allgatherv(own(), sent_.counts[rank_], MPI_BYTE, receive_.data(), received_.counts.data(),
                            received_.places.data(), MPI_BYTE, MPI_COMM_WORLD);
    }
    return MPI_Reduce_scatter(send_.data(), receive_.data(), sent_.counts.data(), MPI_UINT8_T, MPI_SUM,
                              MPI_COMM_WORLD);
  }

  isotrope::mpi::Communicator& comm_;
  std::string collective_;
  std::size_t rank_;
  List sent_, received_;
  std::vector<std::uint8_t> send_, receive_;
};

void measure(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6) throw std::runtime_error("arguments: NETWORK COLLECTIVE TRAFFIC MEAN SEED");
  const auto network = isotrope::network::parse_named(arguments[1]);
  const std::string &collective = arguments[2], &traffic = arguments[3];
  const double mean = std::stod(arguments[4]);
  const std::size_t ranks = network.network.order();
  SplitMix random(std::stoull(arguments[5]));
  std::vector<std::vector<std::uint64_t>> pairs;
  std::vector<std::uint64_t> blocks;
  if (collective == "alltoallv") {
    pairs = scaled(shape_of(traffic, ranks, mean, random), mean);
  } else {
    blocks = block_sizes(traffic, ranks, mean, random);
  }
  isotrope::mpi::Communicator comm(MPI_COMM_WORLD, network);
  Trial trial(comm, collective, pairs, blocks);
  trial.run(true);  // makes tables and trees
  const double own = trial.run(true);
  const bool right = judge::largest(trial.right() ? 0 : 1) == 0;
  const double library = trial.run(false);
  if (comm.rank() != 0) return;
  const isotrope::network::SurvivingNetwork survivors(network.network, network.lacks);
  const auto bound = collective == "alltoallv" ? isotrope::bound::exchange_bound(survivors, pairs)
                                               : isotrope::bound::gathering_bound(survivors, blocks);
  fmt::print("{:.3f} {:.3f} {:.3f} {} {}\n", own * 1e6, library * 1e6, bound.link_bytes / 1e3 + 1,
             bound.reason, right ? "right" : "wrong");
}

}  // namespace

int main(int argc, char* argv[]) {
  return judge::run_program("unequal", argc, argv, measure);
}
