// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "isotrope/local/contributions.hpp"

namespace isotrope::local {
namespace {

void perform(const Copy& copy, Combine combine, std::byte* receiver, const std::byte* sender) {
  if (copy.adds) {
    combine({receiver + copy.target, copy.bytes}, {sender + copy.source, copy.bytes});
  } else {
    std::memcpy(receiver + copy.target, sender + copy.source, copy.bytes);
  }
}

// The first copies that have the same class of receivers.
std::span<const Copy> same_receivers(std::span<const Copy> copies) {
  const auto other = std::ranges::find_if(
      copies, [&](const Copy& copy) { return copy.receivers != copies.front().receivers; });
  return {copies.begin(), other};
}

}  // namespace

void fill(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
          std::uint64_t seed, Positions mine) {
  for (Node position = mine.begin; position < mine.end; ++position) {
    const Node node = program.cosets.nodes()[position];
    std::memset(arenas.of(node), 0, program.arena_bytes[program.cosets.class_of(node)]);
  }
  const network::Group& group = network.group();
  const Contributions contributions(program.reduction, program.survivors.size(), seed);
  for (const Holding& source : program.sources) {
    const TranslatedPacket& piece = program.pieces[source.piece];
    for (const Node node : program.cosets.members(program.cosets.class_of(source.node), mine)) {
      const Node owner = piece.owner_at(group, group.subtract(node, source.node));
      contributions.write({arenas.of(node) + source.place, piece.bytes}, node, owner, piece.block,
                          piece.offset);
    }
  }
}

void run_step(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
              std::uint64_t t, Positions mine) {
  const Node first_class = mine.begin / program.cosets.size();
  std::span<const Copy> rest = program.step(t);
  rest = {std::ranges::lower_bound(rest, first_class, {}, &Copy::receivers), rest.end()};
  network.visit([&](const auto& neighbour, const auto&) {
    while (!rest.empty()) {
      const std::span<const Copy> copies = same_receivers(rest);
      const std::span<const Node> receivers = program.cosets.members(copies.front().receivers, mine);
      if (receivers.empty()) break;
      for (const Node receiver : receivers) {
        for (const Copy& copy : copies) {
          const Node sender = copy.back == inside ? receiver : neighbour(receiver, copy.back);
          perform(copy, program.combine, arenas.of(receiver), arenas.of(sender));
        }
      }
      rest = rest.subspan(copies.size());
    }
  });
}

void copy_plainly(std::span<std::byte> memory, std::uint64_t piece_bytes, std::uint64_t bytes) {
  const std::uint64_t half = memory.size() / 2;
  std::uint64_t at = 0;
  while (bytes != 0) {
    const std::uint64_t count = std::min({piece_bytes, half - at, bytes});
    std::memcpy(memory.data() + half + at, memory.data() + at, count);
    bytes -= count;
    at = at + count == half ? 0 : at + count;
  }
}

}  // namespace isotrope::local
