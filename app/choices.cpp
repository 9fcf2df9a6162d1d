// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope choices: the measured times in a choices file of the drop-in, as a table.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "isotrope/io/choices_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

// Of the faster of two plans.
double isotropes_seconds(const io::MeasuredCall& call) {
  return std::min(call.isotrope_s, call.one_port_s.value_or(call.isotrope_s));
}

std::string_view faster(const io::MeasuredCall& call) {
  return isotropes_seconds(call) < call.library_s ? "isotrope" : "library";
}

// "alltoallv", as MPI names most of those with unequal blocks.
std::string collective_of(const io::MeasuredCall& call) {
  return fmt::format("{}{}", schedule::traits_of(call.collective).name, call.has_unequal_blocks ? "v" : "");
}

// A class of sizes is a factor of 2 wide.
std::string sizes_of(const io::MeasuredCall& call) {
  if (!call.has_sizes()) return "any";
  if (call.least_bytes <= 1) return format_size(call.least_bytes);
  return fmt::format("{} to {}", format_size(call.least_bytes), format_size(2 * call.least_bytes - 1));
}

std::string in_words(const io::MeasuredChoices& choices) {
  std::string text = fmt::format("measured with {}\n{:<17} {:<15} {:<23} {:>12}{:>12}  {}\n", choices.library,
                                 "network", "collective", "sizes", "library", "isotrope", "faster");
  for (const io::MeasuredCall& call : choices.calls) {
    text += fmt::format("{:<17} {:<15} {:<23} {:>12}{:>12}  {}\n", call.network, collective_of(call),
                        sizes_of(call), format_seconds(call.library_s),
                        format_seconds(isotropes_seconds(call)), faster(call));
  }
  return text;
}

std::string as_json(const io::MeasuredChoices& choices) {
  Json calls = Json::array();
  for (const io::MeasuredCall& call : choices.calls) {
    calls.push_back({{"network", call.network},
                     {"collective", schedule::traits_of(call.collective).name},
                     {"least_bytes", call.least_bytes},
                     {"library_s", call.library_s},
                     {"isotrope_s", isotropes_seconds(call)},
                     {"faster", faster(call)}});
    if (call.has_unequal_blocks) calls.back()["unequal_blocks"] = true;
  }
  return answer("choices", {{"library", choices.library}, {"calls", calls}});
}

}  // namespace

int choices_command(const ChoicesOptions& options) {
  io::MeasuredChoices choices = io::read_choices(options.file);
  std::ranges::sort(choices.calls, {}, [](const io::MeasuredCall& call) {
    return std::tie(call.network, call.collective, call.has_unequal_blocks, call.least_bytes);
  });
  print_or_write(options, options.json ? as_json(choices) : in_words(choices));
  return 0;
}

}  // namespace isotrope::app
