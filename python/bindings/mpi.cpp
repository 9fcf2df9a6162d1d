// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The module isotrope._mpi: collectives over a communicator of mpi4py. Communicators, datatypes and operations come as
// Fortran handles, so nothing of mpi4py is needed to build it; both must use the same MPI library.
#include <cstdint>
#include <exception>
#include <memory>
#include <mpi.h>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/nodes.hpp"

namespace isotrope::python {
namespace {

using mpi::Communicator;

// The elements of a contiguous array.
struct Elements {
  py::array array;
  std::int64_t count = 0;  // of a block
  MPI_Fint type = 0;
};

std::unique_ptr<Communicator> created(MPI_Fint comm, const std::optional<Nodes>& nodes,
                                      const std::optional<GivenMachine>& machine, bool check,
                                      bool reproducible,
                                      std::optional<std::vector<network::Node>> nodes_of_ranks) {
  mpi::CommunicatorOptions options{
      .check = check, .reproducible = reproducible, .nodes = std::move(nodes_of_ranks)};
  if (machine) {
    options.machine = machine->named.machine;
    options.ranks_per_node = machine->ranks_per_node();
  }
  const py::gil_scoped_release released;
  const MPI_Comm given = MPI_Comm_f2c(comm);
  return nodes ? std::make_unique<Communicator>(given, nodes->named, options)
               : std::make_unique<Communicator>(given, options);
}

// A buffer that is missing has the count and the type of the other one, as MPI wants of both.
mpi::Arguments arguments_of(const std::string& collective, const std::optional<Elements>& send,
                            const std::optional<Elements>& receive, int root, MPI_Fint operation,
                            bool in_place) {
  mpi::Arguments result{schedule::parse_collective(collective), {}, {}, root, MPI_Op_f2c(operation)};
  if (!send && !receive) return result;
  const Elements &sent = send ? *send : *receive, &received = receive ? *receive : *send;
  result.send = {nullptr, static_cast<MPI_Count>(sent.count), MPI_Type_f2c(sent.type)};
  result.receive = {nullptr, static_cast<MPI_Count>(received.count), MPI_Type_f2c(received.type)};
  if (in_place) result.send.address = MPI_IN_PLACE;
  if (send) result.send.address = send->array.data();
  if (receive) result.receive.address = py::array(receive->array).mutable_data();
  return result;
}

void run(Communicator& communicator, const std::string& collective, const std::optional<Elements>& send,
         const std::optional<Elements>& receive, int root, MPI_Fint operation, bool in_place) {
  const mpi::Arguments arguments = arguments_of(collective, send, receive, root, operation, in_place);
  int code = MPI_SUCCESS;
  {
    const py::gil_scoped_release released;
    code = communicator.run(arguments);
  }
  if (code != MPI_SUCCESS) throw Error(mpi::error_string(code));
}

// isotrope.Error is made by another module.
void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(py::module_::import("isotrope").attr("Error").ptr(), error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_mpi, module) {
  py::module_::import("isotrope._isotrope");  // Network and Machine
  py::register_local_exception_translator(&translate);
  add_registration(module);
  py::class_<Elements>(module, "Elements")
      .def(py::init<py::array, std::int64_t, MPI_Fint>(), py::arg("array"), py::arg("count"), py::arg("type"))
      .def_readonly("count", &Elements::count);
  py::class_<Communicator>(module, "Communicator")
      .def(py::init(&created), py::arg("comm"), py::arg("network"), py::kw_only(), py::arg("machine"),
           py::arg("check"), py::arg("reproducible"), py::arg("nodes"))
      .def_property_readonly("rank", &Communicator::rank)
      .def_property_readonly("size", &Communicator::size)
      .def("run", &run, py::arg("collective"), py::arg("send"), py::arg("receive"), py::kw_only(),
           py::arg("root"), py::arg("operation"), py::arg("in_place"));
}

}  // namespace isotrope::python
