// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Finite abelian groups Z_m1 x ... x Z_mr, whose elements are the nodes of a network.
//
// Convention: an element is a number 0..N-1, row-major in its coordinates (the last one runs fastest):
//
//     Z_2 x Z_3      (0,0) (0,1) (0,2) (1,0) (1,1) (1,2)
//     number           0     1     2     3     4     5
//
// The identity is 0. Three concrete groups share one set of operations; `Group` holds one of them, and
// `Group::visit` hands the concrete one to a hot loop once, outside the loop:
//
//     BitGroup       moduli that are powers of two: coordinates are bit fields, added without carries from one into the
//                    next; Z_2^d adds by exclusive or      6 instructions
//     CyclicGroup    Z_m, addition with one correction     3 instructions
//     ProductGroup   any moduli, digit by digit, divisions replaced by multiplications
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "isotrope/network/divisor.hpp"

namespace isotrope::network {

/// A node of a network: an element of its group, 0..N-1.
using Node = std::uint32_t;

/// A coordinate of a node, 0..m-1 for a modulus m.
using Coordinate = std::uint32_t;

/// The largest group: 2^26 elements.
inline constexpr std::uint64_t largest_order = std::uint64_t{1} << 26;

/// Z_m1 x ... x Z_mr, each modulus a power of two: a coordinate is a field of bits of the number.
class BitGroup {
 public:
  explicit BitGroup(std::span<const Coordinate> moduli);

  Node order() const { return order_; }
  // The lower bits of all fields at once; the highest bit of a field takes the carry and passes none on.
  Node add(Node a, Node b) const { return ((a & ~high_) + (b & ~high_)) ^ ((a ^ b) & high_); }
  Node subtract(Node a, Node b) const { return ((a | high_) - (b & ~high_)) ^ (~(a ^ b) & high_); }
  Node negate(Node a) const { return subtract(0, a); }

 private:
  Node order_ = 1;
  Node high_ = 0;  // the highest bits of all fields
};

/// Z_m.
class CyclicGroup {
 public:
  explicit CyclicGroup(Node modulus) : modulus_(modulus) {}

  Node order() const { return modulus_; }
  Node add(Node a, Node b) const {
    const Node sum = a + b;
    return sum >= modulus_ ? sum - modulus_ : sum;
  }
  Node subtract(Node a, Node b) const { return a >= b ? a - b : a + modulus_ - b; }
  Node negate(Node a) const { return a == 0 ? 0 : modulus_ - a; }

 private:
  Node modulus_;
};

/// Z_m1 x ... x Z_mr for any moduli. Cost of an operation: O(r).
class ProductGroup {
 public:
  explicit ProductGroup(std::span<const Coordinate> moduli);

  Node order() const { return order_; }
  Node add(Node a, Node b) const {
    return digitwise(a, b, [](Coordinate x, Coordinate y, Coordinate m) {
      const Coordinate sum = x + y;
      return sum >= m ? sum - m : sum;
    });
  }
  Node subtract(Node a, Node b) const {
    return digitwise(a, b,
                     [](Coordinate x, Coordinate y, Coordinate m) { return x >= y ? x - y : x + m - y; });
  }
  Node negate(Node a) const { return subtract(0, a); }

 private:
  // One non-trivial coordinate.
  struct Axis {
    Divisor modulus;
    Node stride;

    // The coordinates before this one, as a number, and this coordinate.
    std::pair<Node, Coordinate> split(Node value) const {
      const Node rest = modulus.quotient(value);
      return {rest, value - rest * modulus.value()};
    }
  };

  template <class Operation>
  Node digitwise(Node a, Node b, Operation operation) const {
    Node result = 0;
    for (const Axis& axis : axes_) {  // last coordinate first
      const auto [a_rest, x] = axis.split(a);
      const auto [b_rest, y] = axis.split(b);
      result += operation(x, y, axis.modulus.value()) * axis.stride;
      a = a_rest;
      b = b_rest;
    }
    return result;
  }

  std::vector<Axis> axes_;
  Node order_ = 1;
};

/// A finite abelian group given by its moduli. Immutable; cheap to copy for the sizes that occur.
class Group {
 public:
  /// Z_m1 x ... x Z_mr; a modulus of 1 is a coordinate that is always 0.
  /// @throws Error if a modulus is 0, more than 64 are given, or the order exceeds 2^26.
  explicit Group(std::vector<Coordinate> moduli);

  std::span<const Coordinate> moduli() const { return moduli_; }
  std::size_t rank() const { return moduli_.size(); }
  Node order() const { return order_; }

  /// The coordinates of `node`, one per modulus. `node` must be below order().
  std::vector<Coordinate> coordinates(Node node) const;

  /// Coordinate `axis` of `node`; `axis` must be below rank().
  Coordinate coordinate(Node node, std::size_t axis) const { return node / strides_[axis] % moduli_[axis]; }

  /// The number of the element with these coordinates.
  /// @throws Error if their count is not rank() or one is not below its modulus.
  Node number(std::span<const Coordinate> coordinates) const;

  Node add(Node a, Node b) const;
  Node subtract(Node a, Node b) const;
  Node negate(Node a) const;

  /// Calls `function` with the concrete group and returns what it returns.
  template <class Function>
  decltype(auto) visit(Function&& function) const {
    return std::visit(std::forward<Function>(function), concrete_);
  }

 private:
  using Concrete = std::variant<BitGroup, CyclicGroup, ProductGroup>;
  static Concrete concrete(std::span<const Coordinate> moduli);

  std::vector<Coordinate> moduli_;
  std::vector<Node> strides_;
  Node order_;
  Concrete concrete_;
};

}  // namespace isotrope::network
