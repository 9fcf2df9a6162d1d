// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/choices_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/text_file.hpp"

namespace isotrope::io {
namespace {

using ChoicesJson = nlohmann::ordered_json;

constexpr std::string_view choices_format = "isotrope-choices/1";

double seconds_of(const ChoicesJson& call, const char* key) {
  const double seconds = call.at(key).get<double>();
  if (std::isfinite(seconds) && seconds > 0) return seconds;
  throw Error(fmt::format("\"{}\": {}: give seconds, more than 0", key, seconds));
}

std::optional<double> seconds_if_given(const ChoicesJson& call, const char* key) {
  return call.contains(key) ? std::optional(seconds_of(call, key)) : std::nullopt;
}

bool may_have_unequal_blocks(schedule::Collective collective) {
  using schedule::Collective;
  constexpr std::array all{Collective::scatter, Collective::gather, Collective::allgather,
                           Collective::alltoall, Collective::reduce_scatter};
  return std::ranges::find(all, collective) != all.end();
}

std::uint64_t bytes_of(const ChoicesJson& call, const char* key) {
  const ChoicesJson& value = call.at(key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  throw Error(fmt::format("\"{}\": {}: give a whole number of bytes, 0 or more", key, value.dump()));
}

MeasuredCall call_of(const ChoicesJson& call) {
  MeasuredCall result{.network = call.at("network").get<std::string>(),
                      .collective = schedule::parse_collective(call.at("collective").get<std::string>()),
                      .least_bytes = bytes_of(call, "least_bytes"),
                      .library_s = seconds_of(call, "library_s"),
                      .isotrope_s = seconds_of(call, "isotrope_s"),
                      .one_port_s = seconds_if_given(call, "one_port_s"),
                      .has_unequal_blocks = call.value("unequal_blocks", false)};
  if (!result.has_unequal_blocks || may_have_unequal_blocks(result.collective)) return result;
  throw Error(fmt::format(
      "\"unequal_blocks\" of {}: give it for scatter, gather, allgather, alltoall or reduce-scatter",
      schedule::traits_of(result.collective).name));
}

ChoicesJson in_json(const MeasuredCall& call) {
  ChoicesJson result{{"network", call.network},
                     {"collective", schedule::traits_of(call.collective).name},
                     {"least_bytes", call.least_bytes},
                     {"library_s", call.library_s},
                     {"isotrope_s", call.isotrope_s}};
  if (call.one_port_s) result["one_port_s"] = *call.one_port_s;
  if (call.has_unequal_blocks) result["unequal_blocks"] = true;
  return result;
}

}  // namespace

MeasuredChoices parse_choices(const std::string& name, std::string_view text) {
  try {
    const ChoicesJson object = ChoicesJson::parse(text);
    if (const ChoicesJson& format = object.at("format"); format != choices_format)
      throw Error(
          fmt::format("\"format\": {}: give \"{}\", the only one known", format.dump(), choices_format));
    MeasuredChoices result{.library = object.at("library").get<std::string>(), .calls = {}};
    for (const ChoicesJson& call : object.at("calls")) result.calls.push_back(call_of(call));
    return result;
  } catch (const ChoicesJson::exception& error) {
    const std::string_view what = error.what();
    throw Error(fmt::format("{}: no choices file: {}", name,
                            what.substr(std::min(what.size(), what.find("] ") + 2))));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

MeasuredChoices read_choices(const std::filesystem::path& file) {
  return parse_choices(file.string(), read_text(file));
}

void write_choices(const std::filesystem::path& file, const MeasuredChoices& choices) {
  ChoicesJson object{
      {"format", choices_format}, {"library", choices.library}, {"calls", ChoicesJson::array()}};
  for (const MeasuredCall& call : choices.calls) object["calls"].push_back(in_json(call));
  const std::string text = object.dump(2, ' ', false, ChoicesJson::error_handler_t::replace) + "\n";
  write_atomically(file, [&](std::ostream& out) { out << text; });
}

}  // namespace isotrope::io
