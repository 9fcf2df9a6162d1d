// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/neighbour_exchange.hpp"

#include <array>
#include <climits>
#include <cstdint>
#include <utility>
#include <vector>

#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/failure.hpp"
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
                    int tag)
      : arguments_(std::move(arguments)), neighbours_(neighbours), channel_(channel), tag_(tag) {}

  void begin() override {
    is_complete_ = false;
    requests_.clear();
    requests_.reserve(neighbours_.sources.size() + neighbours_.destinations.size());
    for (std::size_t i = 0; i < neighbours_.sources.size(); ++i) receive(i);
    for (std::size_t k = 0; k < neighbours_.destinations.size(); ++k) send(neighbours_.sent(k));
  }

  bool advance() override {
    if (is_complete_) return true;
    int complete = 0;
    std::vector<MPI_Status> statuses(requests_.size());
    const int code =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, statuses.data());
    note_all(code, statuses);
    if (complete == 0 && code == MPI_SUCCESS) return false;
    // After an error MPI does not say which requests are complete.
    if (complete == 0) finish();
    is_complete_ = true;
    return true;
  }

  void finish() override {
    if (is_complete_) return;
    std::vector<MPI_Status> statuses(requests_.size());
    note_all(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses.data()), statuses);
    is_complete_ = true;
  }

 private:
  void receive(std::size_t place) {
    const int source = neighbours_.sources[place];
    if (source == MPI_PROC_NULL) return;
    post(arguments_.receive, arguments_.received[place],
         [&](const void* address, const WholeBlock& whole, MPI_Request* request) {
           return MPI_Irecv(const_cast<void*>(address), whole.count(), whole.type(), rank_of(source), tag_,
                            channel_.comm(), request);
         });
  }

  void send(std::size_t place) {
    const int destination = neighbours_.destinations[place];
    if (destination == MPI_PROC_NULL) return;
    post(arguments_.send, arguments_.block_for(place),
         [&](const void* address, const WholeBlock& whole, MPI_Request* request) {
           return MPI_Isend(address, whole.count(), whole.type(), rank_of(destination), tag_, channel_.comm(),
                            request);
         });
  }

  // After an error the other messages still go: their partners wait for them.
  template <class Post>
  void post(const void* buffer, const PlacedBlock& block, const Post& post) {
    MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
    try {
      const WholeBlock whole(block);
      note(post(block_address(buffer, block), whole, &request));
    } catch (const Failure& failure) {
      note(failure.code());
    }
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

  int rank_of(int neighbour) const { return channel_.rank_of(static_cast<network::Node>(neighbour)); }

  NeighbourArguments arguments_;
  const Neighbours& neighbours_;
  const Channel& channel_;
  int tag_;
  bool is_complete_ = false;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Execution> make_neighbour_exchange(NeighbourArguments arguments, const Neighbours& neighbours,
                                                   const Channel& channel, int tag) {
  return std::make_unique<NeighbourExchange>(std::move(arguments), neighbours, channel, tag);
}

}  // namespace isotrope::mpi
