// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/plan_schema.hpp"

#include <algorithm>
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
  const Rule* rule;
  Presence presence = required;
};

}  // namespace

// What may stand at a place: every kind of value that has an action, fields or an element here.
struct Rule {
  void (*number)(RawPlan&, std::uint64_t) = nullptr;
  std::uint64_t largest = UINT32_MAX;  // number
  void (*text)(RawPlan&, std::string_view) = nullptr;
  void (*flag)(RawPlan&, bool) = nullptr;
  std::span<const Field> object = {};
  std::span<const Field> tuple = {};  // an array of exactly these
  const Rule* element = nullptr;      // an array of any length
  void (*begin)(RawPlan&) = nullptr;
  void (*end)(RawPlan&) = nullptr;
};

namespace {

// The rules, innermost first; docs/plan-file.md defines the values.

constexpr schedule::Stage& stage_of(RawPlan& r) {
  return r.schedule.stages.back();
}

RawGroup& network_of(RawPlan& r) {
  return r.network;
}
RawGroup& overlay_of(RawPlan& r) {
  return *r.overlay;
}

template <RawGroup& (*group)(RawPlan&)>
constexpr Rule modulus_rule{.number = [](RawPlan& r, std::uint64_t v) {
  group(r).moduli->push_back(static_cast<network::Coordinate>(v));
}};
template <RawGroup& (*group)(RawPlan&)>
constexpr Rule moduli_rule{.element = &modulus_rule<group>,
                           .begin = [](RawPlan& r) { group(r).moduli.emplace(); }};
template <RawGroup& (*group)(RawPlan&)>
constexpr Rule coordinate_rule{.number = [](RawPlan& r, std::uint64_t v) {
  group(r).coordinates.push_back(static_cast<network::Coordinate>(v));
}};
template <RawGroup& (*group)(RawPlan&)>
constexpr Rule generator_rule{.element = &coordinate_rule<group>, .end = [](RawPlan& r) {
                                group(r).generator_ends->push_back(group(r).coordinates.size());
                              }};
template <RawGroup& (*group)(RawPlan&)>
constexpr Rule generators_rule{.element = &generator_rule<group>,
                               .begin = [](RawPlan& r) { group(r).generator_ends.emplace(); }};

constexpr Rule network_name{.text = [](RawPlan& r, std::string_view v) { r.network_name = v; }};
constexpr Field network_fields[] = {{"name", &network_name},
                                    {"moduli", &moduli_rule<network_of>, optional},
                                    {"generators", &generators_rule<network_of>, optional}};
constexpr Rule network_rule{.object = network_fields};
constexpr Field overlay_fields[] = {{"moduli", &moduli_rule<overlay_of>},
                                    {"generators", &generators_rule<overlay_of>}};
constexpr Rule overlay{.object = overlay_fields, .begin = [](RawPlan& r) { r.overlay.emplace(); }};

constexpr Rule failed_node{
    .number = [](RawPlan& r, std::uint64_t v) { r.failed.nodes.push_back(static_cast<network::Node>(v)); }};
constexpr Rule failed_nodes{.element = &failed_node};
constexpr Rule link_node{
    .number = [](RawPlan& r, std::uint64_t v) { r.link.node = static_cast<network::Node>(v); }};
constexpr Rule link_port{
    .number = [](RawPlan& r, std::uint64_t v) { r.link.port = static_cast<network::Port>(v); }};
constexpr Field link_fields[] = {{"node", &link_node}, {"port", &link_port}};
constexpr Rule failed_link{.tuple = link_fields, .end = [](RawPlan& r) { r.failed.links.push_back(r.link); }};
constexpr Rule failed_links{.element = &failed_link};
constexpr Field failed_fields[] = {{"nodes", &failed_nodes, optional}, {"links", &failed_links, optional}};
constexpr Rule failed{.object = failed_fields};

constexpr Rule destination_to{
    .number = [](RawPlan& r, std::uint64_t v) { r.blocks.to = static_cast<network::Node>(v); }};
constexpr Rule destination_blocks{
    .number = [](RawPlan& r, std::uint64_t v) { r.blocks.blocks = static_cast<std::uint32_t>(v); }};
constexpr Field destination_fields[] = {{"to", &destination_to}, {"blocks", &destination_blocks}};
constexpr Rule destination{.tuple = destination_fields,
                           .end = [](RawPlan& r) { r.destinations.push_back(r.blocks); }};
constexpr Rule destinations{.element = &destination};

constexpr Rule delivery_from{
    .number = [](RawPlan& r, std::uint64_t v) { r.delivery.from = static_cast<network::Node>(v); }};
constexpr Rule delivery_to{
    .number = [](RawPlan& r, std::uint64_t v) { r.delivery.to = static_cast<network::Node>(v); }};
constexpr Rule delivery_blocks{
    .number = [](RawPlan& r, std::uint64_t v) { r.delivery.blocks = static_cast<std::uint32_t>(v); }};
constexpr Field delivery_fields[] = {
    {"from", &delivery_from}, {"to", &delivery_to}, {"blocks", &delivery_blocks}};
constexpr Rule delivery{.tuple = delivery_fields,
                        .end = [](RawPlan& r) { r.deliveries.push_back(r.delivery); }};
constexpr Rule deliveries{.element = &delivery};

constexpr Rule port_model{
    .text = [](RawPlan& r, std::string_view v) { r.schedule.ports.kind = port_words.value(v); }};
constexpr Rule port_count{.number = [](RawPlan& r, std::uint64_t v) { r.k = static_cast<network::Port>(v); }};
constexpr Field port_fields[] = {{"model", &port_model}, {"k", &port_count, optional}};
constexpr Rule ports{.object = port_fields};

constexpr Rule flow{
    .text = [](RawPlan& r, std::string_view v) { r.stage_keys.back().flow = flow_words.value(v); }};
constexpr Rule even_axis{.number = [](RawPlan& r, std::uint64_t v) {
  stage_of(r).replication = schedule::Replication::even(static_cast<std::uint32_t>(v));
}};
constexpr Field replication_fields[] = {{"even_axis", &even_axis}};
constexpr Rule replication{.text =
                               [](RawPlan& r, std::string_view v) {
                                 stage_of(r).replication = {replication_words.value(v), 0};
                               },
                           .object = replication_fields};

constexpr Rule packet_origin{
    .number = [](RawPlan& r, std::uint64_t v) { r.packet.origin = static_cast<network::Node>(v); }};
constexpr Rule packet_to{
    .number = [](RawPlan& r, std::uint64_t v) { r.packet.to = static_cast<network::Node>(v); },
    .largest = schedule::to_all - 1,
    .text =
        [](RawPlan& r, std::string_view v) {
          if (v != every_node)
            throw Error(fmt::format("unknown {}: give a node or \"{}\"", in_quotes(v), every_node));
          r.packet.to = schedule::to_all;
        }};
constexpr Rule packet_block{
    .number = [](RawPlan& r, std::uint64_t v) { r.packet.block = static_cast<std::uint32_t>(v); }};
constexpr Rule packet_part{
    .number = [](RawPlan& r, std::uint64_t v) { r.packet.part = static_cast<std::uint32_t>(v); }};
constexpr Field packet_fields[] = {
    {"origin", &packet_origin}, {"to", &packet_to}, {"block", &packet_block}, {"part", &packet_part}};
constexpr Rule packet{.tuple = packet_fields,
                      .end = [](RawPlan& r) { stage_of(r).packets.push_back(r.packet); }};
constexpr Rule packets{.element = &packet,
                       .begin = [](RawPlan& r) { r.stage_keys.back().lists_packets = true; }};

constexpr Rule sum_part{.number = [](RawPlan& r, std::uint64_t v) {
  stage_of(r).sums.back().part = static_cast<std::uint32_t>(v);
}};
constexpr Rule sum_value{.number = [](RawPlan& r, std::uint64_t v) {
  stage_of(r).sums.back().values.push_back(static_cast<schedule::ValueId>(v));
}};
constexpr Rule sum_values{.element = &sum_value};
constexpr Field sum_fields[] = {{"part", &sum_part}, {"values", &sum_values}};
constexpr Rule sum{.tuple = sum_fields, .begin = [](RawPlan& r) { stage_of(r).sums.emplace_back(); }};
constexpr Rule sums{.element = &sum};

constexpr Rule result_value{.number = [](RawPlan& r, std::uint64_t v) {
  stage_of(r).result.back().push_back(static_cast<schedule::ValueId>(v));
}};
constexpr Rule result_list{.element = &result_value,
                           .begin = [](RawPlan& r) { stage_of(r).result.emplace_back(); }};
constexpr Rule result_lists{.element = &result_list};

constexpr Rule hop_packet{
    .number = [](RawPlan& r, std::uint64_t v) { r.hop.packet = static_cast<schedule::PacketId>(v); }};
constexpr Rule hop_from{
    .number = [](RawPlan& r, std::uint64_t v) { r.hop.from = static_cast<network::Node>(v); }};
constexpr Rule hop_port{
    .number = [](RawPlan& r, std::uint64_t v) { r.hop.port = static_cast<network::Port>(v); }};
constexpr Field hop_fields[] = {{"packet", &hop_packet}, {"from", &hop_from}, {"port", &hop_port}};
constexpr Rule hop{.tuple = hop_fields, .end = [](RawPlan& r) { stage_of(r).rounds.add(r.hop); }};
constexpr Rule round{.element = &hop, .end = [](RawPlan& r) { stage_of(r).rounds.close_round(); }};
constexpr Rule hops{.element = &round};

constexpr Field stage_fields[] = {{"flow", &flow, optional},       {"replication", &replication, optional},
                                  {"packets", &packets, optional}, {"hops", &hops},
                                  {"sums", &sums, of_version_2},   {"result", &result_lists, of_version_2}};
constexpr Rule stage{.object = stage_fields, .begin = [](RawPlan& r) {
                       r.schedule.stages.emplace_back();
                       r.stage_keys.emplace_back();
                     }};
constexpr Rule stages{.element = &stage};

constexpr Rule bound_kind{.text = [](RawPlan& r, std::string_view v) {
  if (v.empty()) throw Error("empty: name the kind of bound, or leave 'bound' out");
  r.bound.kind = v;
}};
constexpr Rule bound_value{.number = [](RawPlan& r, std::uint64_t v) { r.bound.value = v; },
                           .largest = UINT64_MAX};
constexpr Rule bound_because{.text = [](RawPlan& r, std::string_view v) { r.bound.because = v; }};
constexpr Rule bound_weight{
    .number = [](RawPlan& r, std::uint64_t v) { r.bound.weights.push_back(static_cast<std::uint32_t>(v)); }};
constexpr Rule bound_weights{.element = &bound_weight};
constexpr Field bound_fields[] = {{"kind", &bound_kind},
                                  {"value", &bound_value},
                                  {"because", &bound_because, optional},
                                  {"weights", &bound_weights, of_version_2}};
constexpr Rule bound{.object = bound_fields};

constexpr Rule claimed_rounds{.number = [](RawPlan& r, std::uint64_t v) { r.claims->rounds = v; },
                              .largest = UINT64_MAX};
constexpr Rule claimed_hops{.number = [](RawPlan& r, std::uint64_t v) { r.claims->hops = v; },
                            .largest = UINT64_MAX};
constexpr Rule claimed_optimal{.flag = [](RawPlan& r, bool v) { r.claims->optimal = v; }};
constexpr Rule load{.number = [](RawPlan& r, std::uint64_t v) { r.claims->link_load.push_back(v); },
                    .largest = UINT64_MAX};
constexpr Rule link_load{.element = &load, .begin = [](RawPlan& r) { r.has_link_load = true; }};
constexpr Field claims_fields[] = {{"rounds", &claimed_rounds},
                                   {"hops", &claimed_hops},
                                   {"optimal", &claimed_optimal, optional},
                                   {"link_load", &link_load, optional}};
constexpr Rule claims{.object = claims_fields, .begin = [](RawPlan& r) { r.claims.emplace(); }};

constexpr Rule format{.text = [](RawPlan& r, std::string_view v) {
  const auto found = std::ranges::find(plan_versions, v);
  if (found == plan_versions.end())
    throw Error(
        fmt::format("{}: this program reads '{}'", in_quotes(v), fmt::join(plan_versions, "' and '")));
  r.version = static_cast<std::uint32_t>(found - plan_versions.begin()) + 1;
}};
constexpr Rule collective{.text = [](RawPlan& r, std::string_view v) { r.collective = v; }};
constexpr Rule root{.number = [](RawPlan& r, std::uint64_t v) { r.root = static_cast<network::Node>(v); }};
constexpr Rule parts{.number = [](RawPlan& r, std::uint64_t v) { r.parts = static_cast<std::uint32_t>(v); }};
constexpr Rule round_kind{
    .text = [](RawPlan& r, std::string_view v) { r.schedule.round_kind = round_words.value(v); }};
constexpr Rule aggregation{.number = [](RawPlan& r, std::uint64_t v) { r.aggregation = v; },
                           .largest = UINT64_MAX};
constexpr Rule window{
    .number = [](RawPlan& r, std::uint64_t v) { r.window = static_cast<std::uint32_t>(v); }};

constexpr Field plan_fields[] = {{"format", &format},
                                 {"network", &network_rule},
                                 {"failed", &failed, optional},
                                 {"collective", &collective},
                                 {"root", &root, optional},
                                 {"parts", &parts, optional},
                                 {"ports", &ports, optional},
                                 {"rounds", &round_kind, optional},
                                 {"stages", &stages},
                                 {"bound", &bound, optional},
                                 {"claims", &claims, optional},
                                 {"aggregation", &aggregation, of_version_2},
                                 {"window", &window, of_version_2},
                                 {"destinations", &destinations, of_version_2},
                                 {"deliveries", &deliveries, of_version_2},
                                 {"overlay", &overlay, of_version_2}};
constexpr Rule plan{.object = plan_fields};

std::vector<std::string_view> names(std::span<const Field> fields) {
  std::vector<std::string_view> result;
  for (const Field& field : fields) result.push_back(field.name);
  return result;
}

// What `rule` allows, in words.
std::string wanted(const Rule& rule) {
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

const Rule& PlanSchema::expected() const {
  if (frames_.empty()) return plan;
  const Frame& top = frames_.back();
  if (top.keyed) return *top.rule->object[top.position].rule;
  if (top.rule->element != nullptr) return *top.rule->element;
  if (top.position == top.rule->tuple.size()) {
    throw Error(fmt::format("one value too many: expected {}", wanted(*top.rule)));
  }
  return *top.rule->tuple[top.position].rule;
}

void PlanSchema::begin(const Rule& rule, bool keyed) {
  if (rule.begin != nullptr) rule.begin(raw_);
  frames_.push_back({&rule, keyed, keyed ? rule.object.size() : 0, 0});
}

void PlanSchema::begin_object() {
  const Rule& rule = expected();
  if (rule.object.empty()) other("an object");
  begin(rule, true);
}

void PlanSchema::begin_array() {
  const Rule& rule = expected();
  if (rule.tuple.empty() && rule.element == nullptr) other("an array");
  begin(rule, false);
}

void PlanSchema::key(std::string_view name) {
  Frame& top = frames_.back();
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
  const Frame done = frames_.back();
  frames_.pop_back();
  const Rule& rule = *done.rule;
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
  Frame& top = frames_.back();
  top.position = top.keyed ? top.rule->object.size() : top.position + 1;
}

void PlanSchema::number(std::uint64_t value) {
  const Rule& rule = expected();
  if (rule.number == nullptr || value > rule.largest) other(fmt::format("{}", value));
  rule.number(raw_, value);
  advance();
}

void PlanSchema::text(std::string_view value) {
  const Rule& rule = expected();
  if (rule.text == nullptr) other(in_quotes(value));
  rule.text(raw_, value);
  advance();
}

void PlanSchema::flag(bool value) {
  const Rule& rule = expected();
  if (rule.flag == nullptr) other(value ? "true" : "false");
  rule.flag(raw_, value);
  advance();
}

void PlanSchema::other(std::string_view given) const {
  throw Error(fmt::format("{}: expected {}", given, wanted(expected())));
}

std::string PlanSchema::place() const {
  std::string result;
  for (const Frame& frame : frames_) {
    if (!frame.keyed) {
      result += fmt::format("[{}]", frame.position);
    } else if (frame.position < frame.rule->object.size()) {
      result.append(result.empty() ? "" : ".").append(frame.rule->object[frame.position].name);
    }
  }
  return result.empty() ? "the plan" : result;
}

}  // namespace isotrope::io
