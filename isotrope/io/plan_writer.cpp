// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One walk over a plan for both formats: `Writer` is JsonWriter or CborWriter.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/cbor_writer.hpp"
#include "isotrope/io/json_writer.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/plan_vocabulary.hpp"

namespace isotrope::io {
namespace {

using schedule::Plan;
using schedule::PortModel;
using schedule::Replication;
using schedule::Stage;

// Calls back every 2^16 hops.
class HopCount {
 public:
  HopCount(std::uint64_t total, const Progress& progress) : total_(total), progress_(progress) {}

  void add_one() {
    if ((++done_ & 0xFFFF) == 0 && progress_)
      progress_(static_cast<double>(done_) / static_cast<double>(total_));
  }

 private:
  std::uint64_t done_ = 0;
  std::uint64_t total_;
  const Progress& progress_;
};

void check_text(std::string_view key, std::string_view text) {
  if (!is_utf8(text)) throw Error(fmt::format("{} is not UTF-8 and cannot stand in a plan file", key));
}

template <class Writer>
void write_text(Writer& out, std::string_view key, std::string_view text) {
  out.key(key);
  out.text(text);
}

template <class Writer>
void write_number(Writer& out, std::string_view key, std::uint64_t value) {
  out.key(key);
  out.number(value);
}

template <class Writer, class Values>
void write_list(Writer& out, const Values& values) {
  out.begin_array(values.size());
  for (const std::uint64_t value : values) out.number(value);
  out.end();
}

template <class Writer, class Values>
void write_numbers(Writer& out, std::string_view key, const Values& values) {
  out.key(key);
  write_list(out, values);
}

// The two keys that define a group and the ports of its network.
template <class Writer>
void write_group(Writer& out, const network::Network& network) {
  write_numbers(out, "moduli", network.group().moduli());
  out.key("generators");
  out.begin_array(network.degree());
  for (const network::Node generator : network.generators()) {
    write_list(out, network.group().coordinates(generator));
  }
  out.end();
}

template <class Writer>
void write_network(Writer& out, const network::Network& network) {
  out.key("network");
  out.begin_object(3, Layout::lines);
  write_text(out, "name", network.name());
  write_group(out, network);
  out.end();
}

template <class Writer>
void write_overlay(Writer& out, const network::Network& overlay) {
  out.key("overlay");
  out.begin_object(2, Layout::lines);
  write_group(out, overlay);
  out.end();
}

template <class Writer>
void write_traffic(Writer& out, const schedule::Task& task) {
  if (!task.destinations.empty()) {
    out.key("destinations");
    out.begin_array(task.destinations.size());
    for (const auto& [to, blocks] : task.destinations) write_list(out, std::array{to, blocks});
    out.end();
  }
  if (!task.deliveries.empty()) {
    out.key("deliveries");
    out.begin_array(task.deliveries.size());
    for (const auto& [from, to, blocks] : task.deliveries) write_list(out, std::array{from, to, blocks});
    out.end();
  }
}

template <class Writer>
void write_failures(Writer& out, const schedule::Failures& failed) {
  out.key("failed");
  out.begin_object(2);
  write_numbers(out, "nodes", failed.nodes);
  out.key("links");
  out.begin_array(failed.links.size());
  for (const schedule::Link& link : failed.links) {
    out.begin_array(2);
    out.number(link.node);
    out.number(link.port);
    out.end();
  }
  out.end();
  out.end();
}

template <class Writer>
void write_ports(Writer& out, const PortModel& ports) {
  const bool counts = ports.kind == PortModel::Kind::k_port;
  out.key("ports");
  out.begin_object(counts ? 2 : 1);
  write_text(out, "model", port_words.word(ports.kind));
  if (counts) write_number(out, "k", ports.k);
  out.end();
}

template <class Writer>
void write_replication(Writer& out, const Replication& replication) {
  if (replication.kind != Replication::Kind::even_axis) {
    return write_text(out, "replication", replication_words.word(replication.kind));
  }
  out.key("replication");
  out.begin_object(1);
  write_number(out, "even_axis", replication.axis);
  out.end();
}

template <class Writer>
void write_packets(Writer& out, const std::vector<schedule::Packet>& packets) {
  out.key("packets");
  out.begin_array(packets.size(), Layout::lines);
  for (const schedule::Packet& packet : packets) {
    out.begin_array(4);
    out.number(packet.origin);
    packet.to == schedule::to_all ? out.text(every_node) : out.number(packet.to);
    out.number(packet.block);
    out.number(packet.part);
    out.end();
  }
  out.end();
}

template <class Writer>
void write_hops(Writer& out, const schedule::Rounds& rounds, HopCount& count) {
  out.key("hops");
  out.begin_array(rounds.size(), Layout::lines);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    out.begin_array(rounds.round(t).size());
    for (const schedule::Hop& hop : rounds.round(t)) {
      out.begin_array(3);
      out.number(hop.packet);
      out.number(hop.from);
      out.number(hop.port);
      out.end();
      count.add_one();
    }
    out.end();
  }
  out.end();
}

template <class Writer>
void write_sums(Writer& out, const Stage& stage) {
  out.key("sums");
  out.begin_array(stage.sums.size(), Layout::lines);
  for (const schedule::Sum& sum : stage.sums) {
    out.begin_array(2);
    out.number(sum.part);
    write_list(out, sum.values);
    out.end();
  }
  out.end();
  out.key("result");
  out.begin_array(stage.result.size(), Layout::lines);
  for (const auto& values : stage.result) write_list(out, values);
  out.end();
}

template <class Writer>
void write_stage(Writer& out, const Stage& stage, const schedule::Task& task, HopCount& count) {
  const bool exchanges = stage.flow == schedule::Flow::exchange;
  const bool listed =
      !exchanges && (!stage.packets.empty() || !implies_packets(task, stage.flow, stage.replication));
  out.begin_object(3u + (listed ? 1u : 0u) + (exchanges ? 2u : 0u), Layout::lines);
  write_text(out, "flow", flow_words.word(stage.flow));
  write_replication(out, stage.replication);
  if (listed) write_packets(out, stage.packets);
  if (exchanges) write_sums(out, stage);
  write_hops(out, stage.rounds, count);
  out.end();
}

template <class Writer>
void write_bound(Writer& out, const schedule::Bound& bound) {
  const bool weighted = !bound.weights.empty();
  out.key("bound");
  out.begin_object(weighted ? 4 : 3);
  write_text(out, "kind", bound.kind);
  write_number(out, "value", bound.value);
  write_text(out, "because", bound.because);
  if (weighted) write_numbers(out, "weights", bound.weights);
  out.end();
}

template <class Writer>
void write_claims(Writer& out, const schedule::Claims& claims, bool with_load) {
  out.key("claims");
  out.begin_object(2u + (claims.optimal ? 1u : 0u) + (with_load ? 1u : 0u));
  write_number(out, "rounds", claims.rounds);
  write_number(out, "hops", claims.hops);
  if (claims.optimal) {
    out.key("optimal");
    out.flag(*claims.optimal);
  }
  if (with_load) write_numbers(out, "link_load", claims.link_load);
  out.end();
}

// What of a plan a document holds beside the keys that every plan has.
struct Extras {
  explicit Extras(const Plan& plan)
      : failures(!plan.failed.empty()),
        root(is_rooted(plan.task.collective)),
        bound(!plan.bound.kind.empty()),
        destinations(!plan.task.destinations.empty()),
        deliveries(!plan.task.deliveries.empty()),
        aggregation(plan.schedule.round_kind == schedule::RoundKind::combining &&
                    plan.aggregation != schedule::unbounded),
        window(plan.window > 1),
        overlay(plan.overlay.has_value()) {
    const auto newer = [](const Stage& stage) { return needs_version_2(stage.flow); };
    version_2 = destinations || deliveries || aggregation || window || overlay ||
                !plan.bound.weights.empty() || std::ranges::any_of(plan.schedule.stages, newer);
  }

  std::uint64_t keys() const {
    return std::uint64_t{failures} + root + bound + destinations + deliveries + aggregation + window +
           overlay;
  }

  bool failures, root, bound, destinations, deliveries, aggregation, window, overlay;
  bool version_2;
};

template <class Writer>
void write_document(Writer out, const Plan& plan, const Progress& progress) {
  const Extras extras(plan);
  HopCount count(plan.schedule.hop_count(), progress);
  out.begin_object(8 + extras.keys(), Layout::lines);
  write_text(out, "format", plan_versions[extras.version_2 ? 1 : 0]);
  write_network(out, plan.network);
  if (extras.overlay) write_overlay(out, *plan.overlay);
  if (extras.failures) write_failures(out, plan.failed);
  write_text(out, "collective", to_string(plan.task));
  if (extras.root) write_number(out, "root", plan.task.root);
  write_number(out, "parts", plan.task.parts);
  write_traffic(out, plan.task);
  write_ports(out, plan.schedule.ports);
  write_text(out, "rounds", round_words.word(plan.schedule.round_kind));
  if (extras.aggregation) write_number(out, "aggregation", plan.aggregation);
  if (extras.window) write_number(out, "window", plan.window);
  out.key("stages");
  out.begin_array(plan.schedule.stages.size(), Layout::lines);
  for (const Stage& stage : plan.schedule.stages) write_stage(out, stage, plan.task, count);
  out.end();
  if (extras.bound) write_bound(out, plan.bound);
  write_claims(out, plan.claims, plan.schedule.round_kind == schedule::RoundKind::combining);
  out.end();
  out.finish();
}

void write(std::ostream& out, const Plan& plan, PlanFormat format, const Progress& progress) {
  check_text("network.name", plan.network.name());
  check_text("bound.kind", plan.bound.kind);
  check_text("bound.because", plan.bound.because);
  format == PlanFormat::cbor ? write_document(CborWriter(out), plan, progress)
                             : write_document(JsonWriter(out), plan, progress);
}

}  // namespace

void write_plan(const std::filesystem::path& file, const Plan& plan, const Progress& progress) {
  write_atomically(file, [&](std::ostream& out) { write(out, plan, plan_format(file), progress); });
}

void write_plan(std::ostream& out, const Plan& plan, PlanFormat format) {
  write(out, plan, format, {});
  if (!out) throw Error("the stream refuses the plan: check the disk or the pipe behind it");
}

}  // namespace isotrope::io
