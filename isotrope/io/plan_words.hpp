// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a plan file, for the reader and the writer alike.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/io/utf8.hpp"

namespace isotrope::io {

inline constexpr std::string_view plan_version = "isotrope-plan/1";

/// The name of a network whose moduli and generators say everything.
inline constexpr std::string_view unnamed_network = "cayley";

/// Destination "every node".
inline constexpr std::string_view every_node = "all";

template <class Value, std::size_t count>
struct Words {
  std::array<std::string_view, count> words;
  std::array<Value, count> values;

  constexpr std::string_view word(Value value) const {
    return words[static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin())];
  }

  /// @throws Error listing the words where `word` is none of them.
  Value value(std::string_view word) const {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw Error("unknown " + in_quotes(word) + ": " + name_hint(word, words));
    return values[static_cast<std::size_t>(found - words.begin())];
  }
};

inline constexpr Words<schedule::Flow, 3> flow_words = {
    {"copy", "move", "combine"}, {schedule::Flow::copy, schedule::Flow::move, schedule::Flow::combine}};

inline constexpr Words<schedule::RoundKind, 2> round_words = {
    {"strict", "combining"}, {schedule::RoundKind::strict, schedule::RoundKind::combining}};

inline constexpr Words<schedule::PortModel::Kind, 4> port_words = {
    {"all-port", "k-port", "one-port", "half-duplex"},
    {schedule::PortModel::Kind::all_port, schedule::PortModel::Kind::k_port,
     schedule::PortModel::Kind::one_port, schedule::PortModel::Kind::half_duplex}};

/// Replication by an even axis is no word, but an object that holds the axis.
inline constexpr Words<schedule::Replication::Kind, 2> replication_words = {
    {"none", "all"}, {schedule::Replication::Kind::none, schedule::Replication::Kind::all}};

}  // namespace isotrope::io
