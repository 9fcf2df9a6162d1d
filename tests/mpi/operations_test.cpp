// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every operation of MPI with every class of datatypes that the operation is defined for (MPI 3.1, Section
// 5.9.2), compared with the allreduce of the MPI library. Values are small integers, whose sums and products
// are exact, so the order of the reduction does not matter.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

constexpr int count = 13;

class MpiOperations : public OnNetwork {
 protected:
  // Compares all three collectives; every element is make(a small number).
  template <class Value, class Make>
  void compare(MPI_Datatype type, const std::vector<MPI_Op>& ops, const Make& make) {
    const auto size = static_cast<std::size_t>(comm().size());
    std::vector<Value> input(count * size), wanted(input.size()), got(count);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const std::size_t mixed = (i * 7 + static_cast<std::size_t>(comm().rank()) * 5) % 11;
      std::memset(static_cast<void*>(&input[i]), 0, sizeof(Value));
      input[i] = make(static_cast<int>(mixed % 2 + (mixed == 10 ? 1 : 0)));
    }
    for (const MPI_Op op : ops) {
      MPI_Allreduce(input.data(), wanted.data(), static_cast<int>(input.size()), type, op, MPI_COMM_WORLD);
      EXPECT_EQ(comm().allreduce(input.data(), got.data(), count, type, op), MPI_SUCCESS);
      EXPECT_TRUE(std::equal(got.begin(), got.end(), wanted.begin()))
          << name(type) << ", operation " << number(op);
      EXPECT_EQ(comm().reduce_scatter_block(input.data(), got.data(), count, type, op), MPI_SUCCESS);
      EXPECT_TRUE(std::equal(got.begin(), got.end(), wanted.begin() + comm().rank() * count))
          << name(type) << ", operation " << number(op);
      EXPECT_EQ(comm().reduce(input.data(), got.data(), count, type, op, comm().size() - 1), MPI_SUCCESS);
      if (comm().rank() == comm().size() - 1) {
        EXPECT_TRUE(std::equal(got.begin(), got.end(), wanted.begin()))
            << name(type) << ", operation " << number(op);
      }
    }
  }
  template <class Value>
  void compare(MPI_Datatype type, const std::vector<MPI_Op>& ops) {
    compare<Value>(type, ops, [](int value) { return static_cast<Value>(value); });
  }

  static std::string name(MPI_Datatype type) {
    std::array<char, MPI_MAX_OBJECT_NAME> text{};
    int length = 0;
    MPI_Type_get_name(type, text.data(), &length);
    return text.data();
  }
  static int number(MPI_Op op) { return static_cast<int>(MPI_Op_c2f(op)); }
};

const std::vector arithmetic{MPI_SUM, MPI_PROD};
const std::vector order_and_arithmetic{MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD};
const std::vector logical{MPI_LAND, MPI_LOR, MPI_LXOR};
const std::vector bitwise{MPI_BAND, MPI_BOR, MPI_BXOR};
const std::vector all_of_integers{MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD, MPI_LAND,
                                  MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,  MPI_BXOR};

TEST_P(MpiOperations, on_integers) {
  compare<int>(MPI_INT, all_of_integers);
  compare<long>(MPI_LONG, all_of_integers);
  compare<short>(MPI_SHORT, all_of_integers);
  compare<unsigned short>(MPI_UNSIGNED_SHORT, all_of_integers);
  compare<unsigned>(MPI_UNSIGNED, all_of_integers);
  compare<unsigned long>(MPI_UNSIGNED_LONG, all_of_integers);
  compare<long long>(MPI_LONG_LONG, all_of_integers);
  compare<unsigned long long>(MPI_UNSIGNED_LONG_LONG, all_of_integers);
  compare<signed char>(MPI_SIGNED_CHAR, all_of_integers);
  compare<unsigned char>(MPI_UNSIGNED_CHAR, all_of_integers);
  compare<std::int8_t>(MPI_INT8_T, all_of_integers);
  compare<std::int16_t>(MPI_INT16_T, all_of_integers);
  compare<std::int32_t>(MPI_INT32_T, all_of_integers);
  compare<std::int64_t>(MPI_INT64_T, all_of_integers);
  compare<std::uint8_t>(MPI_UINT8_T, all_of_integers);
  compare<std::uint16_t>(MPI_UINT16_T, all_of_integers);
  compare<std::uint32_t>(MPI_UINT32_T, all_of_integers);
  compare<std::uint64_t>(MPI_UINT64_T, all_of_integers);
  compare<MPI_Aint>(MPI_AINT, all_of_integers);
  compare<MPI_Offset>(MPI_OFFSET, all_of_integers);
  compare<MPI_Count>(MPI_COUNT, all_of_integers);
}

TEST_P(MpiOperations, on_floating_point_numbers) {
  compare<float>(MPI_FLOAT, order_and_arithmetic);
  compare<double>(MPI_DOUBLE, order_and_arithmetic);
  compare<long double>(MPI_LONG_DOUBLE, order_and_arithmetic);
}

TEST_P(MpiOperations, on_complex_numbers) {
  const auto complex = [](auto zero) {
    using Complex = decltype(zero);
    return [](int value) { return Complex(static_cast<typename Complex::value_type>(value), 1); };
  };
  compare<std::complex<float>>(MPI_C_FLOAT_COMPLEX, arithmetic, complex(std::complex<float>()));
  compare<std::complex<double>>(MPI_C_DOUBLE_COMPLEX, arithmetic, complex(std::complex<double>()));
  compare<std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX, arithmetic,
                                     complex(std::complex<long double>()));
}

TEST_P(MpiOperations, on_truth_values_and_bytes) {
  compare<unsigned char>(MPI_C_BOOL, logical);
  compare<unsigned char>(MPI_BYTE, bitwise);
}

template <class Value>
struct WithIndex {
  Value value;
  int index;
  bool operator==(const WithIndex& other) const { return value == other.value && index == other.index; }
};

TEST_P(MpiOperations, on_values_with_an_index) {
  const std::vector extremes{MPI_MAXLOC, MPI_MINLOC};
  const int rank = comm().rank();
  const auto indexed = [&](auto zero) {
    return [=](int value) {
      auto result = zero;
      result.value = static_cast<decltype(zero.value)>(value);
      result.index = rank * 3 % 7;
      return result;
    };
  };
  compare<WithIndex<float>>(MPI_FLOAT_INT, extremes, indexed(WithIndex<float>{}));
  compare<WithIndex<double>>(MPI_DOUBLE_INT, extremes, indexed(WithIndex<double>{}));
  compare<WithIndex<long>>(MPI_LONG_INT, extremes, indexed(WithIndex<long>{}));
  compare<WithIndex<int>>(MPI_2INT, extremes, indexed(WithIndex<int>{}));
  compare<WithIndex<short>>(MPI_SHORT_INT, extremes, indexed(WithIndex<short>{}));
  compare<WithIndex<long double>>(MPI_LONG_DOUBLE_INT, extremes, indexed(WithIndex<long double>{}));
}

// Bytes between the value and the end of the element belong to the caller.
TEST_P(MpiOperations, leave_padding_alone) {
  std::vector<WithIndex<double>> result(count);
  std::memset(static_cast<void*>(result.data()), 0x5A, sizeof(result.front()) * result.size());
  std::vector<WithIndex<double>> input(result);
  for (auto& element : input) element = {static_cast<double>(comm().rank()), 1};
  EXPECT_EQ(comm().allreduce(input.data(), result.data(), count, MPI_DOUBLE_INT, MPI_MAXLOC), MPI_SUCCESS);
  for (const auto& element : result) {
    EXPECT_EQ(element.value, comm().size() - 1);
    unsigned padding = 0;
    std::memcpy(&padding, reinterpret_cast<const std::byte*>(&element) + 12, sizeof(padding));
    EXPECT_EQ(padding, 0x5A5A5A5AU);
  }
}

TEST_P(MpiOperations, of_the_user_keep_the_order_of_ranks) {
  const Shape six = sixes().front();
  for (const Collective collective : reducing) {
    for (const int elements : {0, 1, 5, 300}) {
      for (const bool in_place : {false, true}) {
        for (const Op op : {Op::add, Op::compose}) {
          expect_right(comm(), {.collective = collective,
                                .ints = 6 * elements,
                                .root = comm().size() / 2,
                                .in_place = in_place,
                                .sent = six,
                                .received = six,
                                .op = op});
        }
      }
    }
  }
}

NETWORKS_OF_THE_JOB(MpiOperations);

}  // namespace
}  // namespace isotrope::mpi
