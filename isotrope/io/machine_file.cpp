// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/machine_file.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/input_file.hpp"
#include "isotrope/io/network_file.hpp"

namespace isotrope::io {
namespace {

using Json = nlohmann::ordered_json;
using schedule::PortModel;

constexpr std::string_view format_name = "isotrope-machine/1";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw Error(fmt::format("{}: {}", file.string(), what));
}

// The values of one object. Each known key is read once.
class Fields {
 public:
  /// @param place of the object, before the names of its keys in errors
  Fields(const std::filesystem::path& file, const Json& object, std::string place = {})
      : file_(file), object_(object), place_(std::move(place)) {}

  const Json* find(const char* key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& required(const char* key) {
    if (const Json* value = find(key)) return *value;
    refuse(file_, fmt::format("no \"{}{}\": every {} has one", place_, key,
                              place_.empty() ? "machine file" : "link class"));
  }

  [[noreturn]] void fail(const char* key, const Json& value, std::string_view allowed) const {
    refuse(file_, fmt::format("\"{}{}\": {}: give {}", place_, key,
                              value.dump(-1, ' ', true, Json::error_handler_t::replace), allowed));
  }

  /// Seconds; 0 if they are left out.
  double seconds(const char* key) {
    return number(key, find(key), longest_time_s, "seconds, 0 to 1e9, such as 2e-6");
  }
  double required_seconds(const char* key) {
    return number(key, &required(key), longest_time_s, "seconds, 0 to 1e9, such as 2e-6");
  }
  /// A ratio of a time to the shortest time; 0 if it is left out.
  double spread(const char* key) {
    constexpr std::string_view allowed = "a ratio of times, 1 or more";
    const Json* value = find(key);
    const double ratio = number(key, value, HUGE_VAL, allowed);
    if (value && ratio < 1) fail(key, *value, allowed);
    return ratio;
  }
  double share(const char* key) { return number(key, find(key), 1, "a share from 0 to 1"); }
  std::uint64_t count(const char* key) {
    return value<std::uint64_t>(key, &Json::is_number_unsigned,
                                "a whole number of bytes, or 0 for any number");
  }
  bool flag(const char* key) { return value<bool>(key, &Json::is_boolean, "true or false"); }
  std::string text(const char* key, std::string_view allowed = "a text") {
    return value<std::string>(key, &Json::is_string, allowed);
  }
  /// A text of one character or more; empty if it is left out.
  std::string name(const char* key, std::string_view allowed) {
    const std::string result = text(key, allowed);
    if (const Json* found = find(key); found && result.empty()) fail(key, *found, allowed);
    return result;
  }
  /// The values of a list, each of which `read` takes, or gives nothing for; none if it is left out.
  template <class Value, class Read>
  std::vector<Value> list(const char* key, std::string_view allowed, const Read& read) {
    std::vector<Value> result;
    const Json* found = find(key);
    if (!found) return result;
    if (!found->is_array()) fail(key, *found, allowed);
    for (const Json& item : *found) {
      const std::optional<Value> one = read(item);
      if (!one) fail(key, item, allowed);
      result.push_back(*one);
    }
    return result;
  }

  /// Refuses keys that were not read. Call it last.
  void refuse_others() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      const std::vector<std::string_view> names(known_.begin(), known_.end());
      refuse(file_, fmt::format("unknown key \"{}{}\": {}", place_, key, name_hint(key, names)));
    }
  }

 private:
  double number(const char* key, const Json* value, double most, std::string_view allowed) const {
    const double number = !value ? 0 : value->is_number() ? value->get<double>() : -1;
    if (std::isfinite(number) && number >= 0 && number <= most) return number;
    fail(key, *value, allowed);
  }

  template <class Value>
  Value value(const char* key, bool (Json::*is_such)() const noexcept, std::string_view allowed) {
    const Json* found = find(key);
    if (!found) return {};
    if ((found->*is_such)()) return found->get<Value>();
    fail(key, *found, allowed);
  }

  const std::filesystem::path& file_;
  const Json& object_;
  std::string place_;
  std::vector<std::string> known_;
};

const std::array named_ports{std::pair("all", PortModel::all()), std::pair("one", PortModel::one()),
                             std::pair("half", PortModel::half())};

PortModel ports_of(Fields& fields) {
  const Json* value = fields.find("ports");
  if (!value) return cost::Machine{}.ports;
  if (value->is_number_unsigned() && *value >= 1 && *value <= network::largest_degree)
    return PortModel::ports(value->get<schedule::Port>());
  for (const auto& [name, ports] : named_ports) {
    if (*value == name) return ports;
  }
  fields.fail("ports", *value, "\"all\", \"one\", \"half\", or a number of ports from 1");
}

std::uint64_t axes_of(Fields& fields) {
  const std::string allowed =
      fmt::format("a list of axes, whole numbers from 0 to {}", cost::most_class_axes - 1);
  const Json& value = fields.required("axes");
  if (!value.is_array() || value.empty()) fields.fail("axes", value, allowed);
  std::uint64_t axes = 0;
  for (const Json& axis : value) {
    if (!axis.is_number_unsigned() || axis >= cost::most_class_axes) fields.fail("axes", value, allowed);
    axes |= std::uint64_t{1} << axis.get<unsigned>();
  }
  return axes;
}

cost::LinkClass link_class_of(const std::filesystem::path& file, const Json& value, std::size_t number) {
  const std::string key = fmt::format("link_classes[{}]", number);
  if (!value.is_object()) refuse(file, fmt::format("\"{}\": give an object with \"axes\" and times", key));
  Fields fields(file, value, key + ".");
  cost::LinkClass result{.axes = axes_of(fields)};
  if (fields.find("startup_s")) result.startup_s = fields.seconds("startup_s");
  if (fields.find("byte_time_s")) result.byte_time_s = fields.seconds("byte_time_s");
  if (!result.startup_s && !result.byte_time_s)
    refuse(file, fmt::format("\"{}\": no times: give \"startup_s\", \"byte_time_s\" or both", key));
  fields.refuse_others();
  return result;
}

void read_link_classes(const std::filesystem::path& file, Fields& fields, cost::Machine& machine) {
  const Json* list = fields.find("link_classes");
  if (!list) return;
  const std::string allowed = fmt::format("a list of at most {} link classes", cost::most_link_classes);
  if (!list->is_array() || list->size() > cost::most_link_classes)
    fields.fail("link_classes", *list, allowed);
  for (const Json& value : *list) {
    machine.listed_classes[machine.link_class_count] = link_class_of(file, value, machine.link_class_count);
    ++machine.link_class_count;
  }
}

std::optional<network::Node> node_of(const Json& value) {
  if (!value.is_number_unsigned() || value >= network::largest_order) return std::nullopt;
  return value.get<network::Node>();
}

std::optional<std::string> link_of(const Json& value) {
  if (!value.is_string() || value.get<std::string>().find(',') != std::string::npos) return std::nullopt;
  return value.get<std::string>();
}

std::optional<std::uint32_t> ranks_per_node_of(Fields& fields) {
  const Json* value = fields.find("ranks_per_node");
  if (!value) return std::nullopt;
  if (value->is_number_unsigned() && *value >= 1 && *value <= most_ranks_per_node)
    return value->get<std::uint32_t>();
  fields.fail("ranks_per_node", *value, fmt::format("a whole number, 1 to {}", most_ranks_per_node));
}

MemoryTimes memory_of(const std::filesystem::path& file, Fields& fields) {
  const Json* value = fields.find("memory");
  if (!value) return {};
  if (!value->is_object())
    fields.fail("memory", *value, "an object with \"startup_s\", \"byte_time_s\" or both");
  Fields times(file, *value, "memory.");
  MemoryTimes result;
  if (times.find("startup_s")) result.startup_s = times.seconds("startup_s");
  if (times.find("byte_time_s")) result.byte_time_s = times.seconds("byte_time_s");
  times.refuse_others();
  return result;
}

// A path in the machine file as one from the folder of the process.
std::string path_from(const std::filesystem::path& file, const std::string& path) {
  return (file.parent_path() / path).string();
}

// The other way round, for a file in another folder. Absolute paths stay.
std::string path_for(const std::filesystem::path& file, const std::string& path) {
  if (std::filesystem::path(path).is_absolute()) return path;
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return std::filesystem::absolute(path).lexically_proximate(folder).string();
}

void read_ranks(const std::filesystem::path& file, Fields& fields, MachineNodes& nodes) {
  constexpr std::string_view allowed = "the path of a rank file, or a list of nodes by rank";
  const Json* value = fields.find("ranks");
  if (!value) return;
  if (value->is_string()) {
    nodes.ranks_file = path_from(file, fields.name("ranks", allowed));
    return;
  }
  nodes.nodes_of_ranks = fields.list<network::Node>("ranks", allowed, node_of);
  if (nodes.nodes_of_ranks.empty()) fields.fail("ranks", *value, allowed);
}

MachineNodes nodes_of(const std::filesystem::path& file, Fields& fields) {
  MachineNodes result;
  result.network =
      fields.name("network", "the name of a network, such as \"torus:4x4\", or the path of a network file");
  if (names_network_file(result.network)) result.network = path_from(file, result.network);
  result.failed_nodes = fields.list<network::Node>("failed_nodes", "a list of nodes, as [5, 12]", node_of);
  result.failed_links = fields.list<std::string>(
      "failed_links", "a list of links, each as two nodes or a node and a port, as [\"3-4\", \"7:0\"]",
      link_of);
  result.ranks_per_node = ranks_per_node_of(fields);
  result.memory = memory_of(file, fields);
  read_ranks(file, fields, result);
  if (!result.network.empty()) return result;
  const char* const lost = !result.failed_nodes.empty()   ? "failed_nodes"
                           : !result.failed_links.empty() ? "failed_links"
                           : fields.find("ranks")         ? "ranks"
                                                          : nullptr;
  if (lost)
    refuse(file, fmt::format("\"{}\" without \"network\": give the network of these nodes too", lost));
  return result;
}

Json in_json(const MemoryTimes& memory) {
  Json result = Json::object();
  if (memory.startup_s) result["startup_s"] = *memory.startup_s;
  if (memory.byte_time_s) result["byte_time_s"] = *memory.byte_time_s;
  return result;
}

void add_nodes(const std::filesystem::path& file, const MachineNodes& nodes, Json& object) {
  if (!nodes.network.empty())
    object["network"] = names_network_file(nodes.network) ? path_for(file, nodes.network) : nodes.network;
  if (!nodes.failed_nodes.empty()) object["failed_nodes"] = nodes.failed_nodes;
  if (!nodes.failed_links.empty()) object["failed_links"] = nodes.failed_links;
  if (nodes.ranks_per_node) object["ranks_per_node"] = *nodes.ranks_per_node;
  if (nodes.memory != MemoryTimes()) object["memory"] = in_json(nodes.memory);
  if (!nodes.ranks_file.empty()) object["ranks"] = path_for(file, nodes.ranks_file);
  if (!nodes.nodes_of_ranks.empty()) object["ranks"] = nodes.nodes_of_ranks;
}

Json in_json(const cost::LinkClass& links) {
  Json result{{"axes", Json::array()}};
  for (std::uint32_t axis = 0; axis < cost::most_class_axes; ++axis) {
    if ((links.axes >> axis & 1) != 0) result["axes"].push_back(axis);
  }
  if (links.startup_s) result["startup_s"] = *links.startup_s;
  if (links.byte_time_s) result["byte_time_s"] = *links.byte_time_s;
  return result;
}

Json in_json(PortModel given) {
  for (const auto& [name, ports] : named_ports) {
    if (ports.kind == given.kind) return name;
  }
  return given.k;
}

// Refuses several values of a key, of which the library keeps the last.
Json parse_object(const std::filesystem::path& file, std::string_view text) {
  std::vector<std::set<std::string>> open;
  const auto refuse_doubles = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      refuse(file, fmt::format("\"{}\" is given twice", parsed.get<std::string>()));
    return true;
  };
  try {
    Json object = Json::parse(text, refuse_doubles);
    if (!object.is_object()) refuse(file, "not a machine: give one JSON object");
    return object;
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();
    refuse(file, fmt::format("not JSON: {}", what.substr(std::min(what.size(), what.find("] ") + 2))));
  }
}

NamedMachine machine_of(const std::filesystem::path& file, const Json& object) {
  Fields fields(file, object);
  if (const Json& format = fields.required("format"); format != format_name)
    fields.fail("format", format, fmt::format("\"{}\", the only one known", format_name));
  NamedMachine result;
  cost::Machine& machine = result.machine;
  result.name = fields.text("name");
  machine.startup_s = fields.required_seconds("startup_s");
  machine.byte_time_s = fields.required_seconds("byte_time_s");
  machine.ports = ports_of(fields);
  machine.internal_packet = fields.count("internal_packet");
  machine.largest_message = fields.count("largest_message");
  machine.overhead_s = fields.seconds("overhead_s");
  machine.overhead_byte_s = fields.seconds("overhead_byte_s");
  machine.receive_overhead_s = fields.seconds("receive_overhead_s");
  machine.overlap = fields.share("overlap");
  machine.cut_through = fields.flag("cut_through");
  machine.hop_time_s = fields.seconds("hop_time_s");
  result.spread = fields.spread("spread");
  read_link_classes(file, fields, machine);
  result.nodes = nodes_of(file, fields);
  fields.refuse_others();
  return result;
}

void require_consistent(const std::filesystem::path& file, const cost::Machine& machine) {
  try {
    check(machine, network::largest_degree);
  } catch (const Error& error) {
    refuse(file, error.what());
  }
}

}  // namespace

NamedMachine read_machine(const std::filesystem::path& file) {
  require_input(file);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  const auto reason = [] { return std::generic_category().message(errno); };
  if (!in) refuse(file, fmt::format("cannot open this file: {}", reason()));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) refuse(file, fmt::format("cannot read this file: {}", reason()));
  return parse_machine(file, text);
}

NamedMachine parse_machine(const std::filesystem::path& file, std::string_view text) {
  NamedMachine result = machine_of(file, parse_object(file, text));
  require_consistent(file, result.machine);
  return result;
}

void write_machine(const std::filesystem::path& file, const NamedMachine& machine) {
  const cost::Machine& m = machine.machine;
  require_consistent(file, m);
  Json object{{"format", format_name},
              {"name", machine.name},
              {"startup_s", m.startup_s},
              {"byte_time_s", m.byte_time_s},
              {"ports", in_json(m.ports)},
              {"internal_packet", m.internal_packet},
              {"largest_message", m.largest_message},
              {"overhead_s", m.overhead_s},
              {"overhead_byte_s", m.overhead_byte_s},
              {"receive_overhead_s", m.receive_overhead_s},
              {"overlap", m.overlap},
              {"cut_through", m.cut_through},
              {"hop_time_s", m.hop_time_s}};
  if (machine.spread != 0) object["spread"] = machine.spread;
  for (const cost::LinkClass& links : m.link_classes()) object["link_classes"].push_back(in_json(links));
  add_nodes(file, machine.nodes, object);
  const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  io::write_atomically(file, [&](std::ostream& out) { out << text; });
}

}  // namespace isotrope::io
