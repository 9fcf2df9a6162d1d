// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/tpu_slices.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::network {
namespace {

struct Generation {
  std::string_view name;
  std::string_view shapes;  // separated by spaces
};

constexpr std::string_view planar = "1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16";

constexpr std::array<Generation, 5> generations{{
    {"v4",
     "1x1x1 1x2x1 2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x4x8_twisted 4x4x12 4x4x16 4x8x8 4x8x8_twisted 4x8x12 "
     "4x8x16 4x12x12 4x12x16 4x16x16 8x8x8 8x8x12 8x8x16 8x8x16_twisted 8x12x12 8x12x16 8x16x16 "
     "8x16x16_twisted 12x12x12 12x12x16 12x16x16"},
    {"v5e", planar},
    {"v5p",
     "1x1x1 1x2x1 2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x4x8_twisted 4x4x12 4x4x16 4x4x20 4x4x24 4x8x8 "
     "4x8x8_twisted 4x8x12 4x8x16 4x8x20 4x8x24 4x12x12 4x12x16 4x12x20 4x12x24 4x16x16 4x16x20 4x16x24 "
     "8x8x8 "
     "8x8x12 8x8x16 8x8x16_twisted 8x8x20 8x8x24 8x12x12 8x12x16 8x12x20 8x12x24 8x16x16 8x16x16_twisted "
     "8x16x20 8x16x24 12x12x12 12x12x16 12x12x20 12x12x24 12x12x24_twisted 12x16x16 12x16x20 12x16x24 "
     "16x16x16 "
     "16x16x20 16x16x24"},
    {"v6e", planar},
    {"7x",
     "1x1x1 1x2x1 2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x4x8_twisted 4x4x12 4x4x16 4x4x20 4x4x24 4x4x32 4x8x8 "
     "4x8x8_twisted 4x8x12 4x8x16 4x8x20 4x8x24 4x8x32 4x12x12 4x12x16 4x12x20 4x12x24 4x16x16 4x16x20 "
     "4x16x24 "
     "4x16x32 8x8x8 8x8x12 8x8x16 8x8x16_twisted 8x8x20 8x8x24 8x8x32 8x12x12 8x12x16 8x12x20 8x12x24 "
     "8x16x16 "
     "8x16x16_twisted 8x16x20 8x16x24 8x16x32 12x12x12 12x12x16 12x12x20 12x12x24 12x12x24_twisted 12x16x16 "
     "12x16x20 12x16x24 12x24x24 12x24x24_twisted 16x16x16 16x16x20 16x16x24 16x16x32 16x16x32_twisted"},
}};

constexpr std::string_view twisted = "_twisted";

bool has_extent_below_4(std::string_view shape) {
  return std::ranges::any_of(
      split(shape, 'x'), [](std::string_view extent) { return extent.size() == 1 && extent.front() < '4'; });
}

std::string network_of(std::string_view shape) {
  if (shape.ends_with(twisted))
    return fmt::format("twisted-torus:{}", shape.substr(0, shape.size() - twisted.size()));
  if (shape == "8x16") return "line:8xring:16";
  const bool is_planar = std::ranges::count(shape, 'x') == 1;
  const bool closed = is_planar ? shape == "16x16" : !has_extent_below_4(shape);
  return fmt::format("{}:{}", closed ? "torus" : "mesh", shape);
}

std::vector<TpuSlice> all_slices() {
  std::vector<TpuSlice> result;
  for (const Generation& generation : generations) {
    for (const std::string_view shape : split(generation.shapes, ' '))
      result.push_back({fmt::format("{}-{}", generation.name, shape), network_of(shape)});
  }
  return result;
}

}  // namespace

const std::vector<TpuSlice>& tpu_slices() {
  static const std::vector<TpuSlice> all = all_slices();
  return all;
}

const std::string& tpu_network(std::string_view name) {
  const std::vector<TpuSlice>& all = tpu_slices();
  const auto found = std::ranges::find(all, name, &TpuSlice::name);
  if (found != all.end()) return found->network;
  std::vector<std::string_view> names;
  for (const TpuSlice& slice : all) names.emplace_back(slice.name);
  const std::vector<std::string_view> nearest = nearest_names(name, names);
  throw Error(fmt::format("TPU slice '{}': {}; `isotrope catalog --networks` lists all {}", excerpt(name),
                          nearest.empty() ? "no published shape of v4, v5e, v5p, v6e or 7x"
                                          : fmt::format("did you mean {}", fmt::join(nearest, " or ")),
                          all.size()));
}

}  // namespace isotrope::network
