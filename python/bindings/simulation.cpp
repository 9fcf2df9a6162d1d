// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/simulate/packet_task.hpp"
#include "isotrope/simulate/run_statistics.hpp"

#include "isotrope/planner/plan.hpp"

#include "python/bindings/long_work.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/wanted.hpp"

namespace isotrope::python {
namespace {

simulate::RunStatistics simulate_runs(const Nodes& nodes, const std::string& collective,
                                      const std::string& policy, const std::string& ports,
                                      std::optional<std::uint64_t> parts, std::uint64_t seed,
                                      std::uint32_t runs, py::object progress) {
  const schedule::Problem problem = problem_of({nodes, collective, {}, ports, 0, parts});
  const simulate::RoutingPolicy by =
      policy.empty() ? simulate::default_policy(problem) : simulate::parse_routing_policy(policy);
  return LongWork(std::move(progress)).run([&](const auto& callback) {
    planner::require_solvable(problem);
    const simulate::PacketSimulator simulator(problem.network, simulate::packet_task(problem), by,
                                              problem.ports, problem.failed);
    return run_statistics(simulator, seed, runs, callback);
  });
}

}  // namespace

void add_simulation(py::module_& module) {
  using simulate::RunStatistics;
  using simulate::Summary;
  py::class_<Summary>(module, "Summary", "One value per run.")
      .def_readonly("mean", &Summary::mean)
      .def_readonly("smallest", &Summary::smallest)
      .def_readonly("largest", &Summary::largest)
      .def_readonly("deviation", &Summary::deviation, "Divided by n - 1; 0 for a single run.")
      .def_readonly(
          "confidence_95", &Summary::confidence_95,
          "Half the width of the interval that holds the mean with 95 % confidence; None for a single run.")
      .def("__repr__", [](const Summary& summary) {
        return fmt::format("<isotrope.Summary {:.3f}, {:g} to {:g}>", summary.mean, summary.smallest,
                           summary.largest);
      });
  py::class_<RunStatistics>(module, "Simulation", "Statistics of packets routed online, over all runs.")
      .def_readonly("runs", &RunStatistics::runs)
      .def_readonly("rounds", &RunStatistics::rounds)
      .def_readonly("mean_delay", &RunStatistics::mean_delay, "Rounds.")
      .def_readonly("mean_queue", &RunStatistics::mean_queue, "Packets waiting at a node as a round begins.")
      .def_readonly("longest_queue", &RunStatistics::longest_queue, "Packets.")
      .def("__repr__", [](const RunStatistics& found) {
        return fmt::format("<isotrope.Simulation {} runs: {:.3f} rounds on average>", found.runs,
                           found.rounds.mean);
      });
  module.def("simulate", &simulate_runs, py::arg("network"), py::arg("collective"), py::kw_only(),
             py::arg("policy"), py::arg("ports"), py::arg("parts"), py::arg("seed"), py::arg("runs"),
             py::arg("progress"));
}

}  // namespace isotrope::python
