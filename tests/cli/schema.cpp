// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/schema.hpp"

#include <algorithm>
#include <set>

namespace isotrope::app {
namespace {

using nlohmann::json;

struct Finding {
  std::vector<std::string> breaches;
  std::set<std::string> evaluated;  // names of properties that a schema speaks of

  void add(const Finding& other) {
    breaches.insert(breaches.end(), other.breaches.begin(), other.breaches.end());
    evaluated.insert(other.evaluated.begin(), other.evaluated.end());
  }
};

bool has_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

class Checker {
 public:
  explicit Checker(const json& whole) : whole_(whole) {}

  Finding check(const json& schema, const json& value, const std::string& place) const {
    if (schema == true) return {};
    if (schema == false) return {{place + ": unknown member"}, {}};
    Finding found;
    const auto expect = [&](bool holds, const std::string& text) {
      if (!holds) found.breaches.push_back(place + ": " + text);
    };
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "$ref") {
        found.add(check(whole_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, place));
      } else if (keyword == "allOf") {
        for (const json& part : rule) found.add(check(part, value, place));
      } else if (keyword == "oneOf") {
        add_only_match(rule, value, place, found);
      } else if (keyword == "type") {
        expect(has_type(value, rule), "no " + rule.get<std::string>() + ": " + value.dump());
      } else if (keyword == "const") {
        expect(value == rule, "not " + rule.dump() + ": " + value.dump());
      } else if (keyword == "enum") {
        expect(std::ranges::find(rule, value) != rule.end(),
               "not one of " + rule.dump() + ": " + value.dump());
      } else if (keyword == "minimum") {
        expect(!value.is_number() || value >= rule, "below " + rule.dump() + ": " + value.dump());
      } else if (keyword == "maximum") {
        expect(!value.is_number() || value <= rule, "above " + rule.dump() + ": " + value.dump());
      } else if (keyword == "minProperties") {
        expect(!value.is_object() || value.size() >= rule, "too few members: " + value.dump());
      } else if (keyword == "maxProperties") {
        expect(!value.is_object() || value.size() <= rule, "too many members: " + value.dump());
      } else if (keyword == "not") {
        expect(!check(rule, value, place).breaches.empty(), "what it must not be: " + value.dump());
      } else if (keyword == "prefixItems") {
        for (std::size_t i = 0; value.is_array() && i < std::min(value.size(), rule.size()); ++i)
          found.breaches = joined(found, check(rule[i], value[i], place + "[" + std::to_string(i) + "]"));
      } else if (keyword == "minItems") {
        expect(!value.is_array() || value.size() >= rule, "too short: " + value.dump());
      } else if (keyword == "maxItems") {
        expect(!value.is_array() || value.size() <= rule, "too long: " + value.dump());
      } else if (keyword == "required") {
        for (const json& name : rule) expect(value.contains(name), "no member " + name.dump());
      } else if (keyword == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          found.breaches = joined(found, check(rule, value[i], place + "[" + std::to_string(i) + "]"));
      } else if (keyword == "properties" || keyword == "additionalProperties") {
        add_members(schema, keyword, rule, value, place, found);
      } else {
        static const std::set<std::string> silent{"$schema", "$id",         "$defs",
                                                  "title",   "description", "unevaluatedProperties"};
        expect(silent.contains(keyword), "unknown keyword of the schema: " + keyword);
      }
    }
    if (schema.value("unevaluatedProperties", true) == false) {
      for (const auto& [name, member] : value.items())
        expect(found.evaluated.contains(name), "unknown member \"" + name + "\"");
    }
    return found;
  }

 private:
  static std::vector<std::string> joined(Finding found, const Finding& other) {
    found.breaches.insert(found.breaches.end(), other.breaches.begin(), other.breaches.end());
    return found.breaches;
  }

  void add_only_match(const json& parts, const json& value, const std::string& place, Finding& found) const {
    int matches = 0;
    std::string reasons;
    for (const json& part : parts) {
      const Finding one = check(part, value, place);
      if (one.breaches.empty()) {
        ++matches;
        found.add(one);
      } else if (one.breaches.size() < 4) {
        reasons += "\n    " + one.breaches.front();
      }
    }
    if (matches != 1)
      found.breaches.push_back(place + ": fits " + std::to_string(matches) + " of the alternatives" +
                               reasons);
  }

  void add_members(const json& schema, const std::string& keyword, const json& rule, const json& value,
                   const std::string& place, Finding& found) const {
    if (!value.is_object()) return;
    for (const auto& [name, member] : value.items()) {
      const bool listed = schema.contains("properties") && schema.at("properties").contains(name);
      if (listed != (keyword == "properties")) continue;
      found.evaluated.insert(name);
      found.breaches = joined(found, check(listed ? rule.at(name) : rule, member, place + "." + name));
    }
  }

  const json& whole_;
};

}  // namespace

std::vector<std::string> breaches(const json& schema, const json& value) {
  return Checker(schema).check(schema, value, "answer").breaches;
}

}  // namespace isotrope::app
