// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One walk over a plan for both formats: a writer is JsonWriter or CborWriter.
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/cbor_writer.hpp"
#include "isotrope/io/json_writer.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/plan_words.hpp"

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
void write_numbers(Writer& out, std::string_view key, const Values& values) {
  out.key(key);
  out.begin_array(values.size());
  for (const std::uint64_t value : values) out.number(value);
  out.end();
}

template <class Writer>
void write_network(Writer& out, const network::Network& network) {
  out.key("network");
  out.begin_object(3, Layout::lines);
  write_text(out, "name", network.name());
  write_numbers(out, "moduli", network.group().moduli());
  out.key("generators");
  out.begin_array(network.degree());
  for (const network::Node generator : network.generators()) {
    const std::vector<network::Coordinate> coordinates = network.group().coordinates(generator);
    out.begin_array(coordinates.size());
    for (const network::Coordinate coordinate : coordinates) out.number(coordinate);
    out.end();
  }
  out.end();
  out.end();
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
void write_stages(Writer& out, const std::vector<Stage>& stages, HopCount& count) {
  out.key("stages");
  out.begin_array(stages.size(), Layout::lines);
  for (const Stage& stage : stages) {
    out.begin_object(stage.packets.empty() ? 3 : 4, Layout::lines);
    write_text(out, "flow", flow_words.word(stage.flow));
    write_replication(out, stage.replication);
    if (!stage.packets.empty()) write_packets(out, stage.packets);
    write_hops(out, stage.rounds, count);
    out.end();
  }
  out.end();
}

template <class Writer>
void write_bound(Writer& out, const schedule::Bound& bound) {
  out.key("bound");
  out.begin_object(3);
  write_text(out, "kind", bound.kind);
  write_number(out, "value", bound.value);
  write_text(out, "because", bound.because);
  out.end();
}

template <class Writer>
void write_claims(Writer& out, const schedule::Claims& claims, bool with_load) {
  out.key("claims");
  out.begin_object(with_load ? 4 : 3);
  write_number(out, "rounds", claims.rounds);
  write_number(out, "hops", claims.hops);
  out.key("optimal");
  out.flag(claims.optimal);
  if (with_load) write_numbers(out, "link_load", claims.link_load);
  out.end();
}

template <class Writer>
void write_document(Writer out, const Plan& plan, const Progress& progress) {
  const bool failed = !plan.failed.empty();
  const bool rooted = is_rooted(plan.task.collective);
  const bool combining = plan.schedule.round_kind == schedule::RoundKind::combining;
  HopCount count(plan.schedule.hop_count(), progress);
  out.begin_object(9u + (failed ? 1u : 0u) + (rooted ? 1u : 0u), Layout::lines);
  write_text(out, "format", plan_version);
  write_network(out, plan.network);
  if (failed) write_failures(out, plan.failed);
  write_text(out, "collective", to_string(plan.task));
  if (rooted) write_number(out, "root", plan.task.root);
  write_number(out, "parts", plan.task.parts);
  write_ports(out, plan.schedule.ports);
  write_text(out, "rounds", round_words.word(plan.schedule.round_kind));
  write_stages(out, plan.schedule.stages, count);
  write_bound(out, plan.bound);
  write_claims(out, plan.claims, combining);
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
