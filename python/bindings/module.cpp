// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The module isotrope._isotrope. isotrope::Error becomes isotrope.Error, a ValueError, with the same words.
#include "python/bindings/module.hpp"

#include "isotrope/base/error.hpp"
#include "isotrope/base/quantity.hpp"

namespace isotrope::python {

PYBIND11_MODULE(_isotrope, module) {
  module.attr("__version__") = ISOTROPE_VERSION;
  const auto& error = py::register_exception<Error>(module, "Error", PyExc_ValueError);
  error.attr("__module__") = "isotrope";
  error.attr("__doc__") = "Bad input. The message says what was given, what is allowed and what to do.";
  module.def("parse_size", &parse_size, py::arg("text"));
  add_networks(module);
  add_machines(module);
  add_reports(module);
  add_plans(module);
  add_planning(module);
  add_comparison(module);
  add_simulation(module);
  add_own_algorithms(module);
}

}  // namespace isotrope::python
