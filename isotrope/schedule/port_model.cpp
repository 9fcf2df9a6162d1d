// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/port_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::schedule {

Port PortModel::sends(Port degree) const {
  switch (kind) {
    case Kind::all_port:
      return degree;
    case Kind::k_port:
      return std::min(k, degree);
    case Kind::one_port:
    case Kind::half_duplex:
      break;
  }
  return std::min<Port>(1, degree);
}

std::string to_string(PortModel ports) {
  switch (ports.kind) {
    case PortModel::Kind::all_port:
      return "all-port";
    case PortModel::Kind::k_port:
      return fmt::format("{}-port", ports.k);
    case PortModel::Kind::one_port:
      return "one-port";
    case PortModel::Kind::half_duplex:
      break;
  }
  return "half-duplex";
}

PortModel parse_port_model(std::string_view text, Port degree) {
  if (text == "all" || text == "all-port") return PortModel::all();
  if (text == "one" || text == "one-port") return PortModel::one();
  if (text == "half" || text == "half-duplex") return PortModel::half();
  std::string_view digits = text;
  if (digits.ends_with("-port")) digits.remove_suffix(5);
  if (const auto k = whole_number(digits); k && *k >= 1 && *k <= degree)
    return PortModel::ports(static_cast<Port>(*k));
  throw Error(fmt::format(
      "port model '{}': give all, one, half, or a number of ports from 1 to {}, the degree", text, degree));
}

}  // namespace isotrope::schedule
