// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The port models that differ on a network, for bounds compared with each of them.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

namespace isotrope::bound {

inline std::vector<schedule::PortModel> port_models(const network::Network& network) {
  using schedule::PortModel;
  std::vector<PortModel> result{PortModel::all(), PortModel::one(), PortModel::half()};
  if (network.degree() > 2) result.push_back(PortModel::ports(2));
  return result;
}

}  // namespace isotrope::bound
