// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include <fmt/format.h>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/checks.hpp"
#include "isotrope/verify/exchanged_values.hpp"
#include "isotrope/verify/holdings.hpp"

namespace isotrope::verify {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::to_all;

// Counters that start at 0. Pages that are never touched cost nothing, unlike a vector's.
template <class T>
class Zeroed {
 public:
  explicit Zeroed(std::uint64_t size)
      : values_(static_cast<T*>(std::calloc(std::max<std::uint64_t>(size, 1), sizeof(T)))) {
    if (values_ == nullptr) throw std::bad_alloc();
  }
  T& operator[](std::uint64_t i) { return values_.get()[i]; }

 private:
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<T[], Free> values_;
};

// The directed links of the quotient, (class, port), that carry something in this round.
class LinksOfRound {
 public:
  LinksOfRound(std::uint64_t classes, Port degree) : degree_(degree), used_(classes * degree / 64 + 1) {}

  std::uint64_t link(Node node_class, Port port) const { return std::uint64_t{node_class} * degree_ + port; }
  /// Whether this is the first use in the round.
  bool use(std::uint64_t link) {
    const std::uint64_t bit = std::uint64_t{1} << (link % 64);
    std::uint64_t& word = used_[link / 64];
    const bool first = (word & bit) == 0;
    word |= bit;
    if (!first) repeated_.push_back(link);
    count_ += first ? 1 : 0;
    return first;
  }
  void release(std::uint64_t link) { used_[link / 64] &= ~(std::uint64_t{1} << (link % 64)); }

  std::uint64_t count() const { return count_; }
  /// Packets on the busiest link of the round.
  std::uint64_t load() {
    std::uint64_t most = count_ == 0 ? 0 : 1;
    std::sort(repeated_.begin(), repeated_.end());
    for (auto run = repeated_.begin(); run != repeated_.end();) {
      const auto end = std::upper_bound(run, repeated_.end(), *run);
      most = std::max(most, static_cast<std::uint64_t>(end - run) + 1);
      run = end;
    }
    return most;
  }
  void next_round() {
    count_ = 0;
    repeated_.clear();
  }

 private:
  std::uint64_t degree_;
  Zeroed<std::uint64_t> used_;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> repeated_;
};

// Sends and receipts of every class in this round, against a port model that has a limit.
class PortsOfRound {
 public:
  PortsOfRound(schedule::PortModel model, Port degree, std::uint64_t classes)
      : limited_(model.kind != schedule::PortModel::Kind::all_port),
        half_duplex_(model.half_duplex()),
        limit_(model.sends(degree)),
        sends_(limited_ ? classes : 1),
        receipts_(limited_ ? classes : 1) {}

  bool limited() const { return limited_; }
  /// Whether a class stays within the model with one more send, or one more receipt.
  bool send(Node node_class) { return within(++sends_[node_class], receipts_[node_class]); }
  bool receive(Node node_class) { return within(++receipts_[node_class], sends_[node_class]); }
  void release(Node sender, Node receiver) {
    sends_[sender] = 0;
    receipts_[receiver] = 0;
  }

 private:
  bool within(Port grown, Port other) const { return half_duplex_ ? grown + other <= 1 : grown <= limit_; }

  bool limited_;
  bool half_duplex_;
  Port limit_;
  Zeroed<Port> sends_;
  Zeroed<Port> receipts_;
};

class FailedParts {
 public:
  explicit FailedParts(const Plan& plan) : FailedParts(hop_network(plan), hop_failures(plan)) {}

  FailedParts(const schedule::Network& network, const network::Failures& failed)
      : any_(!failed.empty()), nodes_(failed.nodes) {
    std::vector<schedule::Link> missing = network::closing_links(network, failed.open_axes);
    missing.insert(missing.end(), failed.links.begin(), failed.links.end());
    missing_ = both_ways(network, missing);
    edges_ = both_ways(network, network::links_of(network, failed.edges));
    std::sort(nodes_.begin(), nodes_.end());
  }

  bool any() const { return any_; }
  bool has(Node node) const { return std::binary_search(nodes_.begin(), nodes_.end(), node); }
  bool touched(Node from, Port port, Node to) const {
    const auto listed_in = [link = key(from, port)](const std::vector<std::uint64_t>& links) {
      return std::binary_search(links.begin(), links.end(), link);
    };
    return has(from) || has(to) || listed_in(missing_) || (!edges_.empty() && !listed_in(edges_));
  }

 private:
  static std::uint64_t key(Node node, Port port) { return std::uint64_t{node} << 32 | port; }

  static std::vector<std::uint64_t> both_ways(const schedule::Network& network,
                                              const std::vector<schedule::Link>& links) {
    std::vector<std::uint64_t> keys;
    for (const auto [node, port] : links) {
      keys.push_back(key(node, port));
      keys.push_back(key(network.neighbour(node, port), network.opposite(port)));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  bool any_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> missing_, edges_;
};

// Packets over every link of the quotient in all rounds together; not kept if links outnumber hops by far.
class LinkTotals {
 public:
  LinkTotals(std::uint64_t links, std::uint64_t hops)
      : kept_(links <= std::max<std::uint64_t>(std::uint64_t{1} << 22, hops)), totals_(kept_ ? links : 1) {}

  void add(std::uint64_t link) {
    if (kept_) most_ = std::max<std::uint64_t>(most_, ++totals_[link]);
  }
  std::optional<std::uint64_t> most() const { return kept_ ? std::optional(most_) : std::nullopt; }

 private:
  bool kept_;
  std::uint64_t most_ = 0;
  Zeroed<std::uint32_t> totals_;
};

class StageCheck {
 public:
  StageCheck(const Plan& plan, std::size_t number, const Options& options, Violations& violations,
             Report& report)
      : plan_(plan),
        stage_(plan.schedule.stages[number]),
        number_(number),
        options_(options),
        violations_(violations),
        report_(report),
        network_(hop_network(plan)),
        packets_(network_, plan.task, stage_),
        packet_count_(packets_.size()),
        order_(network_.order()),
        degree_(network_.degree()),
        strict_(plan.schedule.round_kind == schedule::RoundKind::strict),
        classes_(network_.group(), stage_.replication),
        failed_(plan),
        ports_(plan.schedule.ports, degree_, classes_.count()),
        links_(classes_.count(), degree_),
        totals_(std::uint64_t{classes_.count()} * degree_, stage_.rounds.hop_count()) {}

  void run() {
    report_.transmissions += stage_.rounds.hop_count() * classes_.size();
    if (hops_suffice() && fits()) follow();
    if (const auto most = totals_.most())
      report_.busiest_link = std::max(report_.busiest_link.value_or(0), *most);
  }

 private:
  template <class Make>
  void fault(Rule rule, std::uint64_t round, const Hop& hop, Make text) {
    violations_.add([&] {
      return Violation{rule,
                       fmt::format("stage {}, round {}, packet {}, node {}, port {}: {}", number_, round,
                                   hop.packet, hop.from, hop.port, text()),
                       static_cast<std::uint32_t>(number_),
                       round,
                       hop.from,
                       hop.port,
                       hop.packet};
    });
  }

  // A fault of the whole stage, or of one of its rounds.
  template <class Make>
  void stage_fault(Rule rule, Make text, std::optional<std::uint64_t> round = {}) {
    violations_.add([&] {
      return Violation{.rule = rule,
                       .message = fmt::format("stage {}{}", number_, text()),
                       .stage = static_cast<std::uint32_t>(number_),
                       .round = round};
    });
  }

  // Packets from or to one failed node, which a collective may imply, need not move.
  bool is_void(const schedule::Packet& packet) const {
    const bool personal = packet.to != to_all && (stage_.flow == Flow::move || stage_.flow == Flow::copy);
    return personal && failed_.any() && (failed_.has(packet.origin) || failed_.has(packet.to));
  }

  std::uint64_t least_hops(const schedule::Packet& packet, std::uint64_t survivors) const {
    if (stage_.flow == Flow::exchange) return 0;
    if (stage_.flow == Flow::reduce_then_copy) return 2 * (survivors - 1);
    if (stage_.flow == Flow::reduce || packet.to == to_all) return survivors - 1;
    return packet.origin == packet.to || is_void(packet) ? 0 : 1;
  }

  // A stage with fewer hops than its packets need cannot deliver; this check comes before memory is spent on
  // following them.
  bool hops_suffice() {
    const std::uint64_t survivors = surviving_count(plan_);
    std::uint64_t needed = 0;
    for (PacketId p = 0; p < packet_count_ && needed <= stage_.rounds.hop_count(); ++p)
      needed += least_hops(packets_[p], survivors);
    if (needed <= stage_.rounds.hop_count()) return true;
    stage_fault(Rule::delivery, [&] {
      return fmt::format(": {} hops cannot deliver {} packets", stage_.rounds.hop_count(), packet_count_);
    });
    return false;
  }

  // The sets of an exchange may take more memory than there is.
  bool fits() {
    if (stage_.flow != Flow::exchange || ExchangedValues::fits(stage_, plan_.task.parts, classes_))
      return true;
    stage_fault(Rule::structure, [&] {
      return fmt::format(": {} hops on {} nodes are too many sums to follow", stage_.rounds.hop_count(),
                         order_);
    });
    return false;
  }

  void follow() {
    const std::uint64_t hops = stage_.rounds.hop_count();
    network_.visit([&](const auto& neighbour, const auto&) {
      switch (stage_.flow) {
        case Flow::move:
          return follow_with(neighbour, MovedPackets(packets_));
        case Flow::copy:
          return follow_with(neighbour, CopiedPackets(packets_, surviving_nodes(plan_), order_, hops));
        case Flow::reduce:
          return follow_with(neighbour, CombinedPackets(packets_, surviving_nodes(plan_), order_, hops));
        case Flow::reduce_then_copy:
          return follow_with(neighbour,
                             ReducedThenCopiedPackets(packets_, surviving_nodes(plan_), order_, hops));
        case Flow::exchange:
          return follow_with(neighbour,
                             ExchangedValues(network_, plan_.task, stage_, classes_, surviving_nodes(plan_)));
      }
    });
  }

  template <class Neighbour, class Holdings>
  void follow_with(const Neighbour& neighbour, Holdings holdings) {
    const std::uint64_t rounds = stage_.rounds.size();
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const std::span<const Hop> hops = stage_.rounds.round(t);
      send_all(t, hops, neighbour, holdings);
      report_.links_used.push_back(links_.count() * classes_.size());
      report_.link_load.push_back(links_.load());
      check_messages(t, report_.link_load.back());
      receive_all(t, hops, neighbour, holdings);
      if (options_.progress && t % 1024 == 0)
        options_.progress(static_cast<double>(t) / static_cast<double>(rounds));
    }
    finish(holdings);
  }

  // All packets of a link and round are one message; strict rounds are checked hop by hop.
  void check_messages(std::uint64_t t, std::uint64_t most_packets) {
    if (strict_ || most_packets <= plan_.aggregation) return;
    const auto text = [&] {
      return fmt::format(", round {}: a message of {} packets exceeds the aggregation limit of {}", t,
                         most_packets, plan_.aggregation);
    };
    stage_fault(Rule::link, text, t);
  }

  template <class Neighbour, class Holdings>
  void send_all(std::uint64_t t, std::span<const Hop> hops, const Neighbour& neighbour, Holdings& holdings) {
    for (std::uint64_t i = 0; i < hops.size(); ++i) {
      const Hop& hop = hops[i];
      if (!in_range(t, hop)) {
        refused_.push_back(i);
        continue;
      }
      const Node to = neighbour(hop.from, hop.port);
      occupy(t, hop, to);
      if (!holdings.send(hop.packet, hop.from)) {
        refused_.push_back(i);
        const Refusal refusal = holdings.refusal();
        fault(refusal.rule, t, hop, [&] { return refusal.reason; });
      }
    }
  }

  bool in_range(std::uint64_t t, const Hop& hop) {
    if (hop.packet < packet_count_ && hop.from < order_ && hop.port < degree_) [[likely]]
      return true;
    fault(Rule::range, t, hop, [&] {
      return fmt::format("outside packets 0..{}, nodes 0..{}, ports 0..{}", packet_count_ - 1, order_ - 1,
                         degree_ - 1);
    });
    return false;
  }

  // Marks the link and counts the ports of both ends.
  void occupy(std::uint64_t t, const Hop& hop, Node to) {
    const Node sender = classes_.of(hop.from);
    const std::uint64_t link = links_.link(sender, hop.port);
    const bool first = links_.use(link);
    totals_.add(link);
    if (!first && strict_)
      fault(Rule::link, t, hop, [] { return "a second packet on this link in a strict round"; });
    if (first && ports_.limited()) {
      if (!ports_.send(sender)) fault(Rule::ports, t, hop, [&] { return excess("sender"); });
      if (!ports_.receive(classes_.of(to))) fault(Rule::ports, t, hop, [&] { return excess("receiver"); });
    }
    if (failed_.any() && failed_.touched(hop.from, hop.port, to))
      fault(Rule::failed, t, hop,
            [] { return "this link does not exist or has failed, or a node at its ends has"; });
  }

  std::string excess(std::string_view who) const {
    return fmt::format("the {} exceeds {}", who, schedule::to_string(plan_.schedule.ports));
  }

  // Hands over what was sent and clears the marks of the round.
  template <class Neighbour, class Holdings>
  void receive_all(std::uint64_t t, std::span<const Hop> hops, const Neighbour& neighbour,
                   Holdings& holdings) {
    auto next_refused = refused_.begin();
    for (std::uint64_t i = 0; i < hops.size(); ++i) {
      const Hop& hop = hops[i];
      const bool refused = next_refused != refused_.end() && *next_refused == i;
      if (refused) ++next_refused;
      if (hop.from >= order_ || hop.port >= degree_) continue;
      const Node to = neighbour(hop.from, hop.port);
      const Node sender = classes_.of(hop.from);
      links_.release(links_.link(sender, hop.port));
      if (ports_.limited()) ports_.release(sender, classes_.of(to));
      if (!refused) holdings.receive(hop.packet, to, t + 1);
    }
    links_.next_round();
    refused_.clear();
  }

  template <class Holdings>
  void finish(Holdings& holdings) {
    Delays delays = holdings.finish([&](PacketId packet, Node node) {
      const bool needless = stage_.flow != Flow::exchange && is_void(packets_[packet]);
      if (!needless) violations_.add([&] { return undelivered(packet, node); });
    });
    report_.mean_delay =
        delays.deliveries == 0 ? 0 : static_cast<double>(delays.sum) / static_cast<double>(delays.deliveries);
    report_.delay = std::move(delays.by_packet);
  }

  std::string_view exchange_fault() const {
    if (plan_.task.collective == schedule::Collective::scan)
      return "is not the sum of the contributions of all nodes up to it, each exactly once, at";
    if (plan_.task.collective == schedule::Collective::exscan)
      return "is not the sum of the contributions of all nodes before it, each exactly once, at";
    return "is not the sum of every contribution exactly once at";
  }

  Violation undelivered(PacketId packet, Node node) const {
    const bool exchanges = stage_.flow == Flow::exchange;
    const bool reduces = stage_.flow == Flow::reduce || stage_.flow == Flow::reduce_then_copy;
    return {
        .rule = exchanges || reduces ? Rule::contribution : Rule::delivery,
        .message = fmt::format("stage {}: {} {} {} node {}", number_, exchanges ? "part" : "packet", packet,
                               exchanges ? exchange_fault()
                               : reduces ? "does not end with every contribution at"
                                         : "is not delivered to",
                               node),
        .stage = static_cast<std::uint32_t>(number_),
        .node = node,
        .packet = packet};
  }

  const Plan& plan_;
  const schedule::Stage& stage_;
  std::size_t number_;
  const Options& options_;
  Violations& violations_;
  Report& report_;
  const schedule::Network& network_;
  schedule::Packets packets_;
  std::uint64_t packet_count_;
  Node order_;
  Port degree_;
  bool strict_;
  schedule::NodeClasses classes_;
  FailedParts failed_;
  PortsOfRound ports_;
  LinksOfRound links_;
  LinkTotals totals_;
  std::vector<std::uint64_t> refused_;  // hops of the round that move nothing, ascending
};

}  // namespace

void check_stage(const Plan& plan, std::size_t stage, const Options& options, Violations& violations,
                 Report& report) {
  StageCheck(plan, stage, options, violations, report).run();
}

}  // namespace isotrope::verify
