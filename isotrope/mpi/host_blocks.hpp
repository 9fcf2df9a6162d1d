// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that a rank exchanges with ranks of its host through the memory that they share (host_memory.hpp): each goes straight
// from its place to the ring, and from there to its place. Blocks that are not dense bytes are packed before, and unpacked behind.
//
// The k-th block that a rank sends to another is the k-th that the other receives. Ranks that are sent the same block one after
// the other read it once written.
#pragma once

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/listed_arguments.hpp"

namespace isotrope::mpi {

class HostBlocks {
 public:
  using Place = HostMemory::Place;

  HostBlocks(std::shared_ptr<HostMemory> memory, int tag) : memory_(std::move(memory)), tag_(tag) {}

  std::optional<Place> place_of(int rank) const { return memory_->place_of(rank); }
  std::uint32_t ranks() const { return memory_->ranks(); }

  /// Forgets all blocks. @pre the last advance() returned true, or none was called
  void clear();
  /// Blocks at an address, which stay the caller's until all is done. @throws Failure if MPI cannot pack a block
  void send(const void* address, const PlacedBlock& block, Place reader);
  void receive(const void* address, const PlacedBlock& block, Place writer);
  /// Moves what can be moved. Returns whether all blocks are in their places.
  bool advance();
  /// MPI_ERR_TRUNCATE if a block was longer than its place, or the code of unpacking it; afterwards MPI_SUCCESS.
  int take_error() { return std::exchange(error_, MPI_SUCCESS); }

 private:
  struct Sent {
    const void* address;
    PlacedBlock block;
    const std::byte* data;
    std::uint64_t bytes;
    std::vector<Place> readers;
    std::uint64_t done = 0;
    bool is_over = false;
  };
  struct Received {
    void* address;
    PlacedBlock block;
    Place writer;
    std::byte* data;
    std::uint64_t bytes;
    bool is_packed;
    std::uint64_t done = 0;
    bool is_over = false;
  };

  std::byte* room(std::uint64_t bytes);
  bool publish(Sent& sent);
  void take(Received& received);
  void finish(Received& received);

  std::shared_ptr<HostMemory> memory_;
  int tag_;
  int error_ = MPI_SUCCESS;
  std::vector<Sent> sent_;
  std::vector<Received> received_;
  std::size_t next_sent_ = 0, open_receipts_ = 0;
  std::vector<bool> blocked_;  // by place of a writer: its earlier block has not come
  std::vector<std::unique_ptr<std::byte[]>> packed_;
};

}  // namespace isotrope::mpi
