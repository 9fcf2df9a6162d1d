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

// In the order of the enumerators; "byte", an alias, is last.
constexpr std::array<std::string_view, 11> type_names = {
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "byte"};
constexpr std::array<std::string_view, 10> operation_names = {"max",  "min", "sum", "prod", "land",
                                                              "band", "lor", "bor", "lxor", "bxor"};

std::size_t index_of(std::string_view what, std::string_view name, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw Error(fmt::format("unknown {} '{}': {}", what, name, name_hint(name, names)));
}

// Sets every element a of `to` to Op{}(a, b), for the element b of `from`.
template <class T, class Op>
void combine(std::span<std::byte> to, std::span<const std::byte> from) {
  for (std::size_t at = 0; at < to.size(); at += sizeof(T)) {
    store<T>(&to[at], static_cast<T>(Op{}(load<T>(&to[at]), load<T>(&from[at]))));
  }
}

template <class T, class Op>
Combine combine_by(Op /*stateless*/) {
  return combine<T, Op>;
}

// Integers are added and multiplied as unsigned numbers, which wrap around.
template <class T>
using Wrapping =
    typename std::conditional_t<std::integral<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

// nullptr if the operation is not defined for T.
template <class T>
Combine combine_of(Operation operation) {
  using W = Wrapping<T>;
  // Of integers, the factor 1 keeps shorter ones from becoming a signed int, which may not overflow.
  using One = std::conditional_t<std::integral<T>, unsigned, T>;
  switch (operation) {
    case Operation::max:
      return combine_by<T>([](T a, T b) { return a < b ? b : a; });
    case Operation::min:
      return combine_by<T>([](T a, T b) { return b < a ? b : a; });
    case Operation::sum:
      return combine_by<W>([](W a, W b) { return One{1} * a + b; });
    case Operation::prod:
      return combine_by<W>([](W a, W b) { return One{1} * a * b; });
    default:
      break;
  }
  if constexpr (std::integral<T>) {
    switch (operation) {
      case Operation::land:
        return combine_by<T>([](T a, T b) { return (a != 0) & (b != 0); });
      case Operation::lor:
        return combine_by<T>([](T a, T b) { return (a != 0) | (b != 0); });
      case Operation::lxor:
        return combine_by<T>([](T a, T b) { return (a != 0) ^ (b != 0); });
      case Operation::band:
        return combine_by<T>([](T a, T b) { return a & b; });
      case Operation::bor:
        return combine_by<T>([](T a, T b) { return a | b; });
      default:
        return combine_by<T>([](T a, T b) { return a ^ b; });
    }
  }
  return nullptr;
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
  const Combine found = visit_type(
      reduction.type, [&]<class T>(std::type_identity<T>) { return combine_of<T>(reduction.operation); });
  if (found != nullptr) return found;
  throw Error(fmt::format("{} is not defined on elements of type {}: use max, min, sum or prod, or integers",
                          name_of(reduction.operation), name_of(reduction.type)));
}

}  // namespace isotrope::local
