// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads Chakra traces from the wire format up, by the field numbers of et_def.proto.
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/exports/trace.hpp"

namespace isotrope::exports {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("chakra: " + what);
}

class Wire {
 public:
  explicit Wire(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) refuse("a number that is cut off");
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    refuse("a number too long");
  }
  std::string_view delimited() {
    const std::uint64_t length = varint();
    if (length > bytes_.size()) refuse("a field that is cut off");
    const std::string_view field = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return field;
  }

 private:
  std::string_view bytes_;
};

struct Field {
  std::uint64_t number;
  std::uint64_t value;     // of a varint
  std::string_view bytes;  // of what has a length
};

std::optional<Field> next_field(Wire& wire) {
  if (wire.done()) return std::nullopt;
  const std::uint64_t key = wire.varint();
  Field field{key / 8, 0, {}};
  if (key % 8 == 0)
    field.value = wire.varint();
  else if (key % 8 == 2)
    field.bytes = wire.delimited();
  else
    refuse("a field of unknown kind");
  return field;
}

// By name: the number of the value's field, and the value.
using Attributes = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;

void read_attribute(std::string_view bytes, Attributes& attributes) {
  Wire wire(bytes);
  std::string name;
  std::pair<std::uint64_t, std::uint64_t> value{0, 0};
  while (const auto field = next_field(wire)) {
    if (field->number == 1)
      name = field->bytes;
    else
      value = {field->number, field->value};
  }
  if (!attributes.emplace(name, value).second) refuse("an attribute twice: " + name);
}

struct ChakraNode {
  std::uint64_t id = 0, type = 0;
  std::string name;
  std::vector<std::uint64_t> awaits;
  Attributes attributes;
};

ChakraNode read_node(std::string_view bytes) {
  Wire wire(bytes);
  ChakraNode node;
  while (const auto field = next_field(wire)) {
    switch (field->number) {
      case 1:
        node.id = field->value;
        break;
      case 2:
        node.name = field->bytes;
        break;
      case 3:
        node.type = field->value;
        break;
      case 4:
      case 5:
        for (Wire list(field->bytes); !list.done();) node.awaits.push_back(list.varint());
        break;
      case 10:
        read_attribute(field->bytes, node.attributes);
        break;
      default:
        refuse(fmt::format("a node's field {}", field->number));
    }
  }
  return node;
}

std::uint64_t attribute(const ChakraNode& node, const std::string& name, std::uint64_t field) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end() || found->second.first != field)
    refuse(fmt::format("node {} has no {} in field {}", node.id, name, field));
  return found->second.second;
}

Operation operation_of(const ChakraNode& node, std::size_t rank) {
  constexpr std::uint64_t comp = 4, send = 5, receive = 6, int32 = 7, int64 = 9, uint64 = 13, boolean = 27;
  Operation operation{.awaits = {node.awaits.begin(), node.awaits.end()}};
  if (attribute(node, "is_cpu_op", boolean) != 0) refuse("an operation of the processor");
  if (node.type == comp) {
    operation.bytes = attribute(node, "num_ops", int64);
    if (attribute(node, "tensor_size", uint64) != operation.bytes) refuse("another size of tensor");
    return operation;
  }
  if (node.type != send && node.type != receive) refuse(fmt::format("a node of type {}", node.type));
  const bool sends = node.type == send;
  operation.kind = sends ? Operation::Kind::send : Operation::Kind::receive;
  operation.bytes = attribute(node, "comm_size", int64);
  operation.tag = attribute(node, "comm_tag", int32);
  operation.peer = static_cast<network::Node>(attribute(node, sends ? "comm_dst" : "comm_src", int32));
  if (attribute(node, sends ? "comm_src" : "comm_dst", int32) != rank) refuse("a message of another rank");
  return operation;
}

std::vector<Operation> read_rank(const std::string& bytes, std::size_t rank) {
  Wire wire(bytes);
  Wire metadata(wire.delimited());
  const auto version = next_field(metadata);
  if (!version || version->number != 1 || version->bytes != "0.0.4") refuse("no metadata");
  std::vector<Operation> operations;
  while (!wire.done()) {
    const ChakraNode node = read_node(wire.delimited());
    if (node.id != operations.size() || node.name.empty()) refuse("a node out of order");
    operations.push_back(operation_of(node, rank));
    for (const std::size_t before : operations.back().awaits) {
      if (before >= node.id) refuse("a node that waits for a later one");
    }
  }
  return operations;
}

}  // namespace

Trace read_chakra(const std::vector<std::string>& ranks) {
  Trace trace;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) trace.push_back(read_rank(ranks[rank], rank));
  return trace;
}

}  // namespace isotrope::exports
