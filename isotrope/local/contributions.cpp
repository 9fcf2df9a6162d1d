// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/contributions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>

#include "isotrope/local/element.hpp"

namespace isotrope::local {
namespace {

// Bytes shaped at a time, while they are in a first-level cache.
constexpr std::size_t shaped_bytes = 4096;

template <class T, class Function>
void for_each_element(std::span<std::byte> elements, Function function) {
  for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
    store<T>(&elements[at], static_cast<T>(function(load<T>(&elements[at]))));
  }
}

// In [-1, 1), from as many bits as a sum 1 + v keeps.
template <std::floating_point T>
T centred(const std::byte* at) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr T unit = T{1} / static_cast<T>(std::int64_t{1} << digits);
  return static_cast<T>(load<Bits>(at) >> (std::numeric_limits<Bits>::digits - digits)) * unit;
}

template <std::floating_point T>
void spread_around_zero(std::span<std::byte> elements, double /*spread*/) {
  for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
    store<T>(&elements[at], centred<T>(&elements[at]));
  }
}

template <std::floating_point T>
void spread_around_one(std::span<std::byte> elements, double spread) {
  for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
    store<T>(&elements[at], 1 + static_cast<T>(spread) * centred<T>(&elements[at]));
  }
}

template <std::integral T>
void make_odd(std::span<std::byte> elements, double /*spread*/) {
  for_each_element<T>(elements, [](T value) { return value | 1; });
}

template <std::integral T>
void complement(std::span<std::byte> elements, double /*spread*/) {
  for_each_element<T>(elements, [](T value) { return ~value; });
}

// The lowest bit decides whether an element is true.
template <std::integral T>
void keep_odd(std::span<std::byte> elements, double /*spread*/) {
  for_each_element<T>(elements, [](T value) { return (value & 1) != 0 ? value : 0; });
}

template <std::integral T>
void keep_odd_complement(std::span<std::byte> elements, double /*spread*/) {
  for_each_element<T>(elements, [](T value) { return (value & 1) == 0 ? ~value : 0; });
}

template <class T>
auto shape_of(Operation operation) -> void (*)(std::span<std::byte>, double) {
  if constexpr (std::floating_point<T>) {
    return operation == Operation::prod ? spread_around_one<T> : spread_around_zero<T>;
  } else {
    switch (operation) {
      case Operation::prod:
        return make_odd<T>;
      case Operation::band:
        return complement<T>;
      case Operation::lor:
      case Operation::lxor:
        return keep_odd<T>;
      case Operation::land:
        return keep_odd_complement<T>;
      default:
        return nullptr;
    }
  }
}

// A single contributor decides an and or an or only where all others leave it to them.
bool one_decides(Operation operation) {
  return operation == Operation::band || operation == Operation::bor || operation == Operation::land ||
         operation == Operation::lor;
}

}  // namespace

Contributions::Contributions(Reduction reduction, std::uint64_t contributors, std::uint64_t seed)
    : seed_(seed) {
  if (one_decides(reduction.operation)) {
    streams_ = std::max(1U, static_cast<unsigned>(std::bit_width(contributors - 1)));
  }
  spread_ = std::ldexp(1.0, -std::max(1, static_cast<int>(std::bit_width(contributors / 63))));
  shape_ = visit_type(reduction.type,
                      [&]<class T>(std::type_identity<T>) { return shape_of<T>(reduction.operation); });
}

void Contributions::write(std::span<std::byte> out, Node contributor, Node owner, std::uint32_t block,
                          std::uint64_t offset) const {
  const ByteStream first(seed_, contributor, owner, block);
  if (shape_ == nullptr && streams_ == 1) return first.write(out, offset);
  const Combine intersect = combine_function({Type::uint8, Operation::band});
  std::array<std::byte, shaped_bytes> other;
  for (; !out.empty(); out = out.subspan(std::min(shaped_bytes, out.size()))) {
    const std::span<std::byte> chunk = out.first(std::min(shaped_bytes, out.size()));
    first.write(chunk, offset);
    for (unsigned i = 1; i < streams_; ++i) {
      ByteStream(seed_ + i, contributor, owner, block).write(std::span(other).first(chunk.size()), offset);
      intersect(chunk, std::span(other).first(chunk.size()));
    }
    if (shape_ != nullptr) shape_(chunk, spread_);
    offset += chunk.size();
  }
}

}  // namespace isotrope::local
