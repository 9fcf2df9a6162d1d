// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/buffers.hpp"

#include <algorithm>
#include <tuple>

#include "isotrope/rank/contents.hpp"
#include "isotrope/rank/vector_slices.hpp"

namespace isotrope::rank {

using schedule::Collective;
using schedule::Plan;

std::vector<BlockList::Owned> BlockList::number(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(entries_, {}, [](const Named& named) {
    return std::tuple(named.block.first, named.block.second.other, named.block.second.block);
  });
  std::vector<Owned> blocks;
  std::uint32_t next = 0;
  for (const auto& [block, packet] : entries_) {
    if (blocks.empty() || blocks.back() != block) {
      if (blocks.empty() || blocks.back().first != block.first) next = 0;
      blocks.push_back(block);
      ++next;
    }
    numbers[packet] = next - 1;
  }
  return blocks;
}

UnitNumbers::UnitNumbers(const Plan& plan) : parts_(plan.task.parts) {
  const auto [input, output] = block_meanings(plan.task.collective);
  input_by_node_ = input == BlockMeaning::by_node;
  output_by_node_ = output == BlockMeaning::by_node;
  if (input != BlockMeaning::slice) return;
  const VectorSlices slices(plan);
  input_by_node_ = output_by_node_ = slices.by_node();
  input_of_ = output_of_ = slices.listed(plan);
}

UnitNumbers::UnitNumbers(std::uint32_t parts, std::vector<std::uint32_t> input_of,
                         std::vector<std::uint32_t> output_of)
    : parts_(parts), input_of_(std::move(input_of)), output_of_(std::move(output_of)) {}

namespace {

// Lays out the buffers of one node.
class BufferLayout {
 public:
  BufferLayout(const Plan& plan, Node node, Node place, UnitNumbers& numbers)
      : plan_(plan), node_(node), place_(place), numbers_(numbers) {
    buffers_.parts = plan.task.parts;
  }

  NodeBuffers run() {
    if (plan_.schedule.stages.empty()) return std::move(buffers_);
    if (block_meanings(plan_.task.collective).input == BlockMeaning::listed) {
      list_blocks();
      return std::move(buffers_);
    }
    numbers_ = UnitNumbers(plan_);
    if (schedule::reduces(plan_.task.collective)) {
      lay_out_reduction();
    } else {
      lay_out_exchange();
    }
    return std::move(buffers_);
  }

 private:
  Node order() const { return plan_.network.order(); }
  bool is_root() const { return place_ == plan_.task.root; }
  // Whether no node comes before this one.
  bool is_first() const {
    Node first = 0;
    while (std::ranges::count(plan_.failed.nodes, first) > 0) ++first;
    return place_ <= first;
  }

  void lay_out_exchange() {
    const Collective collective = plan_.task.collective;
    const bool gives = collective == Collective::broadcast || collective == Collective::scatter;
    const bool takes = collective == Collective::gather;
    const Node in = numbers_.input_by_node() ? order() : 1, out = numbers_.output_by_node() ? order() : 1;
    buffers_.input_blocks = gives && !is_root() ? 0 : in;
    buffers_.output_blocks = takes && !is_root() ? 0 : out;
    if (buffers_.input_blocks == 0 || buffers_.output_blocks == 0) return;
    copy_block(numbers_.input_by_node() ? node_ : 0, numbers_.output_by_node() ? node_ : 0);
  }

  void lay_out_reduction() {
    const Collective collective = plan_.task.collective;
    if (schedule::is_prefix(collective)) {
      buffers_.input_blocks = 1;
      buffers_.output_blocks = collective == Collective::exscan && is_first() ? 0 : 1;
      return;
    }
    buffers_.one_vector = collective == Collective::allreduce || collective == Collective::barrier;
    buffers_.input_blocks = buffers_.one_vector        ? VectorSlices(plan_).count()
                            : numbers_.input_by_node() ? order()
                                                       : 1;
    buffers_.output_blocks = buffers_.one_vector                              ? buffers_.input_blocks
                             : collective == Collective::reduce && !is_root() ? 0
                                                                              : 1;
    buffers_.partial_results = !buffers_.one_vector && !(collective == Collective::reduce && is_root());
    if (order() == 1) {
      copy_block(0, 0);
    } else if (collective == Collective::reduce_scatter) {
      buffers_.closing.push_back(
          {Buffer::partial, Buffer::output, node_ * buffers_.parts, 0, buffers_.parts});
    }
  }

  // The node's own block, which begins and ends here.
  void copy_block(std::uint32_t from_block, std::uint32_t to_block) {
    const std::uint32_t parts = buffers_.parts;
    buffers_.opening.push_back({Buffer::input, Buffer::output, from_block * parts, to_block * parts, parts});
  }

  // The blocks of the packets that begin and that end here; a packet that does both is copied at once.
  void list_blocks() {
    const schedule::Stage& stage = plan_.schedule.stages.front();
    const schedule::Packets packets(hop_network(plan_), plan_.task, stage);
    const schedule::NodeClasses classes(hop_network(plan_).group(), stage.replication);
    const Node own = classes.of(place_);
    BlockList inputs, outputs;
    for (schedule::PacketId p = 0; p < packets.size(); ++p) {
      const auto [origin, to, block, part] = packets[p];
      if (classes.of(origin) == own) inputs.add(0, {seen(to, origin), block}, p);
      if (classes.of(to) == own) outputs.add(0, {seen(origin, to), block}, p);
    }
    std::vector<std::uint32_t> input_of(packets.size()), output_of(packets.size());
    for (const auto& [owner, name] : inputs.number(input_of)) buffers_.inputs.push_back(name);
    for (const auto& [owner, name] : outputs.number(output_of)) buffers_.outputs.push_back(name);
    buffers_.input_blocks = static_cast<std::uint32_t>(buffers_.inputs.size());
    buffers_.output_blocks = static_cast<std::uint32_t>(buffers_.outputs.size());
    numbers_ = UnitNumbers(buffers_.parts, std::move(input_of), std::move(output_of));
    for (schedule::PacketId p = 0; p < packets.size(); ++p) {
      const auto [origin, to, block, part] = packets[p];
      if (origin != to || classes.of(origin) != own) continue;
      buffers_.opening.push_back(
          {Buffer::input, Buffer::output, numbers_.input(p, part, 0), numbers_.output(p, part, 0), 1});
    }
  }

  // `other`, moved as `here` is to this node.
  Node seen(Node other, Node here) const {
    const network::Group& group = hop_network(plan_).group();
    return group.add(other, group.subtract(node_, here));
  }

  const Plan& plan_;
  Node node_;
  Node place_;
  UnitNumbers& numbers_;
  NodeBuffers buffers_;
};

}  // namespace

NodeBuffers lay_out(const Plan& plan, Node node, Node place, UnitNumbers& numbers) {
  return BufferLayout(plan, node, place, numbers).run();
}

}  // namespace isotrope::rank
