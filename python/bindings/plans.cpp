// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans and their stages. The arrays of hops are views of the plan's own memory, which they keep alive.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/losses.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/plan_picture.hpp"
#include "isotrope/verify/verify.hpp"

#include "app/plan_page.hpp"
#include "app/viewer_parts.hpp"
#include "python/bindings/long_work.hpp"
#include "python/bindings/made_plan.hpp"
#include "python/bindings/module.hpp"

namespace isotrope::python {
namespace {

using schedule::Hop;
using schedule::Plan;
using schedule::Stage;

// An array that looks into memory of `owner` and keeps it alive; read only.
py::array view_of(const py::dtype& type, std::size_t size, const void* data, const py::object& owner) {
  py::array view(type, {static_cast<py::ssize_t>(size)}, {type.itemsize()}, data, owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::dtype hop_type() {
  const char* const number = "u4";
  py::list fields;
  for (const char* name : {"packet", "from", "port"}) fields.append(py::make_tuple(name, number));
  return py::dtype::from_args(fields);
}

void require_round(const Stage& stage, std::uint64_t round) {
  if (round >= stage.rounds.size())
    throw py::index_error(
        fmt::format("round {}: the stage has {} rounds, counted from 0", round, stage.rounds.size()));
}

py::array all_hops(const py::object& self) {
  const auto hops = self.cast<const PlanStage&>().stage().rounds.hops();
  return view_of(hop_type(), hops.size(), hops.data(), self);
}

py::array hops_of_round(const py::object& self, std::uint64_t round) {
  const Stage& stage = self.cast<const PlanStage&>().stage();
  require_round(stage, round);
  const auto hops = stage.rounds.round(round);
  return view_of(hop_type(), hops.size(), hops.data(), self);
}

py::array ends_of(const py::object& self) {
  const auto ends = self.cast<const PlanStage&>().stage().rounds.ends();
  return view_of(py::dtype("u8"), ends.size(), ends.data(), self);
}

py::array_t<std::uint32_t> receivers_of(const PlanStage& stage) {
  const network::Network& network = hop_network(stage.made->plan);
  const auto hops = stage.stage().rounds.hops();
  py::array_t<std::uint32_t> receivers(static_cast<py::ssize_t>(hops.size()));
  std::uint32_t* next = receivers.mutable_data();
  for (const Hop& hop : hops) *next++ = network.neighbour(hop.from, hop.port);
  return receivers;
}

// A row for every packet: origin, destination or 2^32 - 1 for all nodes, block, part.
py::array_t<std::uint32_t> packets_of(const PlanStage& stage) {
  const Plan& plan = stage.made->plan;
  const schedule::Packets packets(plan.network, plan.task, stage.stage());
  py::array_t<std::uint32_t> rows({static_cast<py::ssize_t>(packets.size()), static_cast<py::ssize_t>(4)});
  std::uint32_t* next = rows.mutable_data();
  for (std::uint64_t id = 0; id < packets.size(); ++id) {
    const schedule::Packet packet = packets[static_cast<schedule::PacketId>(id)];
    for (const std::uint32_t value : {packet.origin, packet.to, packet.block, packet.part}) *next++ = value;
  }
  return rows;
}

std::string flow_of(const PlanStage& stage) {
  switch (stage.stage().flow) {
    case schedule::Flow::copy:
      return "copy";
    case schedule::Flow::move:
      return "move";
    case schedule::Flow::reduce:
      return "reduce";
    case schedule::Flow::exchange:
      return "exchange";
    case schedule::Flow::reduce_then_copy:
      return "reduce-then-copy";
  }
  return "";
}

std::string replication_of(const PlanStage& stage) {
  using Kind = schedule::Replication::Kind;
  const Kind kind = stage.stage().replication.kind;
  return kind == Kind::none ? "none" : kind == Kind::all ? "all" : "even-axis";
}

std::string heading(const Plan& plan) {
  return fmt::format("{} on {}{}, {}", to_string(plan.task), plan.network.name(),
                     network::losses(plan.network, plan.failed), to_string(plan.schedule.ports));
}

std::string svg_of(const MadePlan& made, std::optional<std::uint64_t> round) {
  io::NetworkPicture picture = io::picture_of(made.plan, heading(made.plan), round);
  picture.coordinates = made.coordinates;
  return draw_network(hop_network(made.plan), picture);
}

// The page of `isotrope view`.
std::string page_of(const MadePlan& made) {
  return app::plan_page({made.plan, made.algorithm, 0, 0}, made.coordinates);
}

PlanPointer read(const std::filesystem::path& file, py::object progress) {
  return LongWork(std::move(progress)).run([&](const io::Progress& callback) {
    return std::make_shared<MadePlan>(MadePlan{io::read_plan(file, callback)});
  });
}

void save(const MadePlan& made, const std::filesystem::path& file, py::object progress) {
  LongWork(std::move(progress)).run([&](const io::Progress& callback) {
    io::write_plan(file, made.plan, callback);
    return 0;
  });
}

PlanPointer expanded(const MadePlan& made) {
  return LongWork(py::none()).run([&](const auto&) {
    MadePlan result = made;
    result.plan = verify::expand(made.plan);
    return std::make_shared<MadePlan>(std::move(result));
  });
}

std::optional<schedule::Bound> bound_of(const MadePlan& made) {
  if (made.plan.bound.kind.empty()) return std::nullopt;
  return made.plan.bound;
}

// The member of the forecast, or None.
template <auto Member>
py::object forecast(const MadePlan& made) {
  return made.forecast ? py::cast((*made.forecast).*Member) : py::none();
}

void add_stages(py::module_& module) {
  py::class_<PlanStage>(module, "Stage", R"(A stage of a plan: rounds of hops.

Arrays of hops have shape (hops,) and fields packet, from, port of type uint32. They are read-only views of the
plan's memory. If `replication` is 'all', hops are those of node 0's packets: every other node g has the hop
(packet, from + g, port) too, in the group of the network.)")
      .def_property_readonly("flow", &flow_of, "copy, move, reduce, exchange or reduce-then-copy.")
      .def_property_readonly("replication", &replication_of, "none, all or even-axis.")
      .def_property_readonly("rounds", [](const PlanStage& stage) { return stage.stage().rounds.size(); })
      .def_property_readonly("hops", &all_hops, "All hops in order of their rounds.")
      .def("round", &hops_of_round, py::arg("round"), "The hops of one round, counted from 0 in this stage.")
      .def_property_readonly("ends", &ends_of,
                             "Shape (rounds,), uint64: by round, the number of hops up to its end. A view.")
      .def("receivers", &receivers_of, "Shape (hops,), uint32: the node that each hop leads to. A copy.")
      .def("packets", &packets_of,
           "Shape (packets, 4), uint32: origin, destination (2^32 - 1: every node), block, part. A copy.")
      .def("__len__", [](const PlanStage& stage) { return stage.stage().rounds.size(); })
      .def("__repr__", [](const PlanStage& stage) {
        const Stage& listed = stage.stage();
        return fmt::format("<isotrope.Stage {}: {} rounds, {} hops, replication {}>", flow_of(stage),
                           listed.rounds.size(), listed.rounds.hop_count(), replication_of(stage));
      });
}

}  // namespace

void add_plans(py::module_& module) {
  add_stages(module);
  py::class_<MadePlan, PlanPointer>(module, "Plan",
                                    R"(A schedule with its network, its task, a lower bound and claims.

Immutable. Made by isotrope.plan() or isotrope.load().)")
      .def_property_readonly(
          "algorithm", [](const MadePlan& made) { return made.algorithm; },
          "The name in the catalogue; empty if the plan was read.")
      .def_property_readonly("network",
                             [](const MadePlan& made) {
                               return Nodes{{made.plan.network, made.plan.failed}, made.coordinates};
                             })
      .def_property_readonly("collective", [](const MadePlan& made) { return to_string(made.plan.task); })
      .def_property_readonly(
          "root",
          [](const MadePlan& made) -> std::optional<network::Node> {
            if (!is_rooted(made.plan.task.collective)) return std::nullopt;
            return made.plan.task.root;
          },
          "None if the collective has no root.")
      .def_property_readonly(
          "parts", [](const MadePlan& made) { return made.plan.task.parts; },
          "The number of parts that every block is cut into.")
      .def_property_readonly("ports",
                             [](const MadePlan& made) { return to_string(made.plan.schedule.ports); })
      .def_property_readonly(
          "aggregated",
          [](const MadePlan& made) {
            return made.plan.schedule.round_kind == schedule::RoundKind::aggregated;
          },
          "Whether packets share messages.")
      .def_property_readonly(
          "window", [](const MadePlan& made) { return made.plan.window; },
          "Messages of the root on a link at once; 1: round after round.")
      .def_property_readonly("rounds", [](const MadePlan& made) { return made.plan.schedule.round_count(); })
      .def_property_readonly(
          "hops", [](const MadePlan& made) { return made.plan.schedule.hop_count(); },
          "The number of hops listed, before replication.")
      .def_property_readonly(
          "optimal", [](const MadePlan& made) { return made.plan.claims.optimal; },
          "Whether the plan claims that no schedule has fewer rounds; None: it does not say.")
      .def_property_readonly("bound", &bound_of, "The largest lower bound on the rounds, or None.")
      .def_property_readonly("bytes", &forecast<&Forecast::bytes>,
                             "The size that the plan was chosen for, as MPI counts it, or None.")
      .def_property_readonly("predicted_s", &forecast<&Forecast::predicted_s>,
                             "The predicted time in seconds, or None without a size.")
      .def_property_readonly("time_bound_s", &forecast<&Forecast::time_bound_s>,
                             "The lower bound on the time in seconds, or None without a size.")
      .def_property_readonly("explanation", &forecast<&Forecast::in_words>,
                             "All candidates and their times, of plan(..., explain=True).")
      .def_property_readonly("stages",
                             [](const PlanPointer& made) {
                               std::vector<PlanStage> stages;
                               for (std::size_t i = 0; i < made->plan.schedule.stages.size(); ++i)
                                 stages.push_back({made, i});
                               return stages;
                             })
      .def("expanded", &expanded,
           "The plan with the hops of all nodes written out. Raises Error above 2^28 hops.")
      .def("save", &save, py::arg("file"), py::kw_only(), py::arg("progress") = py::none(),
           "Writes a plan file: CBOR if the name ends in .cbor, else JSON. Atomic.")
      .def("svg", &svg_of, py::arg("round") = py::none(),
           "The picture of `isotrope draw`, as SVG: all rounds, or one. Raises Error if the network is too "
           "large.")
      .def(
          "html",
          [](const py::object& self, const py::object& round) { return figure("plan_page", self, round); },
          py::arg("round") = py::none(),
          "The facts as a table with, in an iframe, the page that plays and proves the plan, if the package "
          "was built with "
          "its checker and the plan is not too large; else with the picture, if there is one. A round: with "
          "its picture.")
      .def("page", &page_of,
           "The page of `isotrope view`, a document of HTML that needs nothing else. Raises Error if the "
           "plan is too "
           "large.")
      .def(
          "to_networkx", [](const py::object& self) { return figure("plan_graph", self); },
          "A MultiDiGraph of NetworkX: an edge for every listed hop, with stage, round, packet and port.")
      .def("_repr_html_", [](const py::object& self) { return figure("plan_page", self, py::none()); })
      .def("__repr__", [](const MadePlan& made) {
        return fmt::format("<isotrope.Plan {}: {} rounds{}>", heading(made.plan),
                           made.plan.schedule.round_count(),
                           made.plan.claims.optimal.value_or(false) ? ", optimal" : "");
      });
  // Whether pages prove their plan.
  module.attr("PAGES_PROVE") = !app::viewer_parts().checker.empty();
  module.def("load", &read, py::arg("file"), py::kw_only(), py::arg("progress") = py::none());
}

}  // namespace isotrope::python
