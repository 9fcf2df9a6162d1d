// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/json.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace isotrope::app {
namespace {

using Printed = nlohmann::ordered_json;

Printed printed(const Json& json) {
  const auto print = []<class Value>(const Value& value) -> Printed {
    if constexpr (std::is_same_v<Value, std::monostate>) {
      return nullptr;
    } else if constexpr (std::is_same_v<Value, Json::Array>) {
      Printed result = Printed::array();
      for (const Json& item : value.items) result.push_back(printed(item));
      return result;
    } else if constexpr (std::is_same_v<Value, Json::Object>) {
      Printed result = Printed::object();
      for (std::size_t i = 0; i < value.names.size(); ++i) result[value.names[i]] = printed(value.values[i]);
      return result;
    } else {
      return value;
    }
  };
  return std::visit(print, json.value());
}

std::size_t position(const Json::Object& object, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(object.names, name) - object.names.begin());
}

}  // namespace

Json::Json(std::initializer_list<Json> items) {
  if (!std::ranges::all_of(items, &Json::is_member)) {
    value_ = Array{items};
    return;
  }
  value_ = Object();
  for (const Json& item : items) (*this)[std::get<std::string>(item[0].value_)] = item[1];
}

Json Json::array() {
  Json result;
  result.value_ = Array();
  return result;
}

bool Json::is_member() const {
  const auto* array = std::get_if<Array>(&value_);
  return array != nullptr && array->items.size() == 2 &&
         std::holds_alternative<std::string>(array->items[0].value_);
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Object();
  Object& object = std::get<Object>(value_);
  const std::size_t index = position(object, name);
  if (index == object.names.size()) {
    object.names.emplace_back(name);
    object.values.emplace_back();
  }
  return object.values[index];
}

const Json& Json::at(std::string_view name) const {
  const Object& object = std::get<Object>(value_);
  return object.values.at(position(object, name));
}

bool Json::contains(std::string_view name) const {
  const auto* object = std::get_if<Object>(&value_);
  return object != nullptr && position(*object, name) < object->names.size();
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Array();
  std::get<Array>(value_).items.push_back(std::move(item));
}

void Json::update(const Json& other) {
  const Object& members = std::get<Object>(other.value_);
  for (std::size_t i = 0; i < members.names.size(); ++i) (*this)[members.names[i]] = members.values[i];
}

std::string Json::dump() const {
  return printed(*this).dump();
}

std::string answer(std::string_view command, const Json& facts) {
  Json whole{{"format", "isotrope-answer/1"}, {"version", ISOTROPE_VERSION}, {"command", command}};
  whole.update(facts);
  return whole.dump() + "\n";
}

}  // namespace isotrope::app
