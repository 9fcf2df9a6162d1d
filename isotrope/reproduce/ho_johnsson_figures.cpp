// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures 5 to 8 of Ho and Johnsson 1986, measured there on an Intel iPSC, here message by message on a machine
// like it.
//
// The paper does not say whether that machine sends and receives at once. Figure 8 and its explanation fit a
// machine that does one or the other, the speed-up of about log N in Figure 7 one that does both; so Figures 6
// and 7 show both.
#include <functional>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "isotrope/cost/completion.hpp"

#include "isotrope/reproduce/exhibits.hpp"
#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

using io::Chart;
using io::ChartAxis;
using io::Series;

constexpr std::uint64_t message_bytes = 61440;
constexpr std::uint64_t packet_bytes = 1024;

double seconds(const Measured& measured, const cost::Machine& machine, const cost::Workload& workload) {
  return complete(measured.plan, machine, workload).completion_s;
}

double broadcast_seconds(const char* algorithm, std::uint32_t n, std::uint64_t packet,
                         const cost::Machine& machine) {
  const auto packets = static_cast<std::uint32_t>((message_bytes + packet - 1) / packet);
  return seconds(
      measure({.algorithm = algorithm, .dimension = n, .ports = machine.ports, .packets = packets}), machine,
      {message_bytes, packet});
}

double scatter_seconds(const char* algorithm, const char* order, std::uint32_t n,
                       const cost::Machine& machine) {
  return seconds(
      measure({.algorithm = algorithm, .dimension = n, .ports = machine.ports, .packets = 1, .order = order}),
      machine, {packet_bytes, packet_bytes});
}

// A port model with its name in the legend.
struct Duplex {
  const char* name;
  schedule::PortModel ports;
};
const std::initializer_list<Duplex> both{{"s or r", schedule::PortModel::half()},
                                         {"s and r", schedule::PortModel::one()}};

cost::Machine with_ports(cost::Machine machine, const Duplex& duplex) {
  machine.ports = duplex.ports;
  return machine;
}

std::string note(const cost::Machine& machine) {
  return fmt::format(
      "simulated message by message: tau = {} s, t_c = {} s a byte, internal packets of {} bytes, {:.0f} % "
      "overlap",
      machine.startup_s, machine.byte_time_s, machine.internal_packet, 100 * machine.overlap);
}

std::string note_with_ports(const cost::Machine& machine) {
  return fmt::format("{}, {}", note(machine), to_string(machine.ports));
}

Series over_dimensions(const std::string& name, std::uint32_t first, std::uint32_t last,
                       const std::function<double(std::uint32_t)>& value) {
  Series series{.name = name, .points = {}};
  for (std::uint32_t n = first; n <= last; ++n) series.points.push_back({static_cast<double>(n), value(n)});
  return series;
}

const ChartAxis dimension_axis{.label = "dimension of the cube, log N"};

}  // namespace

Chart ho_johnsson_figure_5(const cost::Machine& machine) {
  Chart chart{.title = "Broadcast of 60 KiB along the binomial tree (Ho and Johnsson 1986, Figure 5)",
              .note = note_with_ports(machine),
              .x = {.label = "external packet size (bytes)", .logarithmic = true, .log_base = 2},
              .y = {.label = "time (s)", .logarithmic = true},
              .series = {},
              .marks = {}};
  for (std::uint32_t n = 1; n <= 7; ++n) {
    Series series{.name = fmt::format("log N = {}", n), .points = {}};
    for (std::uint64_t packet = 16; packet <= 32768; packet *= 2) {
      series.points.push_back(
          {static_cast<double>(packet), broadcast_seconds("binomial-tree-broadcast", n, packet, machine)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart ho_johnsson_figure_6(const cost::Machine& machine) {
  Chart chart{.title = "Broadcast of 60 KiB in packets of 1 KiB (Ho and Johnsson 1986, Figure 6)",
              .note = note(machine),
              .x = dimension_axis,
              .y = {.label = "time (s)"},
              .series = {},
              .marks = {}};
  for (const Duplex& duplex : both) {
    const cost::Machine here = with_ports(machine, duplex);
    chart.series.push_back(over_dimensions(fmt::format("SBT, {}", duplex.name), 2, 6, [&](std::uint32_t n) {
      return broadcast_seconds("binomial-tree-broadcast", n, packet_bytes, here);
    }));
    chart.series.push_back(over_dimensions(fmt::format("MSBT, {}", duplex.name), 2, 6, [&](std::uint32_t n) {
      return broadcast_seconds("msbt-broadcast", n, packet_bytes, here);
    }));
  }
  return chart;
}

Chart ho_johnsson_figure_7(const cost::Machine& machine) {
  Chart chart{.title = "Speed-up of the MSBT over the SBT (Ho and Johnsson 1986, Figure 7)",
              .note = note(machine),
              .x = dimension_axis,
              .y = {.label = "time along the SBT / time along the MSBT"},
              .series = {},
              .marks = {}};
  for (const Duplex& duplex : both) {
    const cost::Machine here = with_ports(machine, duplex);
    chart.series.push_back(over_dimensions(duplex.name, 2, 6, [&](std::uint32_t n) {
      return broadcast_seconds("binomial-tree-broadcast", n, packet_bytes, here) /
             broadcast_seconds("msbt-broadcast", n, packet_bytes, here);
    }));
  }
  chart.series.push_back(over_dimensions("log N", 2, 6, [](std::uint32_t n) { return double{1} * n; }));
  chart.series.back().dashed = true;
  return chart;
}

Chart ho_johnsson_figure_8(const cost::Machine& machine) {
  const auto curve = [&machine](const char* algorithm, const char* order) {
    return [&machine, algorithm, order](std::uint32_t n) {
      return scatter_seconds(algorithm, order, n, machine);
    };
  };
  return {.title = "Personalized communication, 1 KiB a node (Ho and Johnsson 1986, Figure 8)",
          .note = note_with_ports(machine),
          .x = dimension_axis,
          .y = {.label = "time (s)", .logarithmic = true},
          .series = {over_dimensions("SBT", 2, 7, curve("binomial-tree-scatter", "descending")),
                     over_dimensions("BST, depth first", 2, 7,
                                     curve("balanced-spanning-tree-scatter", "cyclic-preorder")),
                     over_dimensions("BST", 2, 7, curve("balanced-spanning-tree-scatter", "cyclic"))},
          .marks = {}};
}

}  // namespace isotrope::reproduce
