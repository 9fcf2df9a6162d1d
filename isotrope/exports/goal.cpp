// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/goal.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/rank_rounds.hpp"

namespace isotrope::exports {
namespace {

constexpr Port most_nics = 256;

class GoalWriter {
 public:
  GoalWriter(io::ByteBuffer& out, bool has_nics) : out_(out), has_nics_(has_nics) {}

  void put_rank(Node rank, const std::vector<RankRound>& rounds) {
    out_.put(fmt::format("rank {} {{\n", rank));
    std::optional<std::uint32_t> before;
    for (const RankRound& round : rounds) {
      put_round(round, before);
      before = round.round;
    }
    out_.put("}\n");
  }

 private:
  void put_round(const RankRound& round, std::optional<std::uint32_t> before) {
    for (const RankTransfer& send : round.sends) put_operation("send", "to", round.round, send);
    for (const RankTransfer& receipt : round.receipts) put_operation("recv", "from", round.round, receipt);
    out_.put(fmt::format("e{}: calc {} cpu 0\n", round.round, round.combined_bytes));
    for (const RankTransfer& send : round.sends) put_order('s', round.round, send.port, before);
    for (const RankTransfer& receipt : round.receipts) put_order('r', round.round, receipt.port, before);
  }

  void put_operation(std::string_view verb, std::string_view preposition, std::uint32_t round,
                     const RankTransfer& transfer) {
    out_.put(fmt::format("{}{}p{}: {} {}b {} {} tag {} cpu 0", verb[0], round, transfer.port, verb,
                         transfer.bytes, preposition, transfer.peer, round));
    out_.put(has_nics_ ? fmt::format(" nic {}\n", transfer.port) : "\n");
  }

  void put_order(char kind, std::uint32_t round, Port port, std::optional<std::uint32_t> before) {
    if (before) out_.put(fmt::format("{}{}p{} requires e{}\n", kind, round, port, *before));
    out_.put(fmt::format("e{} requires {}{}p{}\n", round, kind, round, port));
  }

  io::ByteBuffer& out_;
  bool has_nics_;
};

}  // namespace

void write_goal(std::ostream& out, const Plan& plan, std::uint64_t block_bytes,
                const std::function<void(double)>& progress) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("num_ranks {}\n", plan.network.order()));
  GoalWriter writer(buffer, plan.network.degree() <= most_nics);
  for (Node rank = 0; rank < plan.network.order(); ++rank) {
    writer.put_rank(rank, rank_rounds(plan, rank, block_bytes));
    if (progress) progress((rank + 1.0) / plan.network.order());
  }
  buffer.flush();
}

}  // namespace isotrope::exports
