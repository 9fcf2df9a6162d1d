// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The published slice shapes of Google's TPU generations, as networks.
//
//     v5e-4x8              mesh:4x8              v4, v5p, 7x: a shape with an extent below 4 is open on all axes, for
//     v5e-8x16             line:8xring:16        only whole cubes of 4x4x4 chips are joined by optical switches
//     v4-4x4x8             torus:4x4x8           v5e, v6e: open on all axes; 8x16 is closed along the second, 16x16
//     v4-4x4x8_twisted     twisted-torus:4x4x8   along both
//
// Sources: Google Cloud, TPU configurations and system architecture; the public TPU topology visualizer of Google, whose
// records of 156 slices the repository ayaka14732/tpu-topology-visualizer transcribes (families.json, September 2026); N.
// Jouppi et al., TPU v4, ISCA 2023, for the twists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isotrope::network {

struct TpuSlice {
  std::string name;     ///< "v4-4x4x8_twisted": the generation and the published label
  std::string network;  ///< "twisted-torus:4x4x8", as parse_named takes it
};

/// All of them, by generation and then by extents.
const std::vector<TpuSlice>& tpu_slices();

/// The network of the slice called `name`.
/// @throws Error if there is none, with the nearest names.
const std::string& tpu_network(std::string_view name);

}  // namespace isotrope::network
