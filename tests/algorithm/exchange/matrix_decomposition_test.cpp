// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

using Dense = std::vector<std::vector<std::uint32_t>>;  // by row, then column

TaskMatrix sparse(const Dense& dense, std::uint32_t columns) {
  TaskMatrix result(columns);
  for (const auto& row : dense) {
    for (std::uint32_t column = 0; column < row.size(); ++column) result.add(column, row[column]);
    result.close_row();
  }
  return result;
}

// max(h, ceil(total / k)), from the definition.
std::uint64_t bound(const Dense& dense, std::uint64_t k) {
  std::uint64_t total = 0, largest = 0;
  std::vector<std::uint64_t> columns;
  for (const auto& row : dense) {
    const std::uint64_t sum = std::accumulate(row.begin(), row.end(), std::uint64_t{0});
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) columns[column] += row[column];
    largest = std::max(largest, sum);
    total += sum;
  }
  for (std::uint64_t sum : columns) largest = std::max(largest, sum);
  return std::max(largest, (total + k - 1) / k);
}

// What is wrong with the rounds: "" where each has 1 to k cells, no two of them in a line, and together they
// are the matrix.
std::string fault(Dense dense, std::uint32_t k, const Decomposition& rounds) {
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    std::vector<std::uint32_t> rows, columns;
    for (const MatrixCell cell : rounds.round(t)) {
      if (cell.row >= dense.size() || cell.column >= dense[cell.row].size()) return "a cell outside";
      if (dense[cell.row][cell.column]-- == 0)
        return fmt::format("({}, {}) too often", cell.row, cell.column);
      rows.push_back(cell.row);
      columns.push_back(cell.column);
    }
    if (rows.empty() || rows.size() > k) return fmt::format("round {} of {} cells", t, rows.size());
    for (auto* lines : {&rows, &columns}) {
      std::sort(lines->begin(), lines->end());
      if (std::adjacent_find(lines->begin(), lines->end()) != lines->end()) {
        return fmt::format("round {} uses a line twice", t);
      }
    }
  }
  for (const auto& row : dense) {
    if (std::any_of(row.begin(), row.end(), [](std::uint32_t left) { return left != 0; }))
      return "cells left";
  }
  return "";
}

// Decomposes with every k up to one more than the number of columns.
void check(const Dense& dense, std::uint32_t columns) {
  const TaskMatrix matrix = sparse(dense, columns);
  for (std::uint32_t k = 1; k <= columns + 1; ++k) {
    const Decomposition rounds = decompose(matrix, k);
    ASSERT_EQ(rounds.size(), bound(dense, k)) << testing::PrintToString(dense) << " " << k;
    ASSERT_EQ(least_rounds(matrix, k), rounds.size());
    ASSERT_EQ(fault(dense, k, rounds), "") << testing::PrintToString(dense) << " " << k;
  }
}

// Varvarigos and Bertsekas, Fig. 2.
const Dense figure_2{{1, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 0, 1}, {1, 0, 1, 1}, {0, 1, 0, 1}};

TEST(TaskMatrix, has_the_sums_of_its_lines) {
  const TaskMatrix matrix = sparse(figure_2, 4);
  EXPECT_EQ(matrix.rows(), 5);
  EXPECT_THAT(matrix.column_sums(), ElementsAre(3, 2, 3, 5));
  EXPECT_EQ(matrix.critical_sum(), 5);
  EXPECT_EQ(matrix.total_sum(), 13);
  EXPECT_EQ(sparse({{4, 1}, {2, 0}}, 2).critical_sum(), 6);
  EXPECT_EQ(sparse({{4, 4}, {2, 0}}, 2).critical_sum(), 8);
}

TEST(TaskMatrix, adds_up_what_is_added_to_an_entry) {
  TaskMatrix matrix(3);
  matrix.add(2, 3);
  matrix.add(0, 0);
  matrix.add(2);
  matrix.close_row();

  EXPECT_EQ(matrix.critical_sum(), 4);
  EXPECT_EQ(fault({{0, 0, 4}}, 1, decompose(matrix, 3)), "");
}

TEST(TaskMatrix, refuses_a_column_it_does_not_have) {
  TaskMatrix matrix(4);
  EXPECT_THAT([&] { matrix.add(4); },
              ThrowsMessage<Error>(HasSubstr("column 4 of a task matrix with 4 columns")));
}

TEST(MatrixDecomposition, of_figure_2_of_the_paper) {
  const TaskMatrix matrix = sparse(figure_2, 4);
  EXPECT_EQ(least_rounds(matrix, 4), 5);
  EXPECT_EQ(least_rounds(matrix, 3), 5);
  EXPECT_EQ(least_rounds(matrix, 2), 7);
  EXPECT_EQ(least_rounds(matrix, 1), 13);
  check(figure_2, 4);
}

// Fig. 6: total exchange on a torus of 3 x 3.
TEST(MatrixDecomposition, of_figure_6_of_the_paper) {
  const Dense torus{{0, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 0, 1, 0},
                    {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
  EXPECT_EQ(decompose(sparse(torus, 4), 4).size(), 3);
  EXPECT_EQ(decompose(sparse(torus, 4), 3).size(), 4);
  EXPECT_EQ(decompose(sparse(torus, 4), 2).size(), 6);
  check(torus, 4);
}

// Row 0 and column 1 are critical: every round takes (0, 1), or else (0, 0) and (1, 1).
TEST(MatrixDecomposition, has_no_choice_where_all_lines_are_critical) {
  const Decomposition rounds = decompose(sparse({{2, 1}, {0, 2}}, 2), 2);
  ASSERT_EQ(rounds.size(), 3);
  std::vector<std::vector<MatrixCell>> sorted;
  for (std::uint64_t t = 0; t < 3; ++t) {
    sorted.emplace_back(rounds.round(t).begin(), rounds.round(t).end());
    std::ranges::sort(sorted.back(), {}, &MatrixCell::row);
  }
  const std::vector<MatrixCell> both{{0, 0}, {1, 1}};
  EXPECT_THAT(sorted, UnorderedElementsAre(both, both, std::vector<MatrixCell>{{0, 1}}));
}

// The least number of rounds that clear each matrix of one shape with entries below `base`, by its number, of
// which entry (row, column) is digit row * columns + column.
class Search {
 public:
  Search(std::uint32_t rows, std::uint32_t columns, std::uint32_t base, std::uint32_t k)
      : rows_(rows), columns_(columns), base_(base) {
    std::uint64_t matrices = 1;
    for (std::uint32_t digit = 0; digit < rows * columns; ++digit) matrices *= base;
    rounds_.resize(matrices);
    add_choices(0, 0, k, 0, 0);
    for (std::uint64_t number = 1; number < matrices; ++number) rounds_[number] = 1 + rest(number);
  }

  std::span<const std::uint64_t> rounds() const { return rounds_; }
  Dense matrix(std::uint64_t number) const {
    Dense result(rows_, std::vector<std::uint32_t>(columns_));
    for (auto& row : result) {
      for (std::uint32_t& entry : row) {
        entry = static_cast<std::uint32_t>(number % base_);
        number /= base_;
      }
    }
    return result;
  }

 private:
  // What a round may take: a number to subtract, and the places of its digits 1 as bits.
  struct Choice {
    std::uint64_t number;
    std::uint32_t places;
  };

  void add_choices(std::uint32_t row, std::uint32_t columns, std::uint32_t k, std::uint64_t number,
                   std::uint32_t places) {
    if (row == rows_) {
      if (places != 0) choices_.push_back({number, places});
      return;
    }
    add_choices(row + 1, columns, k, number, places);
    for (std::uint32_t column = 0; k > 0 && column < columns_; ++column) {
      const std::uint32_t digit = row * columns_ + column;
      if ((columns >> column & 1) != 0) continue;
      add_choices(row + 1, columns | 1u << column, k - 1, number + power(digit), places | 1u << digit);
    }
  }

  std::uint64_t power(std::uint32_t digit) const {
    std::uint64_t result = 1;
    for (; digit > 0; --digit) result *= base_;
    return result;
  }

  std::uint64_t rest(std::uint64_t number) const {
    std::uint32_t positive = 0;
    for (std::uint32_t digit = 0; digit < rows_ * columns_; ++digit) {
      if (number / power(digit) % base_ != 0) positive |= 1u << digit;
    }
    std::uint64_t least = UINT64_MAX;
    for (const Choice choice : choices_) {
      if ((choice.places & ~positive) == 0) least = std::min(least, rounds_[number - choice.number]);
    }
    return least;
  }

  std::uint32_t rows_, columns_, base_;
  std::vector<Choice> choices_;
  std::vector<std::uint64_t> rounds_;
};

TEST(MatrixDecomposition, takes_the_least_rounds_of_an_exhaustive_search) {
  struct Shape {
    std::uint32_t rows, columns, base;
  };
  for (const Shape shape : {Shape{3, 3, 3}, Shape{4, 2, 3}, Shape{2, 4, 3}, Shape{4, 3, 2}}) {
    for (std::uint32_t k = 1; k <= shape.columns; ++k) {
      const Search search(shape.rows, shape.columns, shape.base, k);
      for (std::uint64_t number = 0; number < search.rounds().size(); ++number) {
        const Dense dense = search.matrix(number);
        const Decomposition rounds = decompose(sparse(dense, shape.columns), k);
        ASSERT_EQ(rounds.size(), search.rounds()[number]) << testing::PrintToString(dense) << " " << k;
        ASSERT_EQ(fault(dense, k, rounds), "") << testing::PrintToString(dense) << " " << k;
      }
    }
  }
}

struct Family {
  const char* name;
  std::uint32_t rows;     // at most
  std::uint32_t columns;  // at most
  std::uint32_t largest;  // entry
  std::uint32_t empty;    // percent of the entries that are 0
  std::uint32_t big;      // percent of the rows with an entry ten times the largest
};

class RandomMatrices : public testing::TestWithParam<Family> {};

TEST_P(RandomMatrices, take_the_least_rounds) {
  const auto [name, most_rows, most_columns, largest, empty, big] = GetParam();
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    const auto columns = 1 + static_cast<std::uint32_t>(random() % most_columns);
    Dense dense(1 + random() % most_rows, std::vector<std::uint32_t>(columns));
    for (auto& row : dense) {
      for (std::uint32_t& entry : row) {
        if (random() % 100 >= empty) entry = static_cast<std::uint32_t>(random() % (largest + 1));
      }
      if (random() % 100 < big) row[random() % columns] = 10 * largest;
    }
    ASSERT_NO_FATAL_FAILURE(check(dense, columns)) << name << " " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(MatrixDecomposition, RandomMatrices,
                         testing::Values(Family{"ones", 40, 12, 1, 50, 0}, Family{"sparse", 40, 12, 3, 90, 0},
                                         Family{"counts", 40, 12, 9, 30, 0},
                                         Family{"few rows", 6, 12, 5, 20, 0},
                                         Family{"few columns", 40, 3, 5, 20, 0},
                                         Family{"large rows", 15, 8, 4, 50, 60},
                                         Family{"many rows", 400, 6, 2, 40, 1}));

// The most bins there can be, 2k - 1: every row has 12 of the T = 23 rounds, so that no two share a bin.
TEST(MatrixDecomposition, of_rows_that_cannot_be_merged) {
  Dense dense(11, std::vector<std::uint32_t>(6));
  for (std::uint32_t row = 0; row < 11; ++row) {
    for (std::uint32_t column = 0; column < 6; ++column) dense[row][column] = 1 + (row + column) % 3;
  }
  ASSERT_EQ(bound(dense, 6), 23);
  check(dense, 6);
}

TEST(MatrixDecomposition, of_matrices_without_cells) {
  for (std::uint32_t k : {0u, 1u, 9u}) {
    EXPECT_EQ(decompose(TaskMatrix(0), k).size(), 0);
    EXPECT_EQ(decompose(TaskMatrix(3), k).size(), 0);
    EXPECT_EQ(decompose(sparse({{}, {}}, 0), k).size(), 0);
    EXPECT_EQ(decompose(sparse({{0, 0}, {0, 0}}, 2), k).cells().size(), 0);
  }
}

TEST(MatrixDecomposition, of_single_lines_and_entries) {
  check({{5}}, 1);
  check({{3, 0, 2, 7}}, 4);
  check({{3}, {0}, {2}, {7}}, 1);
  check({{0, 0}, {0, 2}, {0, 0}}, 2);
  check({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3);
  EXPECT_EQ(decompose(sparse({{5, 0}, {0, 5}}, 2), UINT32_MAX).size(), 5);
}

// Total exchange on the complete network of 2^16 nodes: a round, or one for every k packets.
TEST(MatrixDecomposition, of_a_complete_network_with_many_columns) {
  constexpr std::uint32_t ports = 65535;
  TaskMatrix matrix(ports);
  for (std::uint32_t port = 0; port < ports; ++port) {
    matrix.add(port);
    matrix.close_row();
  }
  for (const auto& [k, rounds] : {std::pair{ports, 1u}, {30000u, 3u}, {16u, 4096u}, {1u, ports}}) {
    const Decomposition result = decompose(matrix, k);
    EXPECT_EQ(result.size(), rounds);
    EXPECT_EQ(result.cells().size(), ports);
  }
}

TEST(MatrixDecomposition, counts_rounds_beyond_32_bits) {
  const TaskMatrix matrix = sparse({{UINT32_MAX, 0}, {UINT32_MAX, UINT32_MAX}}, 2);
  EXPECT_EQ(least_rounds(matrix, 2), 2ull * UINT32_MAX);
  EXPECT_EQ(least_rounds(matrix, 1), 3ull * UINT32_MAX);
}

TEST(MatrixDecomposition, refuses_more_cells_than_it_can_list) {
  const TaskMatrix matrix = sparse({{UINT32_MAX, 2}}, 2);
  EXPECT_THAT([&] { decompose(matrix, 2); },
              ThrowsMessage<Error>(HasSubstr("total sum 4294967297: at most 2^32 = 4294967296 cells")));
}

TEST(MatrixDecomposition, refuses_rounds_without_ports) {
  const TaskMatrix matrix = sparse({{1}}, 1);
  EXPECT_THAT([&] { least_rounds(matrix, 0); }, ThrowsMessage<Error>(HasSubstr("0 ports per round")));
  EXPECT_THAT([&] { decompose(matrix, 0); }, ThrowsMessage<Error>(HasSubstr("0 ports per round")));
}

// Packets to nodes at distance 1 to `farthest` by shortest routes. Half-way round a cycle of one generator
// they take either direction in turn.
TaskMatrix exchange_matrix(const Network& network, std::uint32_t farthest = UINT32_MAX) {
  TaskMatrix result(network.degree());
  std::vector<std::uint32_t> ties(network.degree());
  for (Node node = 1; node < network.order(); ++node) {
    std::vector<std::uint32_t> counts(network.degree());
    std::uint32_t left = network.distance(0, node);
    if (left <= farthest) {
      for (Node at = node; at != 0;) {
        Port port = 0;
        while (network.distance(0, network.neighbour(at, network.opposite(port))) >= left) ++port;
        at = network.neighbour(at, network.opposite(port));
        --left;
        ++counts[port];
      }
    }
    for (Port port = 0; port < network.degree(); ++port) {
      const Port back = network.opposite(port);
      Node straight = 0;
      for (std::uint32_t step = 0; step < counts[port]; ++step) straight = network.neighbour(straight, port);
      const Node mirrored = network.group().negate(straight);
      const bool tie = counts[port] > 0 && port < back && straight == mirrored;
      result.add(tie && ties[port]++ % 2 == 1 ? back : port, counts[port]);
    }
    result.close_row();
  }
  return result;
}

// Row i holds the packets for node i + 1, and each hop goes on from where the one before ended.
schedule::Plan exchange_plan(const Network& network, const Decomposition& rounds, std::uint32_t k) {
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::all(), {}, {}};
  std::vector<Node> at(network.order(), 0);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const auto [row, port] : rounds.round(t)) {
      stage.rounds.add({row + 1, at[row], port});
      at[row] = network.neighbour(at[row], port);
    }
    stage.rounds.close_round();
  }
  schedule::Schedule schedule{schedule::PortModel::ports(k), schedule::RoundKind::strict, {}};
  schedule.stages.push_back(std::move(stage));
  return {network, {}, schedule::parse_task("alltoall", network), std::move(schedule), {}, {}};
}

TEST(MatrixDecomposition, gives_total_exchanges_that_the_checker_accepts) {
  for (const char* name : {"hypercube:1", "hypercube:6", "hypercube:9", "ring:7", "torus:3x5", "torus:4x4x4",
                           "hexmesh:4", "complete:7", "twisted-torus:4x4x8", "circulant:13:1,5"}) {
    const Network network = network::parse(name);
    const TaskMatrix matrix = exchange_matrix(network);
    for (std::uint32_t k = 1; k <= network.degree(); ++k) {
      const Decomposition rounds = decompose(matrix, k);
      const verify::Report report = verify::verify(exchange_plan(network, rounds, k));
      EXPECT_TRUE(report.valid) << name << " " << k;
      EXPECT_EQ(report.rounds, least_rounds(matrix, k)) << name << " " << k;
      EXPECT_EQ(report.hops, network.distance_sum()) << name << " " << k;
    }
  }
}

// Theorem 7 for total exchange: ceil(n d / 2k); Section 4 for neighbourhoods: max(L, sum of C(d-1, i-1)).
TEST(MatrixDecomposition, takes_the_papers_rounds_on_hypercubes) {
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const Network cube = network::parse(fmt::format("hypercube:{}", d));
    const TaskMatrix exchange = exchange_matrix(cube);
    for (std::uint32_t k = 1; k <= d; ++k) {
      EXPECT_EQ(decompose(exchange, k).size(), (cube.order() / 2 * d + k - 1) / k);
    }
    std::uint64_t expected = 0;
    std::uint64_t binomial = 1;  // C(d - 1, farthest - 1)
    for (std::uint32_t farthest = 1; farthest <= d; ++farthest) {
      expected += binomial;
      binomial = binomial * (d - farthest) / farthest;
      EXPECT_EQ(decompose(exchange_matrix(cube, farthest), d).size(),
                std::max<std::uint64_t>(farthest, expected));
    }
  }
}

// Tori of n nodes whose longest axis is p: (n / p) (p^2 - 1) / 8 for odd p; n p / 8 for even p, and p / 4
// more where n / p packets, an odd number, go half-way round. H-meshes of size n: n (n - 1) (2n - 1) / 6.
TEST(MatrixDecomposition, takes_the_known_rounds_on_tori_and_hexagonal_meshes) {
  const auto rounds = [](const char* name) {
    const Network network = network::parse(name);
    return decompose(exchange_matrix(network), network.degree()).size();
  };
  EXPECT_EQ(rounds("torus:3x3"), 3);
  EXPECT_EQ(rounds("torus:5x5"), 15);
  EXPECT_EQ(rounds("torus:3x5"), 9);
  EXPECT_EQ(rounds("torus:3x4"), 7);
  EXPECT_EQ(rounds("torus:4x6"), 18);
  EXPECT_EQ(rounds("torus:6x6"), 27);
  EXPECT_EQ(rounds("torus:2x3x4"), 12);
  EXPECT_EQ(rounds("torus:5x5x5"), 75);
  EXPECT_EQ(rounds("ring:8"), 10);
  EXPECT_EQ(rounds("hexmesh:3"), 5);
  EXPECT_EQ(rounds("hexmesh:6"), 55);
}

}  // namespace
}  // namespace isotrope::algorithm
