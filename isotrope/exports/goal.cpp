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

void put_rank(io::ByteBuffer& out, Node rank, const std::vector<RankRound>& rounds, bool has_nics) {
  out.put(fmt::format("rank {} {{\n", rank));
  std::optional<std::uint32_t> before;
  for (const auto& [round, sends, receipts, combined_bytes] : rounds) {
    const auto put_operations = [&, round = round](std::string_view verb, std::string_view preposition,
                                                   const std::vector<RankTransfer>& transfers) {
      for (const auto& [peer, port, bytes, tag] : transfers) {
        out.put(fmt::format("{}{}p{}: {} {}b {} {} tag {} cpu 0", verb[0], round, port, verb, bytes,
                            preposition, peer, tag));
        out.put(has_nics ? fmt::format(" nic {}\n", port) : "\n");
      }
    };
    const auto put_order = [&, round = round](char kind, const std::vector<RankTransfer>& transfers) {
      for (const RankTransfer& transfer : transfers) {
        if (before) out.put(fmt::format("{}{}p{} requires e{}\n", kind, round, transfer.port, *before));
        out.put(fmt::format("e{} requires {}{}p{}\n", round, kind, round, transfer.port));
      }
    };
    put_operations("send", "to", sends);
    put_operations("recv", "from", receipts);
    out.put(fmt::format("e{}: calc {} cpu 0\n", round, combined_bytes));
    put_order('s', sends);
    put_order('r', receipts);
    before = round;
  }
  out.put("}\n");
}

}  // namespace

void write_goal(std::ostream& out, const Plan& plan, std::uint64_t block_bytes,
                const std::function<void(double)>& progress) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("num_ranks {}\n", plan.network.order()));
  for (Node rank = 0; rank < plan.network.order(); ++rank) {
    put_rank(buffer, rank, rank_rounds(plan, rank, block_bytes),
             schedule::hop_network(plan).degree() <= most_nics);
    if (progress) progress((rank + 1.0) / plan.network.order());
  }
  buffer.flush();
}

}  // namespace isotrope::exports
