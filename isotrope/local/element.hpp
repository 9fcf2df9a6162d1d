// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of a type known at run time, in bytes that need not be aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// visitor(std::type_identity<T>{}) with the C++ type of that name.
template <class Visitor>
decltype(auto) visit_type(Type type, Visitor visitor) {
  switch (type) {
    case Type::int8:
      return visitor(std::type_identity<std::int8_t>{});
    case Type::int16:
      return visitor(std::type_identity<std::int16_t>{});
    case Type::int32:
      return visitor(std::type_identity<std::int32_t>{});
    case Type::int64:
      return visitor(std::type_identity<std::int64_t>{});
    case Type::uint8:
      return visitor(std::type_identity<std::uint8_t>{});
    case Type::uint16:
      return visitor(std::type_identity<std::uint16_t>{});
    case Type::uint32:
      return visitor(std::type_identity<std::uint32_t>{});
    case Type::uint64:
      return visitor(std::type_identity<std::uint64_t>{});
    case Type::float32:
      return visitor(std::type_identity<float>{});
    case Type::float64:
      break;
  }
  return visitor(std::type_identity<double>{});
}

}  // namespace isotrope::local
