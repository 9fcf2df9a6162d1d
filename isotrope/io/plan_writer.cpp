// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// One walk over a plan for both formats: `Writer` is JsonWriter or CborWriter.
#include <algorithm>
#include <bit>
#include <optional>
#include <ostream>
#include <ranges>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/utf8.hpp"

#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/document_writer.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/plan_vocabulary.hpp"

namespace isotrope::io {
namespace {

using schedule::Plan;
using schedule::PortModel;
using schedule::Replication;
using schedule::Stage;

// A key of an object, its value, and whether the object has it.
template <class Value>
struct KeyedValue {
  std::string_view key;
  const Value& value;
  bool present = true;
};
template <class Value>
KeyedValue(std::string_view, const Value&, bool = true) -> KeyedValue<Value>;

// A list with every value on a line of its own.
template <class Values>
struct LongList {
  const Values& values;
};
template <class Values>
LongList(const Values&) -> LongList<Values>;

// The coordinates of a set of bits.
std::vector<std::uint32_t> axes_of(std::uint64_t bits) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < 64; ++axis) {
    if ((bits >> axis & 1) != 0) axes.push_back(axis);
  }
  return axes;
}

template <class Writer>
class PlanWriter {
 public:
  PlanWriter(Writer out, const Plan& plan, const Progress& progress)
      : out_(std::move(out)), plan_(plan), progress_(progress) {}

  void write() {
    const auto& [network, failed, task, schedule, bound, claims, aggregation, window, chains, shares,
                 overlay] = plan_;
    const bool limited =
        schedule.round_kind == schedule::RoundKind::aggregated && aggregation != schedule::unbounded;
    const auto needs_newer_words = [](const Stage& stage) {
      return needs_version_2(stage.flow) || std::popcount(stage.replication.axes) > 1 ||
             !stage.symmetry.empty();
    };
    const bool in_steps = !schedule.barriers.empty() || schedule.step_limits;
    const bool version_2 = !task.destinations.empty() || !task.deliveries.empty() || limited || window > 1 ||
                           chains > 1 || !shares.empty() || overlay || !failed.before().empty() ||
                           !bound.weights.empty() || !schedule.waiting || in_steps ||
                           network::has_copies(network) ||
                           std::ranges::any_of(schedule.stages, needs_newer_words);
    put_object(Layout::lines, KeyedValue{"format", plan_versions[version_2 ? 1 : 0]},
               KeyedValue{"network", network}, KeyedValue{"overlay", overlay, overlay.has_value()},
               KeyedValue{"open_axes", failed.open_axes, !failed.open_axes.empty()},
               KeyedValue{"edges", failed.edges, !failed.edges.empty()},
               KeyedValue{"failed", failed, failed.any_failed()}, KeyedValue{"collective", to_string(task)},
               KeyedValue{"root", task.root, is_rooted(task.collective)}, KeyedValue{"parts", task.parts},
               KeyedValue{"destinations", task.destinations, !task.destinations.empty()},
               KeyedValue{"deliveries", task.deliveries, !task.deliveries.empty()},
               KeyedValue{"ports", schedule.ports},
               KeyedValue{"rounds", round_words.word(schedule.round_kind)},
               KeyedValue{"aggregation", aggregation, limited}, KeyedValue{"window", window, window > 1},
               KeyedValue{"chains", chains, chains > 1}, KeyedValue{"shares", shares, !shares.empty()},
               KeyedValue{"waiting", schedule.waiting, !schedule.waiting},
               KeyedValue{"barriers", schedule.barriers, !schedule.barriers.empty()},
               KeyedValue{"step_limits", schedule.step_limits, schedule.step_limits.has_value()},
               KeyedValue{"stages", LongList{schedule.stages}},
               KeyedValue{"bound", bound, !bound.kind.empty()}, KeyedValue{"claims", claims});
    out_.finish();
  }

 private:
  template <class... Values>
  void put_object(Layout layout, const KeyedValue<Values>&... members) {
    out_.begin_object((std::uint64_t{members.present} + ...), layout);
    const auto put_member = [&](const auto& member) {
      if (!member.present) return;
      out_.key(member.key);
      put(member.value);
    };
    (put_member(members), ...);
    out_.end();
  }

  template <class... Values>
  void put_tuple(const Values&... values) {
    out_.begin_array(sizeof...(values));
    (put(values), ...);
    out_.end();
  }

  template <class Values>
  void put_list(const Values& values, Layout layout) {
    out_.begin_array(values.size(), layout);
    for (const auto& value : values) put(value);
    out_.end();
  }

  void put(std::uint32_t value) { out_.number(value); }
  void put(std::uint64_t value) { out_.number(value); }
  void put(bool value) { out_.flag(value); }
  void put(const std::string& value) { out_.text(value); }
  void put(std::string_view value) { out_.text(value); }
  template <class Value>
  void put(const std::optional<Value>& value) {
    put(*value);
  }
  template <std::ranges::range Values>
  void put(const Values& values) {
    put_list(values, Layout::line);
  }
  template <class Values>
  void put(const LongList<Values>& list) {
    put_list(list.values, Layout::lines);
  }

  void put(const network::Network& network) {
    std::vector<std::vector<network::Coordinate>> generators;
    for (const network::Node generator : network.generators())
      generators.push_back(network.group().coordinates(generator));
    put_object(Layout::lines, KeyedValue{"name", network.name(), &network == &plan_.network},
               KeyedValue{"moduli", network.group().moduli()}, KeyedValue{"generators", generators});
  }
  void put(const schedule::Failures& failed) {
    put_object(Layout::line, KeyedValue{"nodes", failed.nodes}, KeyedValue{"links", failed.links});
  }
  void put(const network::Edge& edge) { put_tuple(edge.low, edge.high); }
  void put(const schedule::Link& link) { put_tuple(link.node, link.port); }
  void put(const schedule::RelativeDestination& destination) {
    put_tuple(destination.to, destination.blocks);
  }
  void put(const schedule::Delivery& delivery) { put_tuple(delivery.from, delivery.to, delivery.blocks); }
  void put(const PortModel& ports) {
    put_object(Layout::line, KeyedValue{"model", port_words.word(ports.kind)},
               KeyedValue{"k", ports.k, ports.kind == PortModel::Kind::k_port});
  }
  void put(const Stage& stage) {
    const bool lists_orbits = !stage.symmetry.empty() && stage.rounds.hop_count() <= schedule::most_images &&
                              stage.packets.size() <= schedule::most_images;
    if (!lists_orbits) return put(stage, stage.replication);
    put(first_of_orbits(hop_network(plan_), stage), stage.symmetry);
  }
  template <class Symmetry>
  void put(const Stage& stage, const Symmetry& replication) {
    const bool exchanges = stage.flow == schedule::Flow::exchange;
    const bool listed =
        !exchanges && (!stage.packets.empty() || !implies_packets(plan_.task, stage.flow, stage.replication));
    put_object(Layout::lines, KeyedValue{"flow", flow_words.word(stage.flow)},
               KeyedValue{"replication", replication}, KeyedValue{"packets", LongList{stage.packets}, listed},
               KeyedValue{"sums", LongList{stage.sums}, exchanges},
               KeyedValue{"result", LongList{stage.result}, exchanges}, KeyedValue{"hops", stage.rounds});
  }
  void put(const Replication& replication) {
    if (replication.kind != Replication::Kind::even_axis)
      return put(replication_words.word(replication.kind));
    const std::vector<std::uint32_t> axes = axes_of(replication.axes);
    put_object(Layout::line, KeyedValue{"even_axis", axes.front(), axes.size() == 1},
               KeyedValue{"even_axes", axes, axes.size() > 1});
  }
  void put(const schedule::SymmetryAxes& symmetry) {
    put_object(Layout::line, KeyedValue{"translations", axes_of(symmetry.translations)},
               KeyedValue{"reflections", axes_of(symmetry.reflections)});
  }
  void put(const schedule::Packet& packet) {
    if (packet.to == schedule::to_all) return put_tuple(packet.origin, every_node, packet.block, packet.part);
    put_tuple(packet.origin, packet.to, packet.block, packet.part);
  }
  void put(const schedule::Sum& sum) { put_tuple(sum.part, sum.values); }
  void put(const schedule::Rounds& rounds) {
    out_.begin_array(rounds.size(), Layout::lines);
    for (std::uint64_t t = 0; t < rounds.size(); ++t) put(rounds.round(t));
    out_.end();
  }
  void put(const schedule::Hop& hop) {
    put_tuple(hop.packet, hop.from, hop.port);
    if ((++hops_ & 0xFFFF) == 0 && progress_)
      progress_(static_cast<double>(hops_) / static_cast<double>(total_));
  }
  void put(const schedule::Bound& bound) {
    put_object(Layout::line, KeyedValue{"kind", bound.kind}, KeyedValue{"value", bound.value},
               KeyedValue{"because", bound.because},
               KeyedValue{"weights", bound.weights, !bound.weights.empty()});
  }
  void put(const schedule::StepLimits& limits) {
    put_object(Layout::line, KeyedValue{"sends", limits.sends}, KeyedValue{"load", limits.load});
  }
  void put(const schedule::Claims& claims) {
    put_object(Layout::line, KeyedValue{"rounds", claims.rounds}, KeyedValue{"hops", claims.hops},
               KeyedValue{"optimal", claims.optimal, claims.optimal.has_value()},
               KeyedValue{"link_load", claims.link_load,
                          plan_.schedule.round_kind == schedule::RoundKind::aggregated});
  }

  Writer out_;
  const Plan& plan_;
  const Progress& progress_;  // called every 2^16 hops
  std::uint64_t hops_ = 0, total_ = plan_.schedule.hop_count();
};

void write(std::ostream& out, const Plan& plan, PlanFormat format, const Progress& progress) {
  for (const auto& [key, text] :
       {std::pair<const char*, std::string_view>("network.name", plan.network.name()),
        {"bound.kind", plan.bound.kind},
        {"bound.because", plan.bound.because}}) {
    if (!is_utf8(text)) throw Error(fmt::format("{} is not UTF-8 and cannot stand in a plan file", key));
  }
  format == PlanFormat::cbor ? PlanWriter(CborWriter(out), plan, progress).write()
                             : PlanWriter(JsonWriter(out), plan, progress).write();
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
