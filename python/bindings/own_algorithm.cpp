// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithms written in Python. The catalogue asks the function for the rounds of a problem; every schedule that it
// returns is checked before the planner sees it, since costs, reversals and execution rely on valid ones.
#include <algorithm>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"

#include "python/bindings/module.hpp"
#include "python/bindings/nodes.hpp"

namespace isotrope::python {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Problem;
using schedule::Replication;

// How the packets of a collective move if one stage delivers them and the collective implies them.
std::optional<Flow> flow_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::allgather:
      return Flow::copy;
    case Collective::scatter:
    case Collective::gather:
    case Collective::alltoall:
      return Flow::move;
    case Collective::reduce:
    case Collective::reduce_scatter:
      return Flow::reduce;
    default:
      return std::nullopt;
  }
}

Flow required_flow(const std::string& collective) {
  if (const auto flow = flow_of(schedule::parse_collective(collective))) return *flow;
  throw Error(
      fmt::format("collective {}: an algorithm of its own gives broadcast, scatter, gather, reduce, "
                  "allgather, alltoall or "
                  "reduce-scatter; name what follows from it by `reversed` and `then_forward`",
                  collective));
}

class PythonAlgorithm final : public planner::Algorithm {
 public:
  // The catalogue outlives the interpreter, so the functions are never released.
  PythonAlgorithm(planner::Traits traits, const py::function& rounds, const py::object& supports)
      : Algorithm(std::move(traits)),
        flow_(*flow_of(this->traits().collective)),
        function_(rounds.inc_ref()),
        supports_(supports.inc_ref()) {}

  std::optional<std::string> unsupported_reason(const Problem& problem) const override {
    const py::gil_scoped_acquire acquired;
    if (supports_.is_none()) return std::nullopt;
    const py::object answer = supports_(nodes_of(problem), problem);
    if (answer.is_none() || answer.equal(py::bool_(true))) return std::nullopt;
    if (answer.equal(py::bool_(false))) return "its function `supports` says no";
    return answer.cast<std::string>();
  }

  schedule::Schedule schedule(const Problem& problem,
                              const planner::Parameters& /*parameters*/) const override {
    schedule::Schedule result{problem.ports, schedule::RoundKind::strict, {}};
    {
      const py::gil_scoped_acquire acquired;
      result.stages.push_back(stage_of(function_(nodes_of(problem), problem), problem));
    }
    require_valid(result, problem);
    return result;
  }

 private:
  static Nodes nodes_of(const Problem& problem) { return {{problem.network, problem.failed}}; }

  [[noreturn]] void refuse(const Problem& problem, const std::string& why) const {
    throw Error(fmt::format("algorithm {} for {} on {}: {}", name(), to_string(problem.task),
                            problem.network.name(), why));
  }

  schedule::Stage stage_of(const py::object& rounds, const Problem& problem) const {
    const bool rooted = is_rooted(problem.task.collective) || !problem.failed.empty();
    schedule::Stage stage{flow_, rooted ? Replication::none() : Replication::all(), {}, {}};
    const std::uint64_t packets = schedule::Packets(problem.network, problem.task, stage).size();
    for (const py::handle round : rounds) {
      add_round(py::reinterpret_borrow<py::object>(round), problem, packets, stage.rounds);
      stage.rounds.close_round();
    }
    return stage;
  }

  // Triples of packet, from and port, as a list or an array of shape (hops, 3).
  void add_round(const py::object& round, const Problem& problem, std::uint64_t packets,
                 schedule::Rounds& rounds) const {
    const auto array = py::module_::import("numpy").attr("asarray")(round).cast<py::array>();
    if (array.size() == 0) return;
    const bool whole = array.dtype().kind() == 'i' || array.dtype().kind() == 'u';
    if (array.ndim() != 2 || array.shape(1) != 3 || !whole)
      refuse(problem,
             fmt::format("round {} is no list of hops: give triples of whole numbers (packet, from, port)",
                         rounds.size()));
    const auto hops = py::array_t<std::int64_t, py::array::forcecast>(array).unchecked<2>();
    const auto number = [&](py::ssize_t hop, py::ssize_t column, const char* what, std::uint64_t count) {
      const std::int64_t value = hops(hop, column);
      if (value < 0 || static_cast<std::uint64_t>(value) >= count)
        refuse(problem, fmt::format("round {}, hop {}: {} {}, and there are 0..{}", rounds.size(), hop, what,
                                    value, count - 1));
      return static_cast<std::uint32_t>(value);
    };
    for (py::ssize_t hop = 0; hop < hops.shape(0); ++hop)
      rounds.add({number(hop, 0, "packet", packets), number(hop, 1, "node", problem.network.order()),
                  number(hop, 2, "port", problem.network.degree())});
  }

  void require_valid(const schedule::Schedule& result, const Problem& problem) const {
    const schedule::Plan plan{problem.network, problem.failed, problem.task, result, {}, {}};
    const verify::Report report = verify::verify(plan, {.most_violations = 1});
    if (report.valid) return;
    const auto broken = std::ranges::find_if(report.violations, [](const verify::Violation& violation) {
      return violation.rule != verify::Rule::claim;
    });
    refuse(problem,
           "its schedule is not valid: " +
               (broken == report.violations.end() ? std::string("a rule is broken") : broken->message));
  }

  Flow flow_;
  py::handle function_;
  py::handle supports_;
};

planner::Derived derived(const std::string& name) {
  return {.name = name};
}

void register_algorithm(const py::function& rounds, const std::string& name, const std::string& collective,
                        const py::object& supports, const std::string& networks, const std::string& ports,
                        const std::string& source, const std::string& claim,
                        const std::vector<std::string>& aliases, bool around_failures,
                        const std::string& reversed, const std::string& then_forward) {
  required_flow(collective);
  planner::Traits traits{.name = name,
                         .collective = schedule::parse_collective(collective),
                         .networks = networks,
                         .ports = ports,
                         .source = source,
                         .claim = claim,
                         .around_failures = around_failures,
                         .aliases = aliases,
                         .reversed = derived(reversed),
                         .reversed_then_forward = derived(then_forward)};
  auto algorithm = std::make_unique<PythonAlgorithm>(std::move(traits), rounds, supports);
  const py::gil_scoped_release released;
  planner::register_algorithm(std::move(algorithm));
}

std::vector<std::string> names_of(const std::string& collective) {
  const Collective wanted = schedule::parse_collective(collective);
  std::vector<std::string> names;
  for (const planner::Algorithm* algorithm : planner::catalog()) {
    if (algorithm->traits().collective == wanted) names.push_back(algorithm->name());
  }
  return names;
}

}  // namespace

void add_registration(py::module_& module) {
  module.def("register_algorithm", &register_algorithm, py::arg("rounds"), py::kw_only(), py::arg("name"),
             py::arg("collective"), py::arg("supports"), py::arg("networks"), py::arg("ports"),
             py::arg("source"), py::arg("claim"), py::arg("aliases"), py::arg("around_failures"),
             py::arg("reversed"), py::arg("then_forward"));
}

void add_own_algorithms(py::module_& module) {
  py::class_<Problem>(module, "Problem", "What a function of register_algorithm() has to solve.")
      .def_property_readonly("collective", [](const Problem& problem) { return to_string(problem.task); })
      .def_property_readonly("root", [](const Problem& problem) { return problem.task.root; })
      .def_property_readonly(
          "parts", [](const Problem& problem) { return problem.task.parts; },
          "The parts that every block is cut into.")
      .def_property_readonly("ports", [](const Problem& problem) { return to_string(problem.ports); })
      .def_property_readonly(
          "sends", [](const Problem& problem) { return problem.ports.sends(problem.network.degree()); },
          "The ports that a node may send on in one round.")
      .def("__repr__", [](const Problem& problem) {
        return fmt::format("<isotrope.Problem {} on {}, {}>", to_string(problem.task), problem.network.name(),
                           to_string(problem.ports));
      });
  add_registration(module);
  module.def("algorithms", &names_of, py::arg("collective"));
}

}  // namespace isotrope::python
