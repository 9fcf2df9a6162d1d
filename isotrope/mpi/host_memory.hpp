// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that the ranks of one host share, for messages between them in calls that wait.
//
//     queue w -> r    entries of 64 bytes: the tag of a piece, and its bytes, or their place in the ring of w
//     ring of w       pieces of messages, each written once, whatever the number of its readers
//
// A rank writes a piece into its ring, and an entry for each reader. A reader takes its entries in order, and reads the piece
// where it is. The bytes of the ring are free again when all readers have taken the piece. A writer that finds no room says
// so: readers then take pieces that they cannot use yet. Pieces with another tag than a reader waits for are kept for later,
// so messages match by writer and tag, as in MPI.
//
// Only calls that wait use it: ranks that come back to a request now and then would stop each other.
//
// The memory is a POSIX object without a name: the ranks open it together, and then its name goes. A window of
// MPI_Win_allocate_shared would have to be freed by all ranks together, and a full file system would end the program at the
// first touch.
//
// Cost: a message copies its bytes twice, into the ring and out of it or into a sum; a piece for many readers is copied in
// once. Memory of a host with H ranks: queues of 2 MiB together, of 16 to 256 entries each, and rings of 8 MiB together,
// of 64 KiB to 1 MiB each. Long queues let a rank run ahead of ranks that wait for a processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <vector>

namespace isotrope::mpi {

class HostMemory {
 public:
  /// The place of a rank among those of its host, 0 first.
  using Place = std::uint32_t;
  /// A part of a message.
  struct Piece {
    const std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    bool is_last = false;  ///< of its message
    bool is_kept = false;  ///< no longer in the queue
  };

  /// All ranks of `comm` must call this. @returns nothing on all ranks if each host has one rank, or a host gives no memory
  static std::shared_ptr<HostMemory> of(MPI_Comm comm);
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  /// Frees nothing that others use.
  ~HostMemory();

  /// Nothing for this rank itself and for ranks of other hosts. @param rank of the communicator that the memory was made for
  std::optional<Place> place_of(int rank) const;
  /// Whether all these ranks are on this host.
  bool holds(std::span<const int> ranks) const;
  /// How many the host has.
  std::uint32_t ranks() const { return ranks_; }
  /// Bytes of a piece, at most.
  std::uint64_t largest_piece() const { return largest_piece_; }

  /// Memory for a piece of at most largest_piece() bytes, aligned as any object, or nullptr until readers have taken others.
  /// Nothing else may be prepared before it is published.
  std::byte* prepare(std::span<const Place> readers, std::uint64_t bytes);
  /// Hands the piece to its readers. @pre prepared for the same readers and as many bytes
  void publish(std::span<const Place> readers, std::uint64_t bytes, int tag, bool is_last);

  /// The next piece of a writer with that tag, until taken; nothing if none has come.
  std::optional<Piece> find(Place writer, int tag);
  /// @pre the last result of find() for that writer and tag
  void take(Place writer, int tag, const Piece& piece);
  /// Whether a writer waits until its readers take pieces.
  bool is_starved(Place writer) const;

 private:
  static constexpr std::uint64_t inline_bytes = 48;

  struct alignas(64) Entry {
    std::atomic<std::uint32_t> ticket;  // 1 + the number of the entry, when it is written
    std::int32_t tag;
    std::uint32_t position;  // in the ring
    std::uint32_t bytes : 31;
    std::uint32_t is_last : 1;
    alignas(16) std::byte data[inline_bytes];  // of a short piece
  };
  // The entries of a queue that are taken; by the reader.
  struct alignas(64) Taken {
    std::atomic<std::uint32_t> count;
  };
  struct alignas(64) State {
    std::atomic<std::uint32_t> is_starved;  // by the writer
  };
  // What this rank has written to a reader.
  struct Written {
    std::uint32_t published = 0, reclaimed = 0;  // entries
    std::vector<std::uint64_t> pieces;           // by entry, the number of the piece in the ring, or no_piece
  };
  struct RingPiece {
    std::uint64_t end = 0;  // of the bytes written to the ring so far
    std::uint32_t readers = 0;
  };
  struct KeptPiece {
    Place writer = 0;
    int tag = 0;
    bool is_last = false;
    std::uint64_t bytes = 0;
    std::unique_ptr<std::byte[]> data;
  };
  static constexpr std::uint64_t no_piece = ~std::uint64_t{0};

  // @param ranks of this host, ascending. @param all ranks of the communicator
  HostMemory(const std::vector<int>& ranks, int rank, int all);
  static std::uint32_t depth_of(std::uint32_t ranks);
  static std::uint64_t ring_bytes(std::uint32_t ranks);
  std::uint64_t bytes() const;
  bool map(int file);
  std::size_t pair(Place writer, Place reader) const {
    return static_cast<std::size_t>(writer) * ranks_ + reader;
  }
  Entry& entry(Place writer, Place reader, std::uint32_t number) const {
    return entries_[pair(writer, reader) * depth_ + number % depth_];
  }
  std::atomic<std::uint32_t>& taken(Place writer, Place reader) const {
    return taken_[pair(writer, reader)].count;
  }
  std::byte* ring(Place writer) const { return rings_ + writer * ring_bytes_; }
  bool has_room(std::span<const Place> readers) const;
  std::byte* room_in_ring(std::uint64_t bytes);
  void reclaim();
  void keep(Place writer, Entry& entry);
  const std::byte* data_of(Place writer, const Entry& entry) const;

  std::vector<std::optional<Place>> places_;  // by rank
  int rank_;
  Place own_ = 0;
  std::uint32_t ranks_, depth_;  // entries of a queue, a power of 2
  std::uint64_t ring_bytes_, largest_piece_;
  void* memory_ = nullptr;
  Entry* entries_ = nullptr;
  Taken* taken_ = nullptr;
  State* states_ = nullptr;
  std::byte* rings_ = nullptr;
  std::vector<Written> written_;       // by reader
  std::vector<std::uint32_t> read_;    // entries of each writer
  std::uint64_t begin_ = 0, end_ = 0;  // of what is in use, in bytes written to the ring so far
  std::deque<RingPiece> pieces_;       // in use, the oldest first
  std::uint64_t first_piece_ = 0;      // its number
  std::uint64_t prepared_ = 0;         // the end of the piece that is prepared
  alignas(64) std::byte short_piece_[inline_bytes];
  std::deque<KeptPiece> kept_;
};

}  // namespace isotrope::mpi
