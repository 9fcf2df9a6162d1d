// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as a plan in either format, give a plan or an Error; a plan survives being written and read
// again in both.
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include "isotrope/base/error.hpp"

#include "isotrope/io/plan_file.hpp"

#include "tests/io/same_plan.hpp"

namespace isotrope::io {
namespace {

constexpr PlanFormat formats[] = {PlanFormat::json, PlanFormat::cbor};

std::optional<schedule::Plan> plan_in(std::string_view bytes, PlanFormat format) {
  try {
    return read_plan(bytes, format, "fuzz");
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_round_trip(const schedule::Plan& plan) {
  for (PlanFormat format : formats) {
    std::ostringstream out;
    write_plan(out, plan, format);
    if (!same_plan(read_plan(out.view(), format, "written"), plan)) std::abort();
  }
}

}  // namespace
}  // namespace isotrope::io

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (isotrope::io::PlanFormat format : isotrope::io::formats) {
    const auto plan = isotrope::io::plan_in({reinterpret_cast<const char*>(data), size}, format);
    if (plan) isotrope::io::check_round_trip(*plan);
  }
  return 0;
}
