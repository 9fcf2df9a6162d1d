// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The number of ports that a node may use in one round.
//
//     all       every port sends and receives at once   (MLA of Bertsekas et al.; all-port)
//     k-port    k ports send and k receive
//     one-port  one port sends and one receives          (SLA; full duplex, "s&r" of Ho and Johnsson)
//     half      one port sends or receives               (half duplex, "s|r")
#pragma once

#include <string>
#include <string_view>

#include "isotrope/network/network.hpp"

namespace isotrope::schedule {

using network::Node;
using network::Port;

struct PortModel {
  enum class Kind { all_port, k_port, one_port, half_duplex };

  Kind kind = Kind::all_port;
  Port k = 0;  ///< of k_port only: 1..degree

  static PortModel all() { return {}; }
  static PortModel ports(Port k) { return {Kind::k_port, k}; }
  static PortModel one() { return {Kind::one_port, 0}; }
  static PortModel half() { return {Kind::half_duplex, 0}; }

  /// The number of ports a node may send on in one round, and, separately or together (half duplex), receive on.
  Port sends(Port degree) const;
  bool half_duplex() const { return kind == Kind::half_duplex; }

  bool operator==(const PortModel&) const = default;
};

/// "all-port", "3-port", "one-port" or "half-duplex".
std::string to_string(PortModel ports);

/// Reads `all`, `one`, `half`, a number of ports, or what to_string prints.
/// @throws Error if `text` is none of these or the number is not in 1..degree.
PortModel parse_port_model(std::string_view text, Port degree);

}  // namespace isotrope::schedule
