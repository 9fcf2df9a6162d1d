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

// Bytes shaped at a time: they stay in a first-level cache.
constexpr std::size_t shaped_bytes = 4096;

// Of floating-point numbers the bits of a signed integer of the same width, else T.
template <class T>
using Raw =
    std::conditional_t<std::integral<T>, T, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

// Sets every element to Function{}(its random bits, spread).
template <class T, class Function>
void shape_elements(std::span<std::byte> elements, double spread) {
  for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
    store<T>(&elements[at], static_cast<T>(Function{}(load<Raw<T>>(&elements[at]), spread)));
  }
}

template <class T, class Function>
auto shape_by(Function /*stateless*/) {
  return shape_elements<T, Function>;
}

// In [-1, 1), from as many bits as a sum 1 + v keeps.
template <std::floating_point T>
T centred(Raw<T> bits) {
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr T unit = T{1} / static_cast<T>(std::int64_t{1} << digits);
  return static_cast<T>(bits >> (std::numeric_limits<Raw<T>>::digits - digits)) * unit;
}

template <class T>
auto shape_of(Operation operation) -> void (*)(std::span<std::byte>, double) {
  if constexpr (std::floating_point<T>) {
    if (operation != Operation::prod)
      return shape_by<T>([](Raw<T> bits, double) { return centred<T>(bits); });
    return shape_by<T>(
        [](Raw<T> bits, double spread) { return 1 + static_cast<T>(spread) * centred<T>(bits); });
  } else {
    switch (operation) {
      case Operation::prod:
        return shape_by<T>([](T bits, double) { return bits | 1; });
      case Operation::band:
        return shape_by<T>([](T bits, double) { return ~bits; });
      case Operation::lor:
      case Operation::lxor:  // the lowest bit decides whether an element is true
        return shape_by<T>([](T bits, double) { return (bits & 1) != 0 ? bits : 0; });
      case Operation::land:
        return shape_by<T>([](T bits, double) { return (bits & 1) == 0 ? ~bits : 0; });
      default:
        return nullptr;
    }
  }
}

}  // namespace

Contributions::Contributions(Reduction reduction, std::uint64_t contributors, std::uint64_t seed)
    : seed_(seed) {
  // A single contributor decides the result of these operations only if all others agree.
  constexpr std::array one_decides = {Operation::band, Operation::bor, Operation::land, Operation::lor};
  if (std::ranges::find(one_decides, reduction.operation) != one_decides.end()) {
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
