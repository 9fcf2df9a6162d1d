// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/neighbour_exchange.hpp"

#include <array>
#include <climits>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/host_blocks.hpp"
#include "isotrope/mpi/idling.hpp"
#include "isotrope/mpi/placed_blocks.hpp"

namespace isotrope::mpi {
namespace {

// The elements of a block as a count and a type for one call of MPI, whose counts are ints.
class WholeBlock {
 public:
  explicit WholeBlock(const PlacedBlock& block) : type_(block.type) {
    if (block.count <= INT_MAX) {
      count_ = static_cast<int>(block.count);
    } else {
      join(block.count);
    }
  }
  WholeBlock(const WholeBlock&) = delete;
  WholeBlock& operator=(const WholeBlock&) = delete;
  // MPI keeps the type until the messages that use it are complete.
  ~WholeBlock() {
    if (is_own_) MPI_Type_free(&type_);
  }

  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  static constexpr const char* joining = "joining the elements of a large block";

  // One element of pieces of 2^30 elements and a rest.
  void join(MPI_Count elements) {
    constexpr int piece_elements = 1 << 30;
    const MPI_Aint extent = Datatype::of(type_).extent;
    const MPI_Datatype single = type_;
    std::array<MPI_Datatype, 2> types{single, single};
    require_success(MPI_Type_contiguous(piece_elements, single, types.data()), joining);
    const std::array lengths{static_cast<int>(elements / piece_elements),
                             static_cast<int>(elements % piece_elements)};
    const std::array<MPI_Aint, 2> places{0, extent * piece_elements * lengths[0]};
    const int code = MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &type_);
    MPI_Type_free(types.data());
    require_success(code, joining);
    is_own_ = true;
    count_ = 1;
    require_success(MPI_Type_commit(&type_), joining);
  }

  MPI_Datatype type_;
  int count_ = 0;
  bool is_own_ = false;
};

class NeighbourExchange final : public Execution {
 public:
  NeighbourExchange(NeighbourArguments arguments, const Neighbours& neighbours, const Channel& channel,
                    int tag, std::shared_ptr<HostMemory> memory)
      : arguments_(std::move(arguments)), neighbours_(neighbours), channel_(channel), tag_(tag) {
    if (memory) host_blocks_.emplace(std::move(memory), tag);
  }

  void begin() override {
    is_complete_ = false;
    requests_.clear();
    requests_.reserve(neighbours_.sources.size() + neighbours_.destinations.size());
    if (host_blocks_) host_blocks_->clear();
    for (std::size_t i = 0; i < neighbours_.sources.size(); ++i) receive(i);
    for (std::size_t k = 0; k < neighbours_.destinations.size(); ++k) send(neighbours_.sent(k));
  }

  bool advance() override {
    if (is_complete_) return true;
    const bool are_moved = !host_blocks_ || host_blocks_->advance();
    if (!requests_.empty() && !requests_are_over()) return false;
    requests_.clear();
    if (!are_moved) return false;
    if (host_blocks_) note(host_blocks_->take_error());
    is_complete_ = true;
    return true;
  }

  void finish() override {
    if (is_complete_) return;
    if (host_blocks_) {
      Idling idling(host_blocks_->ranks(), channel_.comm());
      while (!advance()) idling.pause();
      return;
    }
    wait_for_requests();
    is_complete_ = true;
  }

 private:
  bool requests_are_over() {
    int complete = 0;
    std::vector<MPI_Status> statuses(requests_.size());
    const int code =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, statuses.data());
    note_all(code, statuses);
    if (complete == 0 && code == MPI_SUCCESS) return false;
    // After an error MPI does not say which requests are complete.
    if (complete == 0) wait_for_requests();
    return true;
  }

  void wait_for_requests() {
    std::vector<MPI_Status> statuses(requests_.size());
    note_all(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses.data()), statuses);
  }

  void receive(std::size_t place) {
    const int source = neighbours_.sources[place];
    if (source == MPI_PROC_NULL) return;
    const PlacedBlock& block = arguments_.received[place];
    if (const auto writer = place_on_host(source)) {
      report([&] { host_blocks_->receive(block_address(arguments_.receive, block), block, *writer); });
      return;
    }
    post(arguments_.receive, block, [&](const void* address, const WholeBlock& whole, MPI_Request* request) {
      return MPI_Irecv(const_cast<void*>(address), whole.count(), whole.type(), rank_of(source), tag_,
                       channel_.comm(), request);
    });
  }

  void send(std::size_t place) {
    const int destination = neighbours_.destinations[place];
    if (destination == MPI_PROC_NULL) return;
    const PlacedBlock block = arguments_.block_for(place);
    if (const auto reader = place_on_host(destination)) {
      report([&] { host_blocks_->send(block_address(arguments_.send, block), block, *reader); });
      return;
    }
    post(arguments_.send, block, [&](const void* address, const WholeBlock& whole, MPI_Request* request) {
      return MPI_Isend(address, whole.count(), whole.type(), rank_of(destination), tag_, channel_.comm(),
                       request);
    });
  }

  // After an error the other messages still go: their partners wait for them.
  template <class Post>
  void post(const void* buffer, const PlacedBlock& block, const Post& post) {
    MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
    report([&] {
      const WholeBlock whole(block);
      note(post(block_address(buffer, block), whole, &request));
    });
  }

  template <class Call>
  void report(const Call& call) {
    try {
      call();
    } catch (const Failure& failure) {
      note(failure.code());
    }
  }

  std::optional<HostMemory::Place> place_on_host(int neighbour) const {
    if (!host_blocks_) return std::nullopt;
    return host_blocks_->place_of(rank_of(neighbour));
  }

  // The first error of a single message says more than the common code of all.
  void note_all(int code, const std::vector<MPI_Status>& statuses) {
    if (code == MPI_ERR_IN_STATUS) {
      for (const MPI_Status& status : statuses) {
        if (status.MPI_ERROR != MPI_ERR_PENDING) note(status.MPI_ERROR);
      }
    }
    note(code);
  }

  int rank_of(int neighbour) const { return channel_.rank_of(static_cast<network::Rank>(neighbour)); }

  NeighbourArguments arguments_;
  const Neighbours& neighbours_;
  const Channel& channel_;
  int tag_;
  bool is_complete_ = false;
  std::vector<MPI_Request> requests_;
  std::optional<HostBlocks> host_blocks_;
};

}  // namespace

std::unique_ptr<Execution> make_neighbour_exchange(NeighbourArguments arguments, const Neighbours& neighbours,
                                                   const Channel& channel, int tag,
                                                   std::shared_ptr<HostMemory> host_memory) {
  return std::make_unique<NeighbourExchange>(std::move(arguments), neighbours, channel, tag,
                                             std::move(host_memory));
}

}  // namespace isotrope::mpi
