// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <fmt/format.h>

#include "isotrope/schedule/bound.hpp"

#include "isotrope/verify/verify.hpp"

#include "python/bindings/module.hpp"

namespace isotrope::python {

void add_reports(py::module_& module) {
  using schedule::Bound;
  using verify::Report;
  using verify::Violation;
  py::class_<Bound>(module, "Bound", "A number of rounds that no schedule can beat.")
      .def_readonly("kind", &Bound::kind, "A word of docs/bounds.md, such as 'distance-sum'.")
      .def_readonly("value", &Bound::value, "Rounds.")
      .def_readonly("because", &Bound::because, "The reason in words.")
      .def("__repr__", [](const Bound& bound) {
        return fmt::format("<isotrope.Bound {}: {}, {}>", bound.value, bound.kind, bound.because);
      });
  py::class_<Violation>(module, "Violation",
                        "A rule that a plan breaks. Places are None if they do not apply.")
      .def_property_readonly("rule", [](const Violation& violation) { return to_string(violation.rule); })
      .def_readonly("message", &Violation::message)
      .def_readonly("stage", &Violation::stage)
      .def_readonly("round", &Violation::round)
      .def_readonly("node", &Violation::node)
      .def_readonly("port", &Violation::port)
      .def_readonly("packet", &Violation::packet)
      .def("__repr__", [](const Violation& violation) {
        return fmt::format("<isotrope.Violation {}: {}>", to_string(violation.rule), violation.message);
      });
  py::class_<Report>(module, "Report",
                     "The result of a check, counted from the hops. True if the claims hold.")
      .def_readonly("valid", &Report::valid)
      .def_readonly("claims_hold", &Report::claims_hold,
                    "The plan's bound and claims are what the checker finds.")
      .def_readonly("optimal", &Report::optimal,
                    "Valid, and the rounds equal the bound as the checker recomputes it.")
      .def_readonly("rounds", &Report::rounds)
      .def_readonly("hops", &Report::hops, "Listed.")
      .def_readonly("transmissions", &Report::transmissions, "Hops of all nodes together.")
      .def_readonly("bound", &Report::bound)
      .def_readonly("mean_delay", &Report::mean_delay, "Rounds, over the deliveries of the last stage.")
      .def_readonly("links_used", &Report::links_used, "By round: directed links in use.")
      .def_readonly("link_load", &Report::link_load, "By round: the most packets on one directed link.")
      .def_readonly("violations", &Report::violations, "The first 20.")
      .def_readonly("violation_count", &Report::violation_count)
      .def("__bool__", [](const Report& report) { return report.claims_hold; })
      .def("__repr__", [](const Report& report) {
        if (!report.valid)
          return fmt::format("<isotrope.Report not valid: {}>", report.violations.front().message);
        return fmt::format("<isotrope.Report valid{}: {} rounds, at least {} needed>",
                           report.optimal ? ", optimal" : "", report.rounds, report.bound.value);
      });
}

}  // namespace isotrope::python
