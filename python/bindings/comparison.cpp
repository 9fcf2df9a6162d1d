// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/comparison.hpp"

#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/planner/rate_slots.hpp"

#include "python/bindings/long_work.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/wanted.hpp"

namespace isotrope::python {
namespace {

planner::Comparison compare(const Nodes& nodes, const std::string& collective,
                            const std::vector<std::uint64_t>& bytes,
                            const std::optional<GivenMachine>& machine, const std::string& ports,
                            std::uint64_t root, const std::vector<std::string>& algorithms, bool associative,
                            py::object progress) {
  const Wanted wanted{nodes, collective, machine, ports, root};
  schedule::Problem problem = problem_of(wanted);
  return LongWork(std::move(progress)).run([&](const auto& callback) {
    const cost::Machine times = machine_of(wanted, problem);
    if (auto slots = planner::with_rate_slots(problem, times)) problem = std::move(*slots);
    return planner::compare(problem, bytes, times, algorithms, associative, callback);
  });
}

// A row for every size and algorithm.
py::list rows_of(const planner::Comparison& comparison) {
  py::list rows;
  for (std::size_t s = 0; s < comparison.bytes.size(); ++s) {
    for (std::size_t c = 0; c < comparison.curves.size(); ++c) {
      const planner::Prediction& prediction = comparison.curves[c].predictions[s];
      py::dict row;
      row["bytes"] = comparison.bytes[s];
      row["algorithm"] = comparison.curves[c].name;
      row["seconds"] = prediction.seconds;
      row["rounds"] = prediction.rounds;
      row["segments"] = prediction.segments;
      row["bound_s"] = comparison.bound_s[s];
      row["fastest"] = comparison.fastest[s] == c;
      rows.append(std::move(row));
    }
  }
  return rows;
}

py::list crossovers_of(const planner::Comparison& comparison) {
  py::list crossovers;
  for (const planner::Crossover& crossover : comparison.crossovers) {
    py::dict entry;
    entry["bytes"] = crossover.bytes;
    entry["seconds"] = crossover.seconds;
    entry["slower"] = crossover.slower;
    entry["faster"] = crossover.faster;
    crossovers.append(std::move(entry));
  }
  return crossovers;
}

}  // namespace

void add_comparison(py::module_& module) {
  module.def(
      "compare",
      [](const Nodes& nodes, const std::string& collective, const std::vector<std::uint64_t>& bytes,
         const std::optional<GivenMachine>& machine, const std::string& ports, std::uint64_t root,
         const std::vector<std::string>& algorithms, bool associative, py::object progress) {
        const planner::Comparison comparison = compare(nodes, collective, bytes, machine, ports, root,
                                                       algorithms, associative, std::move(progress));
        return py::make_tuple(rows_of(comparison), crossovers_of(comparison));
      },
      py::arg("network"), py::arg("collective"), py::kw_only(), py::arg("bytes"), py::arg("machine"),
      py::arg("ports"), py::arg("root"), py::arg("algorithms"), py::arg("associative"), py::arg("progress"));
}

}  // namespace isotrope::python
