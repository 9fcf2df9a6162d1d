// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/machine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/machine_file.hpp"

#include "app/size.hpp"

namespace isotrope::app {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array units{Unit{"", 1}, Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"ns", 1e-9}};

double parse_overlap(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && rest == text.data() + text.size() && value >= 0 && value <= 1) return value;
  throw Error(fmt::format("--overlap {}: give a share from 0 to 1, such as 0.2", text));
}

}  // namespace

void add_machine_options(CLI::App& command, Options& options) {
  command
      .add_option("--machine", options.machine,
                  "A machine file (docs/machine-file.md); the options below "
                  "go before it")
      ->type_name("FILE");
  command.add_option("--startup,--tau", options.startup, "Start-up of a message: 2us, 1.7ms, 0.005")
      ->type_name("TIME");
  command.add_option("--byte-time,--tc", options.byte_time, "Time of a byte over a link: 0.1ns, 2.8us")
      ->type_name("TIME");
  command
      .add_option("--internal-packet", options.internal_packet,
                  "Bytes a start-up carries at most; longer messages cost several")
      ->type_name("SIZE");
  command
      .add_option("--overlap", options.overlap,
                  "Share, 0..1, of an action that may overlap one on another port")
      ->type_name("F");
  command
      .add_option("--overhead", options.overhead,
                  "Time that a message keeps its sender's processor busy: 0.5us")
      ->type_name("TIME");
}

bool names_a_machine(const Options& options) {
  const std::string* const given[] = {&options.machine,         &options.startup, &options.byte_time,
                                      &options.internal_packet, &options.overlap, &options.overhead};
  return std::ranges::any_of(given, [](const std::string* value) { return !value->empty(); });
}

cost::Machine cluster() {
  return {.startup_s = 2e-6, .byte_time_s = 1e-10};
}

cost::Machine chosen_machine(const Options& options, cost::Machine preset) {
  if (!options.machine.empty()) {
    const schedule::PortModel given = preset.ports;
    preset = io::read_machine(options.machine).machine;
    if (!options.ports.empty()) preset.ports = given;
  }
  if (!options.startup.empty()) preset.startup_s = parse_seconds("--startup", options.startup);
  if (!options.byte_time.empty()) preset.byte_time_s = parse_seconds("--byte-time", options.byte_time);
  if (!options.internal_packet.empty()) preset.internal_packet = parse_size(options.internal_packet);
  if (!options.overlap.empty()) preset.overlap = parse_overlap(options.overlap);
  if (!options.overhead.empty()) preset.overhead_s = parse_seconds("--overhead", options.overhead);
  return preset;
}

Options with_ports_of_machine(Options options) {
  const bool open = options.ports.empty() && !names_a_plan_file(options);
  if (open && !options.machine.empty())
    options.ports = to_string(io::read_machine(options.machine).machine.ports);
  return options;
}

std::string in_words(const cost::Machine& machine) {
  std::string text =
      fmt::format("a start-up {:g} us, a byte {:g} ns", machine.startup_s * 1e6, machine.byte_time_s * 1e9);
  if (machine.internal_packet > 0)
    text += fmt::format(", {} a start-up", format_size(machine.internal_packet));
  if (machine.overlap > 0) text += fmt::format(", {:g} % overlap", 100 * machine.overlap);
  if (machine.overhead_s > 0) text += fmt::format(", {:g} us overhead", machine.overhead_s * 1e6);
  if (machine.overhead_byte_s > 0)
    text += fmt::format(", {:g} ns overhead a byte", machine.overhead_byte_s * 1e9);
  if (machine.cut_through) text += fmt::format(", cut-through with {:g} ns a hop", machine.hop_time_s * 1e9);
  return text;
}

double parse_seconds(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  for (const Unit& unit : units) {
    const bool possible = error == std::errc{} && std::isfinite(number) && number >= 0;
    if (possible && unit.name == name) return number * unit.seconds;
  }
  throw Error(fmt::format("{} {}: give a time of 0 or more, as in 2us, 1.7ms, 0.1ns or 0.005 (seconds)",
                          option, text));
}

}  // namespace isotrope::app
