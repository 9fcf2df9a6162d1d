// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON values as commands build them for --json. Objects keep the order in which members are added.
//
//     Json facts{{"network", "ring:4"}, {"nodes", 4}};     an object: every item is a pair that begins with a name
//     Json numbers{1, 2, 3};                               an array: any other list
//     facts["links"] = numbers;
//
// Only json.cpp is compiled with a JSON library, which takes seconds per file.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace isotrope::app {

class Json {
 public:
  struct Array {
    std::vector<Json> items;
  };
  struct Object {
    std::vector<std::string> names;
    std::vector<Json> values;  ///< as many as names
  };
  using Value =
      std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Json() = default;  ///< null
  // NOLINTBEGIN(google-explicit-constructor): answers are written as nested braces of plain values
  Json(std::same_as<bool> auto truth) : value_(truth) {}
  Json(std::signed_integral auto number) : value_(std::int64_t{number}) {}
  template <std::unsigned_integral Number>
  requires(!std::same_as<Number, bool>) Json(Number number) : value_(std::uint64_t{number}) {}
  Json(double number) : value_(number) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  /// An object if every item is a pair of a name and a value, else an array.
  Json(std::initializer_list<Json> items);
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<Range, std::string_view> && !std::same_as<std::remove_cvref_t<Range>, Json>)
      Json(const Range& range)
      : value_(Array()) {
    for (const auto& item : range) push_back(item);
  }
  // NOLINTEND(google-explicit-constructor)

  /// An array without items.
  static Json array();

  /// The member of this name; added if missing. A null becomes an object. @pre an object or null.
  Json& operator[](std::string_view name);
  /// @pre an array of more than `index` items.
  const Json& operator[](std::size_t index) const { return std::get<Array>(value_).items[index]; }
  /// @pre an object that contains(name).
  const Json& at(std::string_view name) const;
  bool contains(std::string_view name) const;

  /// Adds an item. A null becomes an array. @pre an array or null.
  void push_back(Json item);
  /// The last item. @pre an array that is not empty.
  Json& back() { return std::get<Array>(value_).items.back(); }
  /// Adds all members of `other`, or replaces them. @pre both are objects.
  void update(const Json& other);

  const Value& value() const { return value_; }

  /// The value on one line.
  std::string dump() const;

 private:
  bool is_member() const;

  Value value_;
};

/// The answer of a command to --json, with the end of its line: the members of `facts`, an object, after the name
/// and version of their format (docs/answer.schema.json).
std::string answer(std::string_view command, const Json& facts);

}  // namespace isotrope::app
