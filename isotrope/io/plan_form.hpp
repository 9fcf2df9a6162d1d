// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The form of a plan file: which keys, which values, in what nesting.
//
// Method: a parser of any syntax tells what it meets, one event after the other; the form follows the events
// through a table of rules, refuses what no rule allows, and puts every value into the draft. Nothing is kept
// but the way from the document to the value being read, so the depth, and with it the memory, is bounded by
// the rules and not by the file:
//
//     stages      [0]      .hops       [12]    [3]       [0]          <- place()
//     array    -> object -> array   -> array -> tuple -> number
//
// The order of events is the parser's duty: in an object a key comes before every value, and ends match
// beginnings. Cost: O(1) an event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/io/plan_draft.hpp"

namespace isotrope::io {

struct Rule;

/// Fills a draft from the events of one document. Every function throws Error, without a place, where the
/// form has no room for the event; place() then tells where.
class PlanForm {
 public:
  /// `draft` is fresh and must outlive the form.
  explicit PlanForm(PlanDraft& draft) : draft_(draft) {}

  void begin_object();
  void key(std::string_view name);
  void end_object() { end(); }
  void begin_array();
  void end_array() { end(); }
  void number(std::uint64_t value);
  void text(std::string_view value);
  void flag(bool value);
  /// A value no plan holds; `given` says in words what it is.
  [[noreturn]] void other(std::string_view given) const;

  /// Where the form stands, "stages[0].hops[12][3]".
  std::string place() const;

 private:
  // An object, tuple or array being read.
  struct Frame {
    const Rule* rule;
    bool keyed;
    std::uint64_t position;  // of the value: an index, or a field of the object
    std::uint32_t seen;      // one bit a field of an object
  };

  const Rule& expected() const;
  void begin(const Rule& rule, bool keyed);
  void end();
  void advance();

  PlanDraft& draft_;
  std::vector<Frame> frames_;
};

}  // namespace isotrope::io
