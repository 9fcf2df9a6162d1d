// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/reduction.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <type_traits>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/local/element.hpp"

namespace isotrope::local {
namespace {

// In the order of the enumerators; an alias follows them.
constexpr std::array<std::string_view, 11> type_names = {
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "byte"};
constexpr std::array<std::string_view, 10> operation_names = {"max",  "min", "sum", "prod", "land",
                                                              "band", "lor", "bor", "lxor", "bxor"};

std::size_t index_of(std::string_view what, std::string_view name, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw Error(fmt::format("unknown {} '{}': {}", what, name, name_hint(name, names)));
}

template <class T, class Op>
void combine(std::span<std::byte> to, std::span<const std::byte> from) {
  for (std::size_t at = 0; at < to.size(); at += sizeof(T)) {
    store<T>(&to[at], Op{}(load<T>(&to[at]), load<T>(&from[at])));
  }
}

struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
// Of integers, the factor 1 keeps shorter ones from becoming a signed int, which may not overflow.
struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>)
      return a + b;
    else
      return static_cast<T>(1U * a + b);
  }
};
struct Prod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>)
      return a * b;
    else
      return static_cast<T>(1U * a * b);
  }
};
struct LogicalAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct LogicalOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((a != 0) | (b != 0));
  }
};
struct LogicalXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((a != 0) ^ (b != 0));
  }
};
struct BitAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

// What sums and products are computed in: those of signed integers have the bits of unsigned ones, which
// wrap around.
template <class T>
using Wrapping =
    typename std::conditional_t<std::integral<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

// What every type has.
template <class T>
Combine arithmetic(Operation operation) {
  switch (operation) {
    case Operation::max:
      return combine<T, Max>;
    case Operation::min:
      return combine<T, Min>;
    case Operation::sum:
      return combine<Wrapping<T>, Sum>;
    case Operation::prod:
      return combine<Wrapping<T>, Prod>;
    default:
      return nullptr;
  }
}

// What integers have besides.
template <class T>
Combine logical_or_bitwise(Operation operation) {
  switch (operation) {
    case Operation::land:
      return combine<T, LogicalAnd>;
    case Operation::band:
      return combine<T, BitAnd>;
    case Operation::lor:
      return combine<T, LogicalOr>;
    case Operation::bor:
      return combine<T, BitOr>;
    case Operation::lxor:
      return combine<T, LogicalXor>;
    case Operation::bxor:
      return combine<T, BitXor>;
    default:
      return nullptr;
  }
}

}  // namespace

std::string_view name_of(Type type) {
  return type_names[static_cast<std::size_t>(type)];
}

std::string_view name_of(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

Type parse_type(std::string_view name) {
  if (name == type_names.back()) return Type::uint8;
  return static_cast<Type>(index_of("type", name, type_names));
}

Operation parse_operation(std::string_view name) {
  return static_cast<Operation>(index_of("operation", name, operation_names));
}

std::uint64_t element_bytes(Type type) {
  return visit_type(type, []<class T>(std::type_identity<T>) -> std::uint64_t { return sizeof(T); });
}

bool is_floating_point(Type type) {
  return type == Type::float32 || type == Type::float64;
}

bool is_rounded(Reduction reduction) {
  return is_floating_point(reduction.type) &&
         (reduction.operation == Operation::sum || reduction.operation == Operation::prod);
}

Combine combine_function(Reduction reduction) {
  const Combine found = visit_type(reduction.type, [&]<class T>(std::type_identity<T>) {
    Combine function = arithmetic<T>(reduction.operation);
    if constexpr (std::integral<T>) {
      if (function == nullptr) function = logical_or_bitwise<T>(reduction.operation);
    }
    return function;
  });
  if (found != nullptr) return found;
  throw Error(fmt::format("{} is not defined on elements of type {}: use max, min, sum or prod, or integers",
                          name_of(reduction.operation), name_of(reduction.type)));
}

}  // namespace isotrope::local
