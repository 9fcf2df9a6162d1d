// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithms of C++20 on ranges that the C++ library of Debian's Emscripten (3.1.6) lacks, as far as the checker
// in a page uses them. Included before every source that is compiled to WebAssembly; no other build includes it.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <ranges>
#include <utility>

namespace std::ranges {  // NOLINT(cert-dcl58-cpp): stands in for a library that ends short

template <class Range, class Predicate, class Projection = identity>
constexpr auto find_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range), [&](auto&& item) {
    return bool(std::invoke(predicate, std::invoke(projection, std::forward<decltype(item)>(item))));
  });
}
template <class Range, class Value, class Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
  return ranges::find_if(
      range, [&](const auto& item) { return item == value; }, projection);
}
template <class Range, class Predicate, class Projection = identity>
constexpr bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return ranges::find_if(range, predicate, projection) != std::end(range);
}
template <class Range, class Predicate, class Projection = identity>
constexpr bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return !ranges::any_of(range, predicate, projection);
}
template <class Range, class Predicate, class Projection = identity>
constexpr bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return ranges::none_of(
      range, [&](const auto& item) { return !std::invoke(predicate, item); }, projection);
}
template <class Range, class Predicate, class Projection = identity>
constexpr auto count_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::count_if(std::begin(range), std::end(range), [&](auto&& item) {
    return bool(std::invoke(predicate, std::invoke(projection, std::forward<decltype(item)>(item))));
  });
}
template <class Range, class Value, class Projection = identity>
constexpr auto count(Range&& range, const Value& value, Projection projection = {}) {
  return ranges::count_if(
      range, [&](const auto& item) { return item == value; }, projection);
}
template <class Range, class Function>
constexpr void for_each(Range&& range, Function function) {
  for (auto&& item : range) std::invoke(function, item);
}

template <class Compare, class Projection>
constexpr auto by(Compare& compare, Projection& projection) {
  return [&](const auto& a, const auto& b) {
    return bool(std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b)));
  };
}
template <class Range, class Compare = less, class Projection = identity>
constexpr void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Compare = less, class Projection = identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Iterator, class Compare = less, class Projection = identity>
constexpr void nth_element(Range&& range, Iterator nth, Compare compare = {}, Projection projection = {}) {
  std::nth_element(std::begin(range), nth, std::end(range), by(compare, projection));
}
template <class Range, class Compare = less, class Projection = identity>
constexpr bool is_sorted(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::is_sorted(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Compare = equal_to, class Projection = identity>
constexpr auto adjacent_find(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::adjacent_find(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Compare = less, class Projection = identity>
constexpr auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Compare = less, class Projection = identity>
constexpr auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range), by(compare, projection));
}
template <class Range, class Compare = less, class Projection = identity>
constexpr auto max(const Range& range, Compare compare = {}, Projection projection = {}) {
  return *ranges::max_element(range, compare, projection);
}
template <class Range, class Compare = less, class Projection = identity>
constexpr auto min(const Range& range, Compare compare = {}, Projection projection = {}) {
  return *ranges::min_element(range, compare, projection);
}
template <class Range, class Value, class Compare = less, class Projection = identity>
constexpr auto lower_bound(Range&& range, const Value& value, Compare compare = {},
                           Projection projection = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value,
                          [&](const auto& item, const Value& bound) {
                            return bool(std::invoke(compare, std::invoke(projection, item), bound));
                          });
}
template <class Range, class Value, class Compare = less, class Projection = identity>
constexpr auto upper_bound(Range&& range, const Value& value, Compare compare = {},
                           Projection projection = {}) {
  return std::upper_bound(std::begin(range), std::end(range), value,
                          [&](const Value& bound, const auto& item) {
                            return bool(std::invoke(compare, bound, std::invoke(projection, item)));
                          });
}
template <class Range, class Value>
constexpr bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}
template <class A, class B>
constexpr bool equal(A&& a, B&& b) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
}

template <class Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Old, class New>
constexpr void replace(Range&& range, const Old& old, const New& with) {
  std::replace(std::begin(range), std::end(range), old, with);
}
template <class Range>
constexpr void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <class Range, class Output, class Function>
constexpr auto transform(Range&& range, Output output, Function function) {
  return std::transform(std::begin(range), std::end(range), output, [&](auto&& item) {
    return std::invoke(function, std::forward<decltype(item)>(item));
  });
}
template <class Range, class Output>
constexpr auto unique_copy(Range&& range, Output output) {
  return std::unique_copy(std::begin(range), std::end(range), output);
}

}  // namespace std::ranges
