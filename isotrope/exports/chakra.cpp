// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/chakra.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/astra_sim.hpp"
#include "isotrope/exports/new_folder.hpp"
#include "isotrope/exports/rank_rounds.hpp"

namespace isotrope::exports {
namespace {

// The numbers of the fields.
constexpr std::uint32_t metadata_version = 1;
constexpr std::uint32_t node_id = 1, node_name = 2, node_type = 3, ctrl_deps = 4, data_deps = 5, attr = 10;
constexpr std::uint32_t attr_name = 1, int32_val = 7, int64_val = 9, uint64_val = 13, bool_val = 27;

// One protobuf message under construction, in its wire format.
//
//     field     key = 8 number + kind; then, by kind:    0 a varint    2 a length and as many bytes
//     varint    7 bits per byte, the lowest first; the highest bit is set in all bytes but the last
//
// Source: the protocol buffers encoding guide.
class ProtobufMessage {
 public:
  // An unsigned, enumerated or nonnegative signed field. 0 is written too, as members of a oneof require.
  void add(std::uint32_t field, std::uint64_t value) {
    put_varint(std::uint64_t{field} << 3U);
    put_varint(value);
  }
  // A string or a message.
  void add(std::uint32_t field, std::string_view bytes) {
    put_varint((std::uint64_t{field} << 3U) | 2U);
    put_varint(bytes.size());
    bytes_ += bytes;
  }
  // A packed repeated field; left out if it is empty.
  void add(std::uint32_t field, std::span<const std::uint64_t> values) {
    if (values.empty()) return;
    ProtobufMessage packed;
    for (const std::uint64_t value : values) packed.put_varint(value);
    add(field, packed.bytes());
  }
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(value | 0x80U));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

enum class NodeType : std::uint32_t { comp = 4, send = 5, receive = 6 };

// The nodes that the next round waits for.
struct RoundTails {
  std::vector<std::uint64_t> sends;
  std::vector<std::uint64_t> data;
};

class ChakraWriter {
 public:
  ChakraWriter(io::ByteBuffer& out, Node rank) : out_(out), rank_(rank) {}

  void put_metadata() {
    ProtobufMessage metadata;
    metadata.add(metadata_version, "0.0.4");
    put_delimited(metadata);
  }

  void put_round(const RankRound& round) {
    RoundTails ends;
    for (const RankTransfer& receipt : round.receipts)
      ends.data.push_back(put_transfer(NodeType::receive, round.round, receipt));
    for (const RankTransfer& send : round.sends)
      ends.sends.push_back(put_transfer(NodeType::send, round.round, send));
    if (round.combined_bytes > 0) ends.data = {put_combination(round, ends.data)};
    before_ = std::move(ends);
  }

 private:
  std::uint64_t put_transfer(NodeType type, std::uint32_t round, const RankTransfer& transfer) {
    const bool sends = type == NodeType::send;
    ProtobufMessage node =
        begin_node(type, fmt::format("{} {} round {}", sends ? "to" : "from", transfer.peer, round), before_);
    add_attribute(node, "comm_size", int64_val, transfer.bytes);
    add_attribute(node, "comm_src", int32_val, sends ? rank_ : transfer.peer);
    add_attribute(node, "comm_dst", int32_val, sends ? transfer.peer : rank_);
    add_attribute(node, "comm_tag", int32_val, transfer.tag);
    return finish(node);
  }

  std::uint64_t put_combination(const RankRound& round, std::vector<std::uint64_t> receipts) {
    ProtobufMessage node = begin_node(NodeType::comp, fmt::format("combine round {}", round.round),
                                      {.sends = {}, .data = std::move(receipts)});
    add_attribute(node, "num_ops", int64_val, round.combined_bytes);
    add_attribute(node, "tensor_size", uint64_val, round.combined_bytes);
    return finish(node);
  }

  ProtobufMessage begin_node(NodeType type, std::string_view name, const RoundTails& waits_for) const {
    ProtobufMessage node;
    node.add(node_id, next_);
    node.add(node_name, name);
    node.add(node_type, static_cast<std::uint64_t>(type));
    node.add(ctrl_deps, waits_for.sends);
    node.add(data_deps, waits_for.data);
    add_attribute(node, "is_cpu_op", bool_val, 0);
    return node;
  }

  static void add_attribute(ProtobufMessage& node, std::string_view name, std::uint32_t field,
                            std::uint64_t value) {
    ProtobufMessage attribute;
    attribute.add(attr_name, name);
    attribute.add(field, value);
    node.add(attr, attribute.bytes());
  }

  std::uint64_t finish(const ProtobufMessage& node) {
    put_delimited(node);
    return next_++;
  }

  void put_delimited(const ProtobufMessage& message) {
    ProtobufMessage length;
    length.put_varint(message.bytes().size());
    out_.put(length.bytes());
    out_.put(message.bytes());
  }

  io::ByteBuffer& out_;
  Node rank_;
  std::uint64_t next_ = 0;
  RoundTails before_;
};

}  // namespace

void write_chakra_trace(std::ostream& out, const Plan& plan, Node rank, std::uint64_t block_bytes) {
  io::ByteBuffer buffer(out);
  ChakraWriter writer(buffer, rank);
  writer.put_metadata();
  for (const RankRound& round : rank_rounds(plan, rank, block_bytes)) writer.put_round(round);
  buffer.flush();
}

void write_chakra_traces(const std::filesystem::path& folder, const Plan& plan, std::uint64_t block_bytes,
                         const cost::Machine& machine, const std::function<void(double)>& progress) {
  NewFolder files(folder);
  for (Node rank = 0; rank < plan.network.order(); ++rank) {
    files.write(fmt::format("plan.{}.et", rank),
                [&](std::ostream& out) { write_chakra_trace(out, plan, rank, block_bytes); });
    if (progress) progress((rank + 1.0) / plan.network.order());
  }
  const auto write_text = [&](const std::string& name, const std::string& text) {
    files.write(name, [&](std::ostream& out) { out << text; });
  };
  if (const std::optional<std::string> network = astra_network(plan, machine))
    write_text("network.yml", *network);
  write_text("system.json", astra_system(plan, folder / "plan"));
  write_text("memory.json", astra_memory());
  files.finish();
}

}  // namespace isotrope::exports
