// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Decomposition of task matrices: cells per second, including construction of the matrix unless stated otherwise.
#include <bit>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace {

using isotrope::algorithm::TaskMatrix;

// Total exchange on a hypercube: row t - 1 has its ones where t has one bits.
TaskMatrix hypercube_exchange(std::uint32_t dimension) {
  const std::uint32_t nodes = std::uint32_t{1} << dimension;
  TaskMatrix matrix(dimension);
  matrix.reserve(nodes - 1, std::uint64_t{dimension} * nodes / 2);
  for (std::uint32_t t = 1; t < nodes; ++t) {
    for (std::uint32_t bits = t; bits != 0; bits &= bits - 1) {
      matrix.add(static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
    matrix.close_row();
  }
  return matrix;
}

// Total exchange on a torus of three axes by shortest routes; packets half-way round go either way in turn.
TaskMatrix torus_exchange(std::uint32_t extent) {
  TaskMatrix matrix(6);
  std::uint32_t ties[3] = {};
  for (std::uint32_t t = 1; t < extent * extent * extent; ++t) {
    const std::uint32_t coordinates[] = {t / extent / extent, t / extent % extent, t % extent};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t x = coordinates[axis];
      const bool forward = 2 * x < extent || (2 * x == extent && ties[axis]++ % 2 == 0);
      matrix.add(2 * axis + (forward ? 0 : 1), forward ? x : extent - x);
    }
    matrix.close_row();
  }
  return matrix;
}

// 64 columns; 32 entries per row in random columns, of 1 to `largest` each.
TaskMatrix random_matrix(std::uint32_t rows, std::uint32_t largest) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> columns(64);
  for (std::uint32_t c = 0; c < 64; ++c) columns[c] = c;
  TaskMatrix matrix(64);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t i = 0; i < 32; ++i) {
      std::swap(columns[i], columns[i + random() % (64 - i)]);
      matrix.add(columns[i], 1 + static_cast<std::uint32_t>(random() % largest));
    }
    matrix.close_row();
  }
  return matrix;
}

void decompose(benchmark::State& state, const TaskMatrix& matrix, std::uint32_t k) {
  const auto result = isotrope::algorithm::decompose(matrix, k);
  if (result.size() != isotrope::algorithm::least_rounds(matrix, k)) state.SkipWithError("too many rounds");
  state.counters["cells"] = static_cast<double>(result.cells().size());
}

void hypercube(benchmark::State& state) {
  for (auto _ : state) {
    decompose(state, hypercube_exchange(static_cast<std::uint32_t>(state.range(0))),
              static_cast<std::uint32_t>(state.range(1)));
  }
}

void hypercube_matrix(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(hypercube_exchange(static_cast<std::uint32_t>(state.range(0))));
  }
}

void torus(benchmark::State& state) {
  for (auto _ : state) decompose(state, torus_exchange(static_cast<std::uint32_t>(state.range(0))), 6);
}

// Without the making of the matrix.
void random_rows(benchmark::State& state) {
  const TaskMatrix matrix = random_matrix(200000, static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) decompose(state, matrix, static_cast<std::uint32_t>(state.range(1)));
}

BENCHMARK(hypercube)->Args({20, 20})->Args({20, 7})->Args({20, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(hypercube_matrix)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(torus)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK(random_rows)->Args({1, 64})->Args({3, 64})->Args({1, 9})->Unit(benchmark::kMillisecond);

}  // namespace
