// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <pybind11/stl.h>
#include <string>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/text_file.hpp"

#include "python/bindings/module.hpp"
#include "python/bindings/nodes.hpp"

namespace isotrope::python {
namespace {

GivenMachine read_machine(const std::string& file) {
  return {io::read_machine(file), file};
}

GivenMachine cluster() {
  io::NamedMachine named;
  named.machine = cost::cluster();
  named.machine.ports = schedule::PortModel::all();
  return {named};
}

// Times in seconds; a value that is not given stays.
GivenMachine with_times(GivenMachine machine, std::optional<double> startup, std::optional<double> byte_time,
                        std::optional<std::uint64_t> internal_packet, std::optional<double> overlap,
                        std::optional<double> overhead) {
  cost::Machine& times = machine.named.machine;
  times.startup_s = startup.value_or(times.startup_s);
  times.byte_time_s = byte_time.value_or(times.byte_time_s);
  times.internal_packet = internal_packet.value_or(times.internal_packet);
  times.overlap = overlap.value_or(times.overlap);
  times.overhead_s = overhead.value_or(times.overhead_s);
  return machine;
}

Nodes nodes_of(const GivenMachine& machine) {
  if (machine.named.nodes.network.empty())
    throw Error(machine.file.empty()
                    ? std::string("this machine has no network: read one from a machine file that gives it")
                    : fmt::format("no network: add \"network\" to {}", machine.file));
  Nodes nodes{io::nodes_of_machine(machine.file, machine.named.nodes, io::read_text)};
  if (io::names_network_file(machine.named.nodes.network))
    nodes.coordinates = io::read_network_file(machine.named.nodes.network).coordinates;
  return nodes;
}

template <auto Member>
auto time_of(const GivenMachine& machine) {
  return machine.named.machine.*Member;
}

}  // namespace

void add_machines(py::module_& module) {
  using cost::Machine;
  py::class_<GivenMachine>(module, "Machine", R"(What messages cost. Made by isotrope.machine().

Times are in seconds, sizes in bytes.)")
      .def_property_readonly("name", [](const GivenMachine& machine) { return machine.named.name; })
      .def_property_readonly("startup", &time_of<&Machine::startup_s>, "Seconds per start-up of a message.")
      .def_property_readonly("byte_time", &time_of<&Machine::byte_time_s>, "Seconds per byte on a link.")
      .def_property_readonly("internal_packet", &time_of<&Machine::internal_packet>,
                             "Bytes per start-up; 0: any number.")
      .def_property_readonly("overlap", &time_of<&Machine::overlap>,
                             "0..1: the share of an action that may run beside the next one on another port.")
      .def_property_readonly("overhead", &time_of<&Machine::overhead_s>,
                             "Seconds that a message keeps its sender's processor busy.")
      .def_property_readonly(
          "ports", [](const GivenMachine& machine) { return to_string(machine.named.machine.ports); })
      .def_property_readonly("cut_through", &time_of<&Machine::cut_through>)
      .def_property_readonly("ranks_per_node", &GivenMachine::ranks_per_node)
      .def_property_readonly("network", &nodes_of,
                             "The network that the machine file gives. Raises Error if none.")
      .def("with_times", &with_times, py::kw_only(), py::arg("startup") = py::none(),
           py::arg("byte_time") = py::none(), py::arg("internal_packet") = py::none(),
           py::arg("overlap") = py::none(), py::arg("overhead") = py::none(),
           "The same machine with other times, in seconds.")
      .def("__repr__", [](const GivenMachine& machine) {
        const Machine& times = machine.named.machine;
        return fmt::format("<isotrope.Machine {}: {:g} us per start-up, {:g} ns per byte>",
                           machine.file.empty() ? "of times" : machine.file, times.startup_s * 1e6,
                           times.byte_time_s * 1e9);
      });
  module.def("read_machine", &read_machine, py::arg("file"));
  module.def("cluster", &cluster);
}

}  // namespace isotrope::python
