// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/plan_form.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/io/plan_words.hpp"

namespace isotrope::io {
namespace {

struct Field {
  std::string_view name;
  const Rule* rule;
  bool optional = false;
};

}  // namespace

// What may stand at a place: whatever has an action, fields or an element here; several may.
struct Rule {
  void (*number)(PlanDraft&, std::uint64_t) = nullptr;
  std::uint64_t largest = UINT32_MAX;  // number
  void (*text)(PlanDraft&, std::string_view) = nullptr;
  void (*flag)(PlanDraft&, bool) = nullptr;
  std::span<const Field> object = {};
  std::span<const Field> tuple = {};  // an array of exactly these
  const Rule* element = nullptr;      // an array of any length
  void (*begin)(PlanDraft&) = nullptr;
  void (*end)(PlanDraft&) = nullptr;
};

namespace {

// The rules, innermost first; plan.md says what the values mean.

constexpr Rule moduli_element{
    .number = [](PlanDraft& d, std::uint64_t v) { d.moduli.push_back(static_cast<network::Coordinate>(v)); }};
constexpr Rule moduli{.element = &moduli_element};
constexpr Rule coordinate{.number = [](PlanDraft& d, std::uint64_t v) {
  d.coordinates.push_back(static_cast<network::Coordinate>(v));
}};
constexpr Rule generator{.element = &coordinate,
                         .end = [](PlanDraft& d) { d.generator_ends.push_back(d.coordinates.size()); }};
constexpr Rule generators{.element = &generator};
constexpr Rule network_name{.text = [](PlanDraft& d, std::string_view v) { d.network = v; }};
constexpr Field network_fields[] = {
    {"name", &network_name}, {"moduli", &moduli}, {"generators", &generators}};
constexpr Rule network_rule{.object = network_fields};

constexpr Rule failed_node{
    .number = [](PlanDraft& d, std::uint64_t v) { d.failed.nodes.push_back(static_cast<network::Node>(v)); }};
constexpr Rule failed_nodes{.element = &failed_node};
constexpr Rule link_node{
    .number = [](PlanDraft& d, std::uint64_t v) { d.link.node = static_cast<network::Node>(v); }};
constexpr Rule link_port{
    .number = [](PlanDraft& d, std::uint64_t v) { d.link.port = static_cast<network::Port>(v); }};
constexpr Field link_fields[] = {{"node", &link_node}, {"port", &link_port}};
constexpr Rule failed_link{.tuple = link_fields,
                           .end = [](PlanDraft& d) { d.failed.links.push_back(d.link); }};
constexpr Rule failed_links{.element = &failed_link};
constexpr Field failed_fields[] = {{"nodes", &failed_nodes, true}, {"links", &failed_links, true}};
constexpr Rule failed{.object = failed_fields};

constexpr Rule port_model{
    .text = [](PlanDraft& d, std::string_view v) { d.schedule.ports.kind = port_words.value(v); }};
constexpr Rule port_count{
    .number = [](PlanDraft& d, std::uint64_t v) { d.k = static_cast<network::Port>(v); }};
constexpr Field port_fields[] = {{"model", &port_model}, {"k", &port_count, true}};
constexpr Rule ports{.object = port_fields};

constexpr Rule flow{
    .text = [](PlanDraft& d, std::string_view v) { d.schedule.stages.back().flow = flow_words.value(v); }};
constexpr Rule even_axis{.number = [](PlanDraft& d, std::uint64_t v) {
  d.schedule.stages.back().replication = schedule::Replication::even(static_cast<std::uint32_t>(v));
}};
constexpr Field replication_fields[] = {{"even_axis", &even_axis}};
constexpr Rule replication{.text =
                               [](PlanDraft& d, std::string_view v) {
                                 d.schedule.stages.back().replication = {replication_words.value(v), 0};
                               },
                           .object = replication_fields};

constexpr Rule packet_origin{
    .number = [](PlanDraft& d, std::uint64_t v) { d.packet.origin = static_cast<network::Node>(v); }};
constexpr Rule packet_to{
    .number = [](PlanDraft& d, std::uint64_t v) { d.packet.to = static_cast<network::Node>(v); },
    .largest = schedule::to_all - 1,
    .text =
        [](PlanDraft& d, std::string_view v) {
          if (v != every_node)
            throw Error(fmt::format("unknown {}: give a node or \"{}\"", in_quotes(v), every_node));
          d.packet.to = schedule::to_all;
        }};
constexpr Rule packet_block{
    .number = [](PlanDraft& d, std::uint64_t v) { d.packet.block = static_cast<std::uint32_t>(v); }};
constexpr Rule packet_part{
    .number = [](PlanDraft& d, std::uint64_t v) { d.packet.part = static_cast<std::uint32_t>(v); }};
constexpr Field packet_fields[] = {
    {"origin", &packet_origin}, {"to", &packet_to}, {"block", &packet_block}, {"part", &packet_part}};
constexpr Rule packet{.tuple = packet_fields,
                      .end = [](PlanDraft& d) { d.schedule.stages.back().packets.push_back(d.packet); }};
constexpr Rule packets{.element = &packet};

constexpr Rule hop_packet{
    .number = [](PlanDraft& d, std::uint64_t v) { d.hop.packet = static_cast<schedule::PacketId>(v); }};
constexpr Rule hop_from{
    .number = [](PlanDraft& d, std::uint64_t v) { d.hop.from = static_cast<network::Node>(v); }};
constexpr Rule hop_port{
    .number = [](PlanDraft& d, std::uint64_t v) { d.hop.port = static_cast<network::Port>(v); }};
constexpr Field hop_fields[] = {{"packet", &hop_packet}, {"from", &hop_from}, {"port", &hop_port}};
constexpr Rule hop{.tuple = hop_fields,
                   .end = [](PlanDraft& d) { d.schedule.stages.back().rounds.add(d.hop); }};
constexpr Rule round{.element = &hop,
                     .end = [](PlanDraft& d) { d.schedule.stages.back().rounds.close_round(); }};
constexpr Rule hops{.element = &round};

constexpr Field stage_fields[] = {
    {"flow", &flow}, {"replication", &replication}, {"packets", &packets, true}, {"hops", &hops}};
constexpr Rule stage{.object = stage_fields, .begin = [](PlanDraft& d) { d.schedule.stages.emplace_back(); }};
constexpr Rule stages{.element = &stage};

constexpr Rule bound_kind{.text = [](PlanDraft& d, std::string_view v) { d.bound.kind = v; }};
constexpr Rule bound_value{.number = [](PlanDraft& d, std::uint64_t v) { d.bound.value = v; },
                           .largest = UINT64_MAX};
constexpr Rule bound_because{.text = [](PlanDraft& d, std::string_view v) { d.bound.because = v; }};
constexpr Field bound_fields[] = {
    {"kind", &bound_kind}, {"value", &bound_value}, {"because", &bound_because}};
constexpr Rule bound{.object = bound_fields};

constexpr Rule claimed_rounds{.number = [](PlanDraft& d, std::uint64_t v) { d.claims.rounds = v; },
                              .largest = UINT64_MAX};
constexpr Rule claimed_hops{.number = [](PlanDraft& d, std::uint64_t v) { d.claims.hops = v; },
                            .largest = UINT64_MAX};
constexpr Rule claimed_optimal{.flag = [](PlanDraft& d, bool v) { d.claims.optimal = v; }};
constexpr Rule load{.number = [](PlanDraft& d, std::uint64_t v) { d.link_load->push_back(v); },
                    .largest = UINT64_MAX};
constexpr Rule link_load{.element = &load, .begin = [](PlanDraft& d) { d.link_load.emplace(); }};
constexpr Field claims_fields[] = {{"rounds", &claimed_rounds},
                                   {"hops", &claimed_hops},
                                   {"optimal", &claimed_optimal},
                                   {"link_load", &link_load, true}};
constexpr Rule claims{.object = claims_fields};

constexpr Rule format{.text = [](PlanDraft&, std::string_view v) {
  if (v != plan_version) throw Error(fmt::format("{}: this program reads '{}'", in_quotes(v), plan_version));
}};
constexpr Rule collective{.text = [](PlanDraft& d, std::string_view v) { d.collective = v; }};
constexpr Rule root{.number = [](PlanDraft& d, std::uint64_t v) { d.root = static_cast<network::Node>(v); }};
constexpr Rule parts{
    .number = [](PlanDraft& d, std::uint64_t v) { d.parts = static_cast<std::uint32_t>(v); }};
constexpr Rule round_kind{
    .text = [](PlanDraft& d, std::string_view v) { d.schedule.round_kind = round_words.value(v); }};

constexpr Field plan_fields[] = {
    {"format", &format},   {"network", &network_rule}, {"failed", &failed, true}, {"collective", &collective},
    {"root", &root, true}, {"parts", &parts},          {"ports", &ports},         {"rounds", &round_kind},
    {"stages", &stages},   {"bound", &bound},          {"claims", &claims}};
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

}  // namespace

const Rule& PlanForm::expected() const {
  if (frames_.empty()) return plan;
  const Frame& top = frames_.back();
  if (top.keyed) return *top.rule->object[top.position].rule;
  if (top.rule->element != nullptr) return *top.rule->element;
  if (top.position == top.rule->tuple.size()) {
    throw Error(fmt::format("one value too many: expected {}", wanted(*top.rule)));
  }
  return *top.rule->tuple[top.position].rule;
}

void PlanForm::begin(const Rule& rule, bool keyed) {
  if (rule.begin != nullptr) rule.begin(draft_);
  frames_.push_back({&rule, keyed, keyed ? rule.object.size() : 0, 0});
}

void PlanForm::begin_object() {
  const Rule& rule = expected();
  if (rule.object.empty()) other("an object");
  begin(rule, true);
}

void PlanForm::begin_array() {
  const Rule& rule = expected();
  if (rule.tuple.empty() && rule.element == nullptr) other("an array");
  begin(rule, false);
}

void PlanForm::key(std::string_view name) {
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
}

void PlanForm::end() {
  const Frame done = frames_.back();
  frames_.pop_back();
  const Rule& rule = *done.rule;
  if (done.keyed) {
    for (std::size_t i = 0; i < rule.object.size(); ++i) {
      const bool seen = (done.seen >> i & 1) != 0;
      if (!seen && !rule.object[i].optional)
        throw Error(fmt::format("key '{}' is missing", rule.object[i].name));
    }
  } else if (done.position < rule.tuple.size()) {
    throw Error(fmt::format("{} given: expected {}", done.position, wanted(rule)));
  }
  if (rule.end != nullptr) rule.end(draft_);
  advance();
}

void PlanForm::advance() {
  if (frames_.empty()) return;
  Frame& top = frames_.back();
  top.position = top.keyed ? top.rule->object.size() : top.position + 1;
}

void PlanForm::number(std::uint64_t value) {
  const Rule& rule = expected();
  if (rule.number == nullptr || value > rule.largest) other(fmt::format("{}", value));
  rule.number(draft_, value);
  advance();
}

void PlanForm::text(std::string_view value) {
  const Rule& rule = expected();
  if (rule.text == nullptr) other(in_quotes(value));
  rule.text(draft_, value);
  advance();
}

void PlanForm::flag(bool value) {
  const Rule& rule = expected();
  if (rule.flag == nullptr) other(value ? "true" : "false");
  rule.flag(draft_, value);
  advance();
}

void PlanForm::other(std::string_view given) const {
  throw Error(fmt::format("{}: expected {}", given, wanted(expected())));
}

std::string PlanForm::place() const {
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
