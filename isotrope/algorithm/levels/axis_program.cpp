// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/axis_program.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Coordinate;

std::vector<std::uint32_t> first_registers(std::size_t count) {
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

// Offset `by` for even coordinates, -by for odd ones.
AxisSend opposite_ways(std::int64_t by, Coordinate extent, std::vector<std::uint32_t> registers) {
  const auto even = static_cast<Coordinate>(((by % extent) + extent) % extent);
  return {even, (extent - even) % extent, std::move(registers)};
}

AxisSend one_way(Coordinate by) {
  return {by, by, {0}};
}

}  // namespace

bool folds(Coordinate extent) {
  return extent >= 4 && std::has_single_bit(extent);
}

AxisProgram fold(Coordinate extent) {
  AxisProgram result{{opposite_ways(1, extent, {0})}};
  const auto add = [&](std::int64_t by) {
    result.push_back({opposite_ways(by, extent, first_registers(result.size() + 1))});
  };
  for (std::int64_t pairs = 1; pairs <= extent / 8; pairs *= 2) add(-2 * pairs);
  add(-1);
  return result;
}

AxisProgram one_sided(Coordinate extent) {
  std::vector<Coordinate> widths;
  for (Coordinate width = extent; width > 1; width = (width + 1) / 2) widths.push_back(width);
  std::ranges::reverse(widths);
  AxisProgram result;
  Coordinate width = 1;
  for (const Coordinate next : widths) {
    AxisSend send = one_way(extent - (next - width));
    send.registers = first_registers(result.size() + 1);
    if (next < 2 * width) send.registers.erase(send.registers.begin());
    result.push_back({std::move(send)});
    width = next;
  }
  return result;
}

AxisProgram stages(Coordinate extent) {
  AxisProgram result;
  Coordinate joined = 1;
  for (Coordinate left = extent >> std::countr_zero(extent), radix = 3; left > 1; radix += 2) {
    for (; left % radix == 0; left /= radix, joined *= radix) {
      AxisStep& step = result.emplace_back();
      for (Coordinate by = 1; by <= radix / 2; ++by) {
        step.push_back(one_way(by * joined));
        step.push_back(one_way(extent - by * joined));
      }
    }
  }
  std::int64_t rho = 0;
  for (std::int64_t term = joined; joined < extent; joined *= 2, term *= -2) {
    rho += term;
    result.push_back({opposite_ways(rho, extent, {0})});
  }
  return result;
}

}  // namespace isotrope::algorithm
