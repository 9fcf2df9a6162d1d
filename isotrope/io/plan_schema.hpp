// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The schema of a plan file: its keys, their values, and how they nest.
//
// Method: a parser of any syntax reports what it meets as a sequence of events; the schema follows the events through
// a table of rules, refuses what no rule allows, and stores every value in the raw plan. The schema keeps only the
// path from the document to the value being read, so depth and memory are bounded by the rules and not by the file:
//
//     stages      [0]      .hops       [12]    [3]       [0]          <- place()
//     array    -> object -> array   -> array -> tuple -> number
//
// The order of events is the parser's duty: in an object a key comes before every value, and ends match
// beginnings. Cost: O(1) per event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/io/raw_plan.hpp"

namespace isotrope::io {

struct ValueRule;

/// Fills a raw plan from the events of one document. Every function throws Error, without a place, if the
/// schema does not allow the event; place() then names the place.
class PlanSchema {
 public:
  /// `raw` is fresh and must outlive the schema.
  explicit PlanSchema(RawPlan& raw) : raw_(raw) {}

  void begin_object();
  void key(std::string_view name);
  void end_object() { end(); }
  void begin_array();
  void end_array() { end(); }
  void number(std::uint64_t value);
  void text(std::string_view value);
  void flag(bool value);
  /// Refuses a value that no plan holds; `given` describes it in words.
  [[noreturn]] void other(std::string_view given) const;

  /// The place of the value being read, as in "stages[0].hops[12][3]".
  std::string place() const;

 private:
  // An object, tuple or array being read.
  struct OpenValue {
    const ValueRule* rule;
    bool keyed;
    std::uint64_t position;  // of the value: an index, or a field of the object
    std::uint32_t seen;      // one bit per field of an object
  };

  const ValueRule& expected() const;
  void begin(const ValueRule& rule, bool keyed);
  void end();
  void advance();

  RawPlan& raw_;
  std::vector<OpenValue> frames_;
};

}  // namespace isotrope::io
