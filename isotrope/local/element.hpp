// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of a type that is known at run time only, in bytes that need not be aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// The C++ types, in the order of Type.
using ElementTypes = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

/// visitor(std::type_identity<T>{}) for the C++ type T of `type`.
template <std::size_t index = 0, class Visitor>
auto visit_type(Type type, const Visitor& visitor) {
  if constexpr (index + 1 < std::tuple_size_v<ElementTypes>) {
    if (static_cast<std::size_t>(type) != index) return visit_type<index + 1>(type, visitor);
  }
  return visitor(std::type_identity<std::tuple_element_t<index, ElementTypes>>{});
}

}  // namespace isotrope::local
