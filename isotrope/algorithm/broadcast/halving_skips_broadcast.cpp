// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/halving_skips_broadcast.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Rounds;

// The depth-first search over sums of skips, largest first, for the labels of one node.
class LabelSearch {
 public:
  LabelSearch(const std::vector<std::int64_t>& skips, std::uint32_t address, std::uint32_t base)
      : skips_(skips),
        count_(skips.size() - 1),
        target_(skips.back() + address),
        last_(2 * skips.back()),
        taken_(skips.size(), false) {
    taken_[base] = true;
    search(0, count_);
  }

  /// By k, the last skip of the sum that ends in the window of k.
  const std::vector<std::size_t>& found() const { return found_; }

 private:
  std::int64_t window_end(std::size_t k) const { return target_ - skips_[k]; }

  void search(std::int64_t sum, std::size_t largest) {
    for (std::size_t e = largest + 1; e-- > 0;) {
      if (taken_[e] || found_.size() == count_) continue;
      const std::int64_t next = sum + skips_[e];
      if (next > window_end(found_.size()) || next >= last_) continue;
      if (next <= window_end(found_.size() + 1)) search(next, e);
      if (found_.size() == count_ || sum > window_end(found_.size() + 1)) return;
      last_ = next;
      found_.push_back(e);
      taken_[e] = true;
    }
  }

  const std::vector<std::int64_t>& skips_;
  std::size_t count_;
  std::int64_t target_, last_;
  std::vector<bool> taken_;
  std::vector<std::size_t> found_;
};

}  // namespace

HalvingSkips::HalvingSkips(std::uint32_t nodes) : skips_{nodes} {
  while (skips_.back() > 1) skips_.push_back((skips_.back() + 1) / 2);
  std::ranges::reverse(skips_);
}

std::uint32_t HalvingSkips::base(std::uint32_t address) const {
  std::int64_t rest = address;
  for (std::uint32_t k = count(); k-- > 0;) {
    if (skips_[k] == rest) return k;
    if (skips_[k] < rest) rest -= skips_[k];
  }
  return count();
}

std::vector<std::int32_t> HalvingSkips::labels(std::uint32_t address) const {
  const std::uint32_t own = base(address);
  const LabelSearch search(skips_, address, own);
  std::vector<std::int32_t> result;
  for (const std::size_t e : search.found()) {
    const bool is_own = e == count();
    result.push_back(is_own ? static_cast<std::int32_t>(own)
                            : static_cast<std::int32_t>(e) - static_cast<std::int32_t>(count()));
  }
  return result;
}

std::uint64_t halving_skips_rounds(std::uint32_t nodes, std::uint32_t parts) {
  return std::uint64_t{parts} - 1 + HalvingSkips(nodes).count();
}

schedule::Schedule halving_skips_broadcast(const Network& network, Node root, std::uint32_t parts) {
  const HalvingSkips skips(network.order());
  const std::int64_t q = skips.count(), last = std::int64_t{parts} - 1, first = (q - last % q) % q;
  std::vector<std::vector<std::int32_t>> labels(network.order());
  for (Node address = 1; address < network.order(); ++address) labels[address] = skips.labels(address);
  std::vector<Port> ports;
  for (std::uint32_t k = 0; k < skips.count(); ++k) ports.push_back(network.port_to(0, skips.skip(k)));
  std::vector<bool> has_last(network.order(), false);
  Rounds rounds;
  rounds.reserve(static_cast<std::uint64_t>(last + q), std::uint64_t{network.order() - 1} * parts);
  for (std::int64_t t = first; t < first + last + q; ++t) {
    const auto k = static_cast<std::uint32_t>(t % q);
    for (Node address = 1; address < network.order(); ++address) {
      const std::int64_t packet = std::min(last, labels[address][k] + q * (t / q) - first);
      if (packet < 0 || (packet == last && has_last[address])) continue;
      if (packet == last) has_last[address] = true;
      const Node sender = network.group().subtract(network.group().add(root, address), skips.skip(k));
      rounds.add({static_cast<schedule::PacketId>(packet), sender, ports[k]});
    }
    rounds.close_round();
  }
  return {schedule::PortModel::one(),
          schedule::RoundKind::strict,
          {{schedule::Flow::copy, schedule::Replication::none(), {}, std::move(rounds)}}};
}

}  // namespace isotrope::algorithm
