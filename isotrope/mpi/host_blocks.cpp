// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/host_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {
namespace {

bool is_same(const PlacedBlock& a, const PlacedBlock& b) {
  return a.count == b.count && a.type == b.type;
}

}  // namespace

void HostBlocks::clear() {
  sent_.clear();
  received_.clear();
  packed_.clear();
  next_sent_ = open_receipts_ = 0;
}

std::byte* HostBlocks::room(std::uint64_t bytes) {
  return packed_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get();
}

void HostBlocks::send(const void* address, const PlacedBlock& block, Place reader) {
  if (!sent_.empty() && sent_.back().address == address && is_same(sent_.back().block, block)) {
    std::vector<Place>& readers = sent_.back().readers;
    if (std::ranges::find(readers, reader) == readers.end()) return readers.push_back(reader);
  }
  const Datatype type = Datatype::of(block.type);
  const auto count = static_cast<std::uint64_t>(block.count);
  const std::uint64_t bytes = count * type.size;
  const auto* data = static_cast<const std::byte*>(address);
  if (!type.is_bytes_at(address) && bytes > 0) {
    std::byte* const packed = room(bytes);
    pack(address, count, type, packed, MPI_COMM_SELF);
    data = packed;
  }
  sent_.push_back({address, block, data, bytes, {reader}});
}

void HostBlocks::receive(const void* address, const PlacedBlock& block, Place writer) {
  const Datatype type = Datatype::of(block.type);
  const std::uint64_t bytes = static_cast<std::uint64_t>(block.count) * type.size;
  const bool is_packed = !type.is_bytes_at(address) && bytes > 0;
  auto* const place = static_cast<std::byte*>(const_cast<void*>(address));
  received_.push_back({place, block, writer, is_packed ? room(bytes) : place, bytes, is_packed});
  ++open_receipts_;
}

bool HostBlocks::advance() {
  while (next_sent_ < sent_.size() && publish(sent_[next_sent_])) ++next_sent_;
  blocked_.assign(memory_->ranks(), false);
  for (Received& received : received_) {
    if (!received.is_over && !blocked_[received.writer]) take(received);
  }
  return next_sent_ == sent_.size() && open_receipts_ == 0;
}

// Returns whether all of the block is written.
bool HostBlocks::publish(Sent& sent) {
  while (!sent.is_over) {
    const std::uint64_t now = std::min(memory_->largest_piece(), sent.bytes - sent.done);
    std::byte* const piece = memory_->prepare(sent.readers, now);
    if (piece == nullptr) return false;
    if (now > 0) std::memcpy(piece, sent.data + sent.done, now);
    sent.done += now;
    sent.is_over = sent.done == sent.bytes;
    memory_->publish(sent.readers, now, tag_, sent.is_over);
  }
  return true;
}

void HostBlocks::take(Received& received) {
  while (const auto piece = memory_->find(received.writer, tag_)) {
    const std::uint64_t now = std::min(piece->bytes, received.bytes - received.done);
    if (now < piece->bytes) error_ = MPI_ERR_TRUNCATE;
    if (now > 0) std::memcpy(received.data + received.done, piece->data, now);
    received.done += now;
    received.is_over = piece->is_last;
    memory_->take(received.writer, tag_, *piece);
    if (received.is_over) return finish(received);
  }
  blocked_[received.writer] = true;
}

// A shorter block leaves the rest of its place as it was.
void HostBlocks::finish(Received& received) {
  --open_receipts_;
  if (!received.is_packed) return;
  try {
    const Datatype type = Datatype::of(received.block.type);
    unpack(received.data, received.address, received.done / std::max<std::uint64_t>(type.size, 1), type,
           MPI_COMM_SELF);
  } catch (const Failure& failure) {
    if (error_ == MPI_SUCCESS) error_ = failure.code();
  }
}

}  // namespace isotrope::mpi
