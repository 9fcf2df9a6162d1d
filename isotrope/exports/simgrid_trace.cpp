// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_trace.hpp"

#include <string>

#include <fmt/format.h>

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/new_folder.hpp"
#include "isotrope/exports/rank_rounds.hpp"

namespace isotrope::exports {
namespace {

constexpr std::uint32_t tags = 1U << 15;

std::string trace_name(Node rank) {
  return fmt::format("rank-{}.txt", rank);
}

void put_round(io::ByteBuffer& out, Node rank, const RankRound& round) {
  for (const auto& [peer, port, bytes, tag] : round.receipts)
    out.put(fmt::format("{} irecv {} {} {}\n", rank, peer, tag % tags, bytes));
  for (const auto& [peer, port, bytes, tag] : round.sends)
    out.put(fmt::format("{} isend {} {} {}\n", rank, peer, tag % tags, bytes));
  out.put(fmt::format("{} waitall {}\n", rank, round.sends.size() + round.receipts.size()));
  if (round.combined_bytes > 0) out.put(fmt::format("{} compute {}\n", rank, round.combined_bytes));
}

}  // namespace

void write_simgrid_trace(std::ostream& out, const Plan& plan, Node rank, std::uint64_t block_bytes) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("{} init\n", rank));
  for (const RankRound& round : rank_rounds(plan, rank, block_bytes)) put_round(buffer, rank, round);
  buffer.put(fmt::format("{} finalize\n", rank));
  buffer.flush();
}

void write_simgrid_traces(const std::filesystem::path& folder, const Plan& plan, std::uint64_t block_bytes,
                          const std::function<void(double)>& progress) {
  NewFolder files(folder);
  for (Node rank = 0; rank < plan.network.order(); ++rank) {
    files.write(trace_name(rank),
                [&](std::ostream& out) { write_simgrid_trace(out, plan, rank, block_bytes); });
    if (progress) progress((rank + 1.0) / plan.network.order());
  }
  files.write("ranks.txt", [&](std::ostream& out) {
    for (Node rank = 0; rank < plan.network.order(); ++rank)
      out << (folder / trace_name(rank)).string() << '\n';
  });
  files.finish();
}

}  // namespace isotrope::exports
