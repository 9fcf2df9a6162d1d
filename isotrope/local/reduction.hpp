// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions: an operation of MPI on elements of an arithmetic type.
//
//                              max min    sum prod    land lor lxor    band bor bxor
//     int8..64, uint8..64        yes         yes           yes              yes
//     float, double              yes         yes            -                -
//
// Integer sums and products are modulo 2^w on elements of w bits, signed or not. For logical operations 0 is
// false and any other number is true; the result is 0 or 1. Only sums and products of floating-point numbers
// depend on the order of combination, in their last bits (expectation.hpp).
//
// Source: MPI 4.1, Section 6.9.2 (the operations that are defined for each class of types).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace isotrope::local {

enum class Type { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

enum class Operation { max, min, sum, prod, land, band, lor, bor, lxor, bxor };

/// The default is addition modulo 256, byte by byte.
struct Reduction {
  Type type = Type::uint8;
  Operation operation = Operation::sum;

  bool operator==(const Reduction&) const = default;
};

/// "int32", "uint64", "float", "double", ...
std::string_view name_of(Type type);
/// "max", "land", ...
std::string_view name_of(Operation operation);

/// The type of that name; "byte" is uint8.
/// @throws Error for an unknown name, with the nearest ones.
Type parse_type(std::string_view name);
/// The operation of that name.
/// @throws Error for an unknown name, with the nearest ones.
Operation parse_operation(std::string_view name);

/// 1, 2, 4 or 8.
std::uint64_t element_bytes(Type type);
/// Whether the type is float or double.
bool is_floating_point(Type type);
/// Whether results depend on the order of combination: the sum and the product of floating-point numbers.
bool is_rounded(Reduction reduction);

/// Sets every element a of `to` to a op b, for the element b of `from`. Both have the same length, a whole
/// number of elements, and do not overlap; they need not be aligned.
using Combine = void (*)(std::span<std::byte> to, std::span<const std::byte> from);

/// The function that combines elements.
/// @throws Error if the operation is not defined for the type.
Combine combine_function(Reduction reduction);

}  // namespace isotrope::local
