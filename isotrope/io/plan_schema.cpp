// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/plan_schema.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/io/plan_vocabulary.hpp"

namespace isotrope::io {
namespace {

// When a key may be left out; the keys that version 2 added always may.
enum class Presence { required, optional, of_version_2 };
using enum Presence;

struct Field {
  std::string_view name;
  const ValueRule* rule;
  Presence presence = required;
};

}  // namespace

// The values that a place allows: every kind that has an action, fields or an element here.
struct ValueRule {
  void (*number)(RawPlan&, std::uint64_t) = nullptr;
  std::uint64_t largest = UINT32_MAX;  // number
  void (*text)(RawPlan&, std::string_view) = nullptr;
  void (*flag)(RawPlan&, bool) = nullptr;
  std::span<const Field> object = {};
  std::span<const Field> tuple = {};   // an array of exactly these
  const ValueRule* element = nullptr;  // an array of any length
  void (*begin)(RawPlan&) = nullptr;
  void (*end)(RawPlan&) = nullptr;
};

namespace {

using schedule::Claims;
using schedule::Stage;

// The place to which a path of members and functions leads from `object`.
template <auto first, auto... rest>
auto& place(auto& object) {
  auto& next = std::invoke(first, object);
  if constexpr (sizeof...(rest) == 0) {
    return next;
  } else {
    return place<rest...>(next);
  }
}

// A number that is stored at a path, or appended to the list there.
template <class Number, auto... path>
constexpr ValueRule number_of{.number =
                                  [](RawPlan& r, std::uint64_t v) {
                                    auto& to = place<path...>(r);
                                    if constexpr (requires { to = Number{}; }) {
                                      to = static_cast<Number>(v);
                                    } else {
                                      to.push_back(static_cast<Number>(v));
                                    }
                                  },
                              .largest = std::numeric_limits<Number>::max()};

template <auto... path>
constexpr ValueRule number = number_of<std::uint32_t, path...>;
template <auto... path>
constexpr ValueRule large_number = number_of<std::uint64_t, path...>;

template <auto... path>
constexpr ValueRule text{.text = [](RawPlan& r, std::string_view v) { place<path...>(r) = v; }};

template <const auto& words, auto... path>
constexpr ValueRule word{.text = [](RawPlan& r, std::string_view v) { place<path...>(r) = words.value(v); }};

template <const ValueRule& element>
constexpr ValueRule array_of{.element = &element};

template <auto... path>
constexpr ValueRule numbers = array_of<number<path...>>;

// The rules, innermost first; docs/plan-file.md defines the values.

constexpr auto stage = [](RawPlan& r) -> Stage& { return r.schedule.stages.back(); };
constexpr auto stage_keys = [](RawPlan& r) -> StageKeys& { return r.stage_keys.back(); };
constexpr auto sum = [](RawPlan& r) -> schedule::Sum& { return stage(r).sums.back(); };
constexpr auto result_values = [](RawPlan & r) -> auto& {
  return stage(r).result.back();
};
constexpr auto claims = [](RawPlan& r) -> Claims& { return *r.claims; };
constexpr auto network = [](RawPlan& r) -> RawGroup& { return r.network; };
constexpr auto overlay = [](RawPlan& r) -> RawGroup& { return *r.overlay; };

template <auto group>
constexpr auto moduli = [](RawPlan& r) -> auto& {
  return *group(r).moduli;
};
template <auto group>
constexpr ValueRule moduli_rule{.element = &number<moduli<group>>,
                                .begin = [](RawPlan& r) { group(r).moduli.emplace(); }};
template <auto group>
constexpr ValueRule generator_rule{.element = &number<group, &RawGroup::coordinates>, .end = [](RawPlan& r) {
                                     group(r).generator_ends->push_back(group(r).coordinates.size());
                                   }};
template <auto group>
constexpr ValueRule generators_rule{.element = &generator_rule<group>,
                                    .begin = [](RawPlan& r) { group(r).generator_ends.emplace(); }};

constexpr Field network_fields[] = {{"name", &text<&RawPlan::network_name>},
                                    {"moduli", &moduli_rule<network>, optional},
                                    {"generators", &generators_rule<network>, optional}};
constexpr ValueRule network_rule{.object = network_fields};
constexpr Field overlay_fields[] = {{"moduli", &moduli_rule<overlay>},
                                    {"generators", &generators_rule<overlay>}};
constexpr ValueRule overlay_rule{.object = overlay_fields, .begin = [](RawPlan& r) { r.overlay.emplace(); }};

constexpr Field link_fields[] = {{"node", &number<&RawPlan::link, &schedule::Link::node>},
                                 {"port", &number<&RawPlan::link, &schedule::Link::port>}};
constexpr ValueRule failed_link{.tuple = link_fields,
                                .end = [](RawPlan& r) { r.failed.links.push_back(r.link); }};
constexpr Field failed_fields[] = {
    {"nodes", &numbers<&RawPlan::failed, &schedule::Failures::nodes>, optional},
    {"links", &array_of<failed_link>, optional}};
constexpr ValueRule failed{.object = failed_fields};

constexpr Field edge_fields[] = {{"low", &number<&RawPlan::edge, &network::Edge::low>},
                                 {"high", &number<&RawPlan::edge, &network::Edge::high>}};
constexpr ValueRule edge{.tuple = edge_fields, .end = [](RawPlan& r) { r.failed.edges.push_back(r.edge); }};
constexpr ValueRule edges{.element = &edge, .begin = [](RawPlan& r) { r.has_edges = true; }};

constexpr Field destination_fields[] = {
    {"to", &number<&RawPlan::blocks, &schedule::RelativeDestination::to>},
    {"blocks", &number<&RawPlan::blocks, &schedule::RelativeDestination::blocks>}};
constexpr ValueRule destination{.tuple = destination_fields,
                                .end = [](RawPlan& r) { r.destinations.push_back(r.blocks); }};

constexpr Field delivery_fields[] = {{"from", &number<&RawPlan::delivery, &schedule::Delivery::from>},
                                     {"to", &number<&RawPlan::delivery, &schedule::Delivery::to>},
                                     {"blocks", &number<&RawPlan::delivery, &schedule::Delivery::blocks>}};
constexpr ValueRule delivery{.tuple = delivery_fields,
                             .end = [](RawPlan& r) { r.deliveries.push_back(r.delivery); }};

constexpr Field port_fields[] = {
    {"model", &word<port_words, &RawPlan::schedule, &schedule::Schedule::ports, &schedule::PortModel::kind>},
    {"k", &number<&RawPlan::k>, optional}};
constexpr ValueRule ports{.object = port_fields};

template <auto axes>
constexpr ValueRule symmetry_axes{.element = &number<stage_keys, axes>,
                                  .begin = [](RawPlan& r) { stage_keys(r).has_symmetry = true; }};

constexpr Field replication_fields[] = {
    {"even_axis", &number<stage_keys, &StageKeys::even_axes>, optional},
    {"even_axes", &numbers<stage_keys, &StageKeys::even_axes>, of_version_2},
    {"translations", &symmetry_axes<&StageKeys::translations>, of_version_2},
    {"reflections", &symmetry_axes<&StageKeys::reflections>, of_version_2}};
constexpr ValueRule replication{
    .text = word<replication_words, stage, &Stage::replication, &schedule::Replication::kind>.text,
    .object = replication_fields,
    .begin = [](RawPlan& r) { stage(r).replication.kind = schedule::Replication::Kind::even_axis; }};

constexpr ValueRule packet_to{
    .number = number<&RawPlan::packet, &schedule::Packet::to>.number,
    .largest = schedule::to_all - 1,
    .text = [](RawPlan& r, std::string_view v) {
      if (v != every_node)
        throw Error(fmt::format("unknown {}: give a node or \"{}\"", in_quotes(v), every_node));
      r.packet.to = schedule::to_all;
    }};
constexpr Field packet_fields[] = {{"origin", &number<&RawPlan::packet, &schedule::Packet::origin>},
                                   {"to", &packet_to},
                                   {"block", &number<&RawPlan::packet, &schedule::Packet::block>},
                                   {"part", &number<&RawPlan::packet, &schedule::Packet::part>}};
constexpr ValueRule packet{.tuple = packet_fields,
                           .end = [](RawPlan& r) { stage(r).packets.push_back(r.packet); }};
constexpr ValueRule packets{.element = &packet,
                            .begin = [](RawPlan& r) { stage_keys(r).lists_packets = true; }};

constexpr Field sum_fields[] = {{"part", &number<sum, &schedule::Sum::part>},
                                {"values", &numbers<sum, &schedule::Sum::values>}};
constexpr ValueRule sum_rule{.tuple = sum_fields, .begin = [](RawPlan& r) { stage(r).sums.emplace_back(); }};
constexpr ValueRule result_rule{.element = &number<result_values>,
                                .begin = [](RawPlan& r) { stage(r).result.emplace_back(); }};

constexpr Field hop_fields[] = {{"packet", &number<&RawPlan::hop, &schedule::Hop::packet>},
                                {"from", &number<&RawPlan::hop, &schedule::Hop::from>},
                                {"port", &number<&RawPlan::hop, &schedule::Hop::port>}};
constexpr ValueRule hop{.tuple = hop_fields, .end = [](RawPlan& r) { stage(r).rounds.add(r.hop); }};
constexpr ValueRule round{.element = &hop, .end = [](RawPlan& r) { stage(r).rounds.close_round(); }};

constexpr Field stage_fields[] = {{"flow", &word<flow_words, stage_keys, &StageKeys::flow>, optional},
                                  {"replication", &replication, optional},
                                  {"packets", &packets, optional},
                                  {"hops", &array_of<round>},
                                  {"sums", &array_of<sum_rule>, of_version_2},
                                  {"result", &array_of<result_rule>, of_version_2}};
constexpr ValueRule stage_rule{.object = stage_fields, .begin = [](RawPlan& r) {
                                 r.schedule.stages.emplace_back();
                                 r.stage_keys.emplace_back();
                               }};

constexpr ValueRule bound_kind{.text = [](RawPlan& r, std::string_view v) {
  if (v.empty()) throw Error("empty: name the kind of bound, or leave 'bound' out");
  r.bound.kind = v;
}};
constexpr Field bound_fields[] = {
    {"kind", &bound_kind},
    {"value", &large_number<&RawPlan::bound, &schedule::Bound::value>},
    {"because", &text<&RawPlan::bound, &schedule::Bound::because>, optional},
    {"weights", &numbers<&RawPlan::bound, &schedule::Bound::weights>, of_version_2}};
constexpr ValueRule bound{.object = bound_fields};

constexpr ValueRule claimed_optimal{.flag = [](RawPlan& r, bool v) { r.claims->optimal = v; }};
constexpr ValueRule link_load{.element = &large_number<claims, &Claims::link_load>,
                              .begin = [](RawPlan& r) { r.has_link_load = true; }};
constexpr Field claims_fields[] = {{"rounds", &large_number<claims, &Claims::rounds>},
                                   {"hops", &large_number<claims, &Claims::hops>},
                                   {"optimal", &claimed_optimal, optional},
                                   {"link_load", &link_load, optional}};
constexpr ValueRule claims_rule{.object = claims_fields, .begin = [](RawPlan& r) { r.claims.emplace(); }};

constexpr ValueRule waiting{.flag = [](RawPlan& r, bool v) { r.schedule.waiting = v; }};
constexpr auto step_limits = [](RawPlan& r) -> schedule::StepLimits& { return *r.step_limits; };
constexpr Field step_fields[] = {{"sends", &number<step_limits, &schedule::StepLimits::sends>},
                                 {"load", &number<step_limits, &schedule::StepLimits::load>}};
constexpr ValueRule steps{.object = step_fields, .begin = [](RawPlan& r) { r.step_limits.emplace(); }};
constexpr ValueRule barriers{.element = &large_number<&RawPlan::schedule, &schedule::Schedule::barriers>};

constexpr ValueRule format{.text = [](RawPlan& r, std::string_view v) {
  const auto found = std::ranges::find(plan_versions, v);
  if (found == plan_versions.end())
    throw Error(
        fmt::format("{}: this program reads '{}'", in_quotes(v), fmt::join(plan_versions, "' and '")));
  r.version = static_cast<std::uint32_t>(found - plan_versions.begin()) + 1;
}};

constexpr Field plan_fields[] = {
    {"format", &format},
    {"network", &network_rule},
    {"failed", &failed, optional},
    {"collective", &text<&RawPlan::collective>},
    {"root", &number<&RawPlan::root>, optional},
    {"parts", &number<&RawPlan::parts>, optional},
    {"ports", &ports, optional},
    {"rounds", &word<round_words, &RawPlan::schedule, &schedule::Schedule::round_kind>, optional},
    {"stages", &array_of<stage_rule>},
    {"bound", &bound, optional},
    {"claims", &claims_rule, optional},
    {"aggregation", &large_number<&RawPlan::aggregation>, of_version_2},
    {"window", &number<&RawPlan::window>, of_version_2},
    {"chains", &number<&RawPlan::chains>, of_version_2},
    {"shares", &numbers<&RawPlan::shares>, of_version_2},
    {"waiting", &waiting, of_version_2},
    {"barriers", &barriers, of_version_2},
    {"step_limits", &steps, of_version_2},
    {"destinations", &array_of<destination>, of_version_2},
    {"deliveries", &array_of<delivery>, of_version_2},
    {"overlay", &overlay_rule, of_version_2},
    {"open_axes", &numbers<&RawPlan::failed, &schedule::Failures::open_axes>, of_version_2},
    {"edges", &edges, of_version_2}};
constexpr ValueRule plan{.object = plan_fields};

std::vector<std::string_view> names(std::span<const Field> fields) {
  std::vector<std::string_view> result;
  for (const Field& field : fields) result.push_back(field.name);
  return result;
}

// The values that `rule` allows, in words.
std::string wanted(const ValueRule& rule) {
  std::vector<std::string> kinds;
  if (rule.number != nullptr) kinds.push_back(fmt::format("a whole number 0..{}", rule.largest));
  if (rule.text != nullptr) kinds.push_back("text");
  if (rule.flag != nullptr) kinds.push_back("true or false");
  if (!rule.object.empty())
    kinds.push_back(fmt::format("an object with {}", fmt::join(names(rule.object), ", ")));
  if (!rule.tuple.empty()) kinds.push_back(fmt::format("[{}]", fmt::join(names(rule.tuple), ", ")));
  if (rule.element != nullptr) kinds.push_back("an array");
  return fmt::format("{}", fmt::join(kinds, " or "));
}

// Names all missing keys at once. `seen` has one bit per field.
void require_keys(std::span<const Field> fields, std::uint32_t seen) {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((seen >> i & 1) == 0 && fields[i].presence == required) missing.push_back(fields[i].name);
  }
  if (missing.empty()) return;
  throw Error(fmt::format("key{} '{}' {} missing", missing.size() == 1 ? "" : "s", fmt::join(missing, "', '"),
                          missing.size() == 1 ? "is" : "are"));
}

}  // namespace

const ValueRule& PlanSchema::expected() const {
  if (frames_.empty()) return plan;
  const OpenValue& top = frames_.back();
  if (top.keyed) return *top.rule->object[top.position].rule;
  if (top.rule->element != nullptr) return *top.rule->element;
  if (top.position == top.rule->tuple.size()) {
    throw Error(fmt::format("one value too many: expected {}", wanted(*top.rule)));
  }
  return *top.rule->tuple[top.position].rule;
}

void PlanSchema::begin(const ValueRule& rule, bool keyed) {
  if (rule.begin != nullptr) rule.begin(raw_);
  frames_.push_back({&rule, keyed, keyed ? rule.object.size() : 0, 0});
}

void PlanSchema::begin_object() {
  const ValueRule& rule = expected();
  if (rule.object.empty()) other("an object");
  begin(rule, true);
}

void PlanSchema::begin_array() {
  const ValueRule& rule = expected();
  if (rule.tuple.empty() && rule.element == nullptr) other("an array");
  begin(rule, false);
}

void PlanSchema::key(std::string_view name) {
  OpenValue& top = frames_.back();
  const std::span<const Field> fields = top.rule->object;
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found == fields.end()) {
    throw Error(fmt::format("unknown key {}: {}", in_quotes(name), name_hint(name, names(fields))));
  }
  top.position = static_cast<std::uint64_t>(found - fields.begin());
  const std::uint32_t bit = std::uint32_t{1} << top.position;
  if ((top.seen & bit) != 0) throw Error("the key stands here twice");
  top.seen |= bit;
  if (found->presence == of_version_2 && raw_.first_key_of_version_2.empty())
    raw_.first_key_of_version_2 = place();
}

void PlanSchema::end() {
  const OpenValue done = frames_.back();
  frames_.pop_back();
  const ValueRule& rule = *done.rule;
  if (done.keyed) {
    require_keys(rule.object, done.seen);
  } else if (done.position < rule.tuple.size()) {
    throw Error(fmt::format("{} given: expected {}", done.position, wanted(rule)));
  }
  if (rule.end != nullptr) rule.end(raw_);
  advance();
}

void PlanSchema::advance() {
  if (frames_.empty()) return;
  OpenValue& top = frames_.back();
  top.position = top.keyed ? top.rule->object.size() : top.position + 1;
}

void PlanSchema::number(std::uint64_t value) {
  const ValueRule& rule = expected();
  if (rule.number == nullptr || value > rule.largest) other(fmt::format("{}", value));
  rule.number(raw_, value);
  advance();
}

void PlanSchema::text(std::string_view value) {
  const ValueRule& rule = expected();
  if (rule.text == nullptr) other(in_quotes(value));
  rule.text(raw_, value);
  advance();
}

void PlanSchema::flag(bool value) {
  const ValueRule& rule = expected();
  if (rule.flag == nullptr) other(value ? "true" : "false");
  rule.flag(raw_, value);
  advance();
}

void PlanSchema::other(std::string_view given) const {
  throw Error(fmt::format("{}: expected {}", given, wanted(expected())));
}

std::string PlanSchema::place() const {
  std::string result;
  for (const OpenValue& frame : frames_) {
    if (!frame.keyed) {
      result += fmt::format("[{}]", frame.position);
    } else if (frame.position < frame.rule->object.size()) {
      result.append(result.empty() ? "" : ".").append(frame.rule->object[frame.position].name);
    }
  }
  return result.empty() ? "the plan" : result;
}

}  // namespace isotrope::io
