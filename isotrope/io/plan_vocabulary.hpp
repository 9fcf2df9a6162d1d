// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a plan file, for the reader and the writer alike; docs/plan-file.md defines them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::io {

/// Versions 1 and 2 of the format; entry v - 1 names version v.
inline constexpr std::array<std::string_view, 2> plan_versions = {"isotrope-plan/1", "isotrope-plan/2"};

/// The name of a network that moduli and generators define.
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

  /// @throws Error that lists the words if `word` is none of them.
  Value value(std::string_view word) const {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw Error("unknown " + in_quotes(word) + ": " + name_hint(word, words));
    return values[static_cast<std::size_t>(found - words.begin())];
  }
};

/// "combine" is the file's word for reduce: data are added on their way.
inline constexpr Words<schedule::Flow, 5> flow_words = {
    {"copy", "move", "combine", "exchange", "reduce-then-copy"},
    {schedule::Flow::copy, schedule::Flow::move, schedule::Flow::reduce, schedule::Flow::exchange,
     schedule::Flow::reduce_then_copy}};

/// Whether version 1 of the format has no word for `flow`.
constexpr bool needs_version_2(schedule::Flow flow) {
  return flow == schedule::Flow::exchange || flow == schedule::Flow::reduce_then_copy;
}

/// "combining" is the file's word for aggregated rounds, whose messages carry several packets.
inline constexpr Words<schedule::RoundKind, 2> round_words = {
    {"strict", "combining"}, {schedule::RoundKind::strict, schedule::RoundKind::aggregated}};

inline constexpr Words<schedule::PortModel::Kind, 4> port_words = {
    {"all-port", "k-port", "one-port", "half-duplex"},
    {schedule::PortModel::Kind::all_port, schedule::PortModel::Kind::k_port,
     schedule::PortModel::Kind::one_port, schedule::PortModel::Kind::half_duplex}};

/// Replication by an even axis is no word, but an object that holds the axis.
inline constexpr Words<schedule::Replication::Kind, 2> replication_words = {
    {"none", "all"}, {schedule::Replication::Kind::none, schedule::Replication::Kind::all}};

}  // namespace isotrope::io
