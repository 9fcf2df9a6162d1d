// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the module, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace isotrope::python {

namespace py = pybind11;

/// Calls isotrope._figures.NAME(object, ...), which needs packages that are imported at the first use only.
template <class... Arguments>
py::object figure(const char* name, const Arguments&... arguments) {
  return py::module_::import("isotrope._figures").attr(name)(arguments...);
}

void add_networks(py::module_& module);
void add_machines(py::module_& module);
void add_plans(py::module_& module);
void add_reports(py::module_& module);
void add_planning(py::module_& module);
void add_comparison(py::module_& module);
void add_simulation(py::module_& module);
void add_own_algorithms(py::module_& module);
/// Of the module's catalogue: each module has the libraries, and so a catalogue, of its own.
void add_registration(py::module_& module);

}  // namespace isotrope::python
