// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/ppermute.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/sizes.hpp"
#include "isotrope/exports/translations.hpp"

namespace isotrope::exports {
namespace {

using schedule::Hop;
using schedule::Stage;

void require_moves(const Plan& plan) {
  const auto& stages = plan.schedule.stages;
  if (stages.size() == 1 && stages.front().flow == schedule::Flow::move && plan.failed.empty() &&
      !plan.overlay)
    return;
  throw Error(fmt::format(
      "--format ppermute: it is for packets that move between neighbours in one stage on a whole network, "
      "as in alltoall, not for this plan of {}",
      to_string(plan.task)));
}

// Separators of a list whose members stand on lines of their own.
class Lines {
 public:
  const char* next() { return std::exchange(separator_, ",\n"); }

 private:
  const char* separator_ = "\n";
};

// A link of the quotient: a class of nodes and a port.
using ClassLink = std::pair<Node, Port>;

class TableWriter {
 public:
  TableWriter(io::ByteBuffer& out, const Plan& plan)
      : out_(out),
        plan_(plan),
        stage_(plan.schedule.stages.front()),
        packets_(plan.network, plan.task, stage_),
        classes_(plan.network.group(), stage_.replication),
        shifts_(translations(plan.network, stage_.replication)) {}

  void write(const std::function<void(double)>& progress) {
    out_.put(fmt::format("{{\"nodes\": {},\n\"permutations\": [", plan_.network.order()));
    put_permutations();
    out_.put("],\n\"slots\": [");
    put_slots();
    if (plan_.task.parts > 1) put_parts();
    if (!plan_.schedule.barriers.empty())
      out_.put(fmt::format("],\n\"barriers\": [{}", fmt::join(plan_.schedule.barriers, ", ")));
    out_.put("],\n\"rounds\": [");
    put_rounds(progress);
    out_.put("]}\n");
  }

 private:
  void put_permutations() {
    Lines lines;
    for (const Hop& hop : stage_.rounds.hops()) {
      const auto [known, is_new] = permutations_.emplace(link(hop), permutations_.size());
      if (is_new) put_pairs(lines.next(), hop.from, plan_.network.neighbour(hop.from, hop.port));
    }
  }

  void put_slots() {
    Lines lines;
    for (schedule::PacketId p = 0; p < packets_.size(); ++p)
      put_pairs(lines.next(), packets_[p].origin, packets_[p].to);
  }

  void put_parts() {
    std::vector<std::uint32_t> parts;
    for (schedule::PacketId p = 0; p < packets_.size(); ++p) parts.push_back(packets_[p].part);
    out_.put(fmt::format("],\n\"parts\": [{}", fmt::join(parts, ", ")));
  }

  void put_rounds(const std::function<void(double)>& progress) {
    Lines lines;
    std::vector<std::string> moves;
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
      moves.clear();
      for (const Hop& hop : stage_.rounds.round(t))
        moves.push_back(fmt::format("[{}, {}]", hop.packet, permutations_.at(link(hop))));
      out_.put(fmt::format("{}[{}]", lines.next(), fmt::join(moves, ", ")));
      if (progress) progress(static_cast<double>(t + 1) / static_cast<double>(stage_.rounds.size()));
    }
  }

  // All translates of a pair of nodes.
  void put_pairs(const char* separator, Node from, Node to) {
    const network::Group& group = plan_.network.group();
    std::vector<std::string> pairs;
    for (const Node shift : shifts_)
      pairs.push_back(fmt::format("[{}, {}]", group.add(from, shift), group.add(to, shift)));
    out_.put(fmt::format("{}[{}]", separator, fmt::join(pairs, ", ")));
  }

  ClassLink link(const Hop& hop) const { return {classes_.of(hop.from), hop.port}; }

  io::ByteBuffer& out_;
  const Plan& plan_;
  const Stage& stage_;
  schedule::Packets packets_;
  schedule::NodeClasses classes_;
  std::vector<Node> shifts_;
  std::map<ClassLink, std::size_t> permutations_;
};

}  // namespace

void write_ppermute(std::ostream& out, const Plan& plan, const std::function<void(double)>& progress) {
  require_moves(plan);
  require_writable(plan);
  io::ByteBuffer buffer(out);
  TableWriter(buffer, plan).write(progress);
  buffer.flush();
}

}  // namespace isotrope::exports
