// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/chunk_results.hpp"

#include <algorithm>

#include "isotrope/rank/program.hpp"

namespace isotrope::exports {
namespace {

using network::Node;
using schedule::Collective;
using schedule::Plan;

class Expectation {
 public:
  explicit Expectation(const Plan& plan) : plan_(plan), parts_(plan.task.parts) {}

  /// Chunks of the output of `node`, wanted[chunk].
  std::vector<std::uint64_t> output(Node node) const {
    const rank::RankProgram program = rank::compile(plan_, node);
    std::vector<std::uint64_t> wanted;
    for (std::uint32_t chunk = 0; chunk < program.output_blocks * parts_; ++chunk)
      wanted.push_back(wanted_chunk(program, node, chunk));
    return wanted;
  }

 private:
  std::uint64_t wanted_chunk(const rank::RankProgram& program, Node node, std::uint32_t chunk) const {
    const std::uint32_t block = chunk / parts_, part = chunk % parts_;
    switch (plan_.task.collective) {
      case Collective::broadcast:
        return input_chunk(plan_.task.root, chunk);
      case Collective::scatter:
        return input_chunk(plan_.task.root, node * parts_ + part);
      case Collective::gather:
      case Collective::allgather:
        return input_chunk(block, part);
      case Collective::alltoall:
        return input_chunk(block, node * parts_ + part);
      case Collective::reduce:
      case Collective::allreduce:
        return sum(chunk);
      case Collective::reduce_scatter:
        return sum(node * parts_ + part);
      default:
        break;
    }
    const rank::ListedBlock name = program.outputs.at(block);
    const rank::RankProgram origin = rank::compile(plan_, name.other);
    const auto input = std::ranges::find(origin.inputs, rank::ListedBlock{node, name.block});
    return input_chunk(name.other, static_cast<std::uint64_t>(input - origin.inputs.begin()) * parts_ + part);
  }

  std::uint64_t sum(std::uint32_t chunk) const {
    std::uint64_t result = 0;
    for (Node node = 0; node < plan_.network.order(); ++node) result += input_chunk(node, chunk);
    return result;
  }

  const Plan& plan_;
  std::uint32_t parts_;
};

}  // namespace

std::uint64_t input_chunk(Node node, std::uint64_t chunk) {
  std::uint64_t x = (std::uint64_t{node} << 32U) + chunk + 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t input_chunks(const Plan& plan, Node node) {
  return std::uint64_t{rank::compile(plan, node).input_blocks} * plan.task.parts;
}

std::vector<std::uint64_t> wanted_output(const Plan& plan, Node node) {
  return Expectation(plan).output(node);
}

}  // namespace isotrope::exports
