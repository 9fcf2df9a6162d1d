// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements with gaps, out of order, overlapping, or of types that differ between sender and receiver.
#include <algorithm>
#include <array>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/mpi/datatype.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class MpiDatatypes : public OnNetwork {};

TEST_P(MpiDatatypes, of_both_ends_may_differ) {
  const auto& shapes = sixes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Shape& received = shapes[(3 * i + 1) % shapes.size()];
    for (const int count : {0, 1, 4}) {
      for (const Collective collective : copying) {
        expect_right(comm(), {.collective = collective,
                              .ints = 6 * count,
                              .root = static_cast<int>(i) % comm().size(),
                              .sent = shapes[i],
                              .received = received});
      }
    }
  }
}

TEST_P(MpiDatatypes, need_only_the_same_ints) {
  for (const Shape& shape : sixes()) {
    for (const Collective collective : copying) {
      expect_right(comm(), {.collective = collective, .ints = 12, .sent = one_int(), .received = shape});
      expect_right(comm(), {.collective = collective, .ints = 12, .sent = shape, .received = one_int()});
    }
  }
}

TEST_P(MpiDatatypes, are_received_in_place) {
  for (const Shape& shape : sixes()) {
    for (const Collective collective : copying) {
      expect_right(comm(), {.collective = collective,
                            .ints = 18,
                            .root = comm().size() - 1,
                            .in_place = true,
                            .sent = shape,
                            .received = shape});
    }
  }
}

TEST_P(MpiDatatypes, are_reduced_by_user_operations) {
  for (const Op op : {Op::add, Op::compose}) {
    for (const Shape& shape : sixes()) {
      for (const bool in_place : {false, true}) {
        for (const Collective collective : reducing) {
          for (const int count : {1, 4}) {
            expect_right(comm(), {.collective = collective,
                                  .ints = 6 * count,
                                  .root = 1 % comm().size(),
                                  .in_place = in_place,
                                  .sent = shape,
                                  .received = shape,
                                  .op = op});
          }
        }
      }
    }
  }
}

// Many elements of a derived datatype are segmented and reduced in parts.
TEST_P(MpiDatatypes, are_reduced_in_large_numbers) {
  const Shape& around = sixes()[5];
  for (const Collective collective : reducing) {
    expect_right(
        comm(),
        {.collective = collective, .ints = 6 * 500, .sent = around, .received = around, .op = Op::add});
    expect_right(
        comm(),
        {.collective = collective, .ints = 6 * 500, .sent = around, .received = around, .op = Op::compose});
  }
}

// The columns of one rank do not overlap, but the columns of all ranks side by side would.
TEST_P(MpiDatatypes, are_gathered_apart_where_order_counts) {
  const Shape& column = sixes()[2];
  for (const Collective collective : {Collective::reduce, Collective::allreduce}) {
    for (const Op op : {Op::add, Op::compose}) {
      expect_right(comm(), {.collective = collective,
                            .ints = 6 * (most_columns - 3),
                            .sent = column,
                            .received = column,
                            .op = op});
    }
  }
}

// The type map of an element holds the addresses themselves.
TEST_P(MpiDatatypes, hold_absolute_addresses) {
  std::array<int, 5> left{}, right{};
  const std::array lengths{2, 3};
  std::array<MPI_Aint, 2> places{};
  MPI_Get_address(left.data(), places.data());
  MPI_Get_address(right.data() + 1, &places[1]);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
  MPI_Type_commit(&type);
  const int rank = comm().rank(), size = comm().size(), root = size - 1;
  const auto set = [&](int value) {
    left = {value, value + 1, -7, -7, -7};
    right = {-7, value + 2, value + 3, value + 4, -7};
  };
  const auto expect = [&](int value) {
    EXPECT_THAT(left, testing::ElementsAre(value, value + 1, -7, -7, -7));
    EXPECT_THAT(right, testing::ElementsAre(-7, value + 2, value + 3, value + 4, -7));
  };
  std::vector<int> all(static_cast<std::size_t>(5 * size));

  set(100 * rank);
  EXPECT_EQ(comm().broadcast(MPI_BOTTOM, 1, type, root), MPI_SUCCESS);
  expect(100 * root);
  set(100 * rank);
  EXPECT_EQ(comm().allgather(MPI_BOTTOM, 1, type, all.data(), 5, MPI_INT), MPI_SUCCESS);
  for (int origin = 0; origin < size; ++origin)
    EXPECT_EQ(all[static_cast<std::size_t>(5 * origin + 3)], 100 * origin + 3);
  set(0);
  EXPECT_EQ(comm().scatter(all.data(), 5, MPI_INT, MPI_BOTTOM, 1, type, root), MPI_SUCCESS);
  expect(100 * rank);
  const MPI_Op op = handle_of(Op::add);
  std::array<int, 5> sum{};
  EXPECT_EQ(comm().allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type, op), MPI_SUCCESS);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = 50 * size * (size - 1) + static_cast<int>(i) * size;
  EXPECT_EQ(left[0], sum[0]);
  EXPECT_EQ(left[1], sum[1]);
  EXPECT_TRUE(std::equal(sum.begin() + 2, sum.end(), right.begin() + 1));
  EXPECT_EQ(left[2], -7);
  EXPECT_EQ(right[0], -7);

  MPI_Type_free(&type);
}

NETWORKS_OF_THE_JOB(MpiDatatypes);

// Whether elements of the type, which is freed, are bytes without gaps. A part keeps the name of its own constructor.
bool is_dense(MPI_Datatype type) {
  MPI_Type_commit(&type);
  const bool result = Datatype::of(type).dense;
  MPI_Type_free(&type);
  return result;
}

using Constructor = std::function<void(MPI_Datatype*)>;

TEST(MpiDatatype, is_dense_if_its_blocks_follow_each_other) {
  const std::array<int, 2> lengths{2, 1}, places{0, 2}, swapped{1, 0}, ones{1, 1};
  const std::array<MPI_Aint, 2> bytes{0, 8}, backwards{8, 0};
  const std::array<MPI_Datatype, 2> mixed{MPI_INT, MPI_DOUBLE};
  const std::array<Constructor, 7> dense{
      [](MPI_Datatype* type) { MPI_Type_vector(3, 2, 2, MPI_INT, type); },
      [](MPI_Datatype* type) { MPI_Type_create_hvector(3, 1, 4, MPI_INT, type); },
      [&](MPI_Datatype* type) { MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, type); },
      [&](MPI_Datatype* type) { MPI_Type_create_hindexed(2, lengths.data(), bytes.data(), MPI_INT, type); },
      [&](MPI_Datatype* type) { MPI_Type_create_indexed_block(2, 2, places.data(), MPI_INT, type); },
      [&](MPI_Datatype* type) { MPI_Type_create_hindexed_block(2, 2, bytes.data(), MPI_INT, type); },
      [&](MPI_Datatype* type) {
        MPI_Type_create_struct(2, lengths.data(), bytes.data(), mixed.data(), type);
      }};
  for (std::size_t i = 0; i < dense.size(); ++i) {
    MPI_Datatype type = MPI_DATATYPE_NULL, twice = MPI_DATATYPE_NULL;
    dense[i](&type);
    MPI_Type_contiguous(2, type, &twice);
    EXPECT_TRUE(is_dense(type)) << i;
    EXPECT_TRUE(is_dense(twice)) << i;
  }
  const std::array<Constructor, 5> others{
      [](MPI_Datatype* type) { MPI_Type_vector(3, 1, 2, MPI_INT, type); },
      [&](MPI_Datatype* type) { MPI_Type_indexed(2, ones.data(), swapped.data(), MPI_INT, type); },
      [&](MPI_Datatype* type) {
        MPI_Type_create_struct(2, ones.data(), backwards.data(), mixed.data(), type);
      },
      [](MPI_Datatype* type) { MPI_Type_create_resized(MPI_INT, 0, 8, type); },
      [](MPI_Datatype* type) { MPI_Type_contiguous(2, MPI_SHORT_INT, type); }};
  for (std::size_t i = 0; i < others.size(); ++i) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    others[i](&type);
    EXPECT_FALSE(is_dense(type)) << i;
  }
}

}  // namespace
}  // namespace isotrope::mpi
