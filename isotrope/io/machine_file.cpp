// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/machine_file.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
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
    known_.emplace_back(key);
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
    return number(key, find(key), HUGE_VAL, "seconds, 0 or more, such as 2e-6");
  }
  double required_seconds(const char* key) {
    return number(key, &required(key), HUGE_VAL, "seconds, 0 or more, such as 2e-6");
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
  std::string text(const char* key) { return value<std::string>(key, &Json::is_string, "a text"); }

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
Json parse_object(const std::filesystem::path& file, std::istream& in) {
  std::vector<std::set<std::string>> open;
  const auto refuse_doubles = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      refuse(file, fmt::format("\"{}\" is given twice", parsed.get<std::string>()));
    return true;
  };
  try {
    Json object = Json::parse(in, refuse_doubles);
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
  std::ifstream in(file);
  if (!in) refuse(file, fmt::format("cannot open this file: {}", std::generic_category().message(errno)));
  NamedMachine result = machine_of(file, parse_object(file, in));
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
  const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  io::write_atomically(file, [&](std::ostream& out) { out << text; });
}

}  // namespace isotrope::io
