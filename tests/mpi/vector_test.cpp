// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives with blocks of unequal sizes: random counts, some of them 0, some long; dense elements and elements with
// gaps; in place or not; blocking, with several requests open, and persistent; blocks forwarded over the links of a network
// by queues or by balanced routes,
// or sent directly.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

// Messages over links that cost no processor time per byte are forwarded.
Communicator& forwarding_communicator(const std::string& network, double byte_time_s = 1e-9) {
  static std::map<std::pair<std::string, double>, std::unique_ptr<Communicator>> made;
  std::unique_ptr<Communicator>& comm = made[{network, byte_time_s}];
  if (!comm) {
    const cost::Machine machine{
        .startup_s = 1e-6, .byte_time_s = byte_time_s, .ports = schedule::PortModel::all()};
    const network::MappedNetwork called = network_called(network);
    comm = std::make_unique<Communicator>(MPI_COMM_WORLD, called.named,
                                          CommunicatorOptions{.machine = machine, .nodes = nodes_of(called)});
  }
  return *comm;
}

// Links are so slow that routes are balanced after an exchange of many bytes, in which one rank sends all to one other.
Communicator& balancing_communicator(const std::string& network) {
  Communicator& comm = forwarding_communicator(network, 1e-6);
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<MPI_Count> sent(ranks, 0), received(ranks, 0);
  const std::vector<MPI_Aint> places(ranks, 0);
  std::vector<std::byte> from(300000), to(300000);
  if (comm.rank() == 0) sent.back() = 300000;
  if (comm.rank() == comm.size() - 1) received.front() = 300000;
  EXPECT_EQ(comm.alltoallv(from.data(), sent.data(), places.data(), MPI_BYTE, to.data(), received.data(),
                           places.data(), MPI_BYTE),
            MPI_SUCCESS);
  return comm;
}

// Element k of the block from one rank to another.
int value_of(int from, int to, MPI_Count k) {
  return static_cast<int>((from * 1009 + to * 31 + k * 7) % 1000003);
}

constexpr int untouched = -1;

// Blocks of ints, one after the other, in an array; with gaps, every other int of the array.
struct Blocks {
  std::vector<MPI_Count> counts = {};
  std::vector<MPI_Aint> places = {};
  std::vector<int> ints = {};
  int stride = 1;

  Blocks(std::vector<MPI_Count> given, bool gaps) : counts(std::move(given)), stride(gaps ? 2 : 1) {
    MPI_Aint place = 1;  // of elements
    for (const MPI_Count count : counts) {
      places.push_back(place);
      place += static_cast<MPI_Aint>(count) + 1;
    }
    ints.assign(static_cast<std::size_t>(place * stride), untouched);
  }
  int& at(std::size_t block, MPI_Count k) {
    return ints[static_cast<std::size_t>((places[block] + static_cast<MPI_Aint>(k)) * stride)];
  }
};

// An int and a gap of the same size.
class SpacedInt {
 public:
  SpacedInt() {
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type_);
    MPI_Type_commit(&type_);
  }
  SpacedInt(const SpacedInt&) = delete;
  SpacedInt& operator=(const SpacedInt&) = delete;
  ~SpacedInt() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// A call with random counts, the same on all ranks.
class VectorTrial {
 public:
  /// @param about if it is not 0, all counts are that or one more
  VectorTrial(Communicator& comm, VectorCollective collective, std::uint64_t seed, MPI_Count about = 0)
      : comm_(comm), collective_(collective), random_(seed), ranks_(comm.size()), rank_(comm.rank()) {
    const std::array<std::uint32_t, 4> most{1, 5, 300, 6000};
    const std::uint32_t limit = most[random_.below(4)], one_in = 1 + random_.below(3);
    root_ = static_cast<int>(random_.below(static_cast<std::uint32_t>(ranks_)));
    in_place_ = random_.below(3) == 0;
    const bool reduces = collective == VectorCollective::reduce_scatter;
    gaps_ = !reduces && random_.below(3) == 0;
    own_operation_ = reduces && random_.below(3) == 0;
    const bool symmetric = in_place_ && all_to_all();
    counts_.assign(static_cast<std::size_t>(ranks_),
                   std::vector<MPI_Count>(static_cast<std::size_t>(ranks_), 0));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      for (std::size_t j = 0; j < counts_.size(); ++j) {
        counts_[i][j] = random_.below(one_in) == 0 ? random_.below(limit + 1) : 0;
        if (about > 0) counts_[i][j] = about + random_.below(2);
        if (symmetric && j < i) counts_[i][j] = counts_[j][i];
      }
    }
    lay_out();
  }

  int run() { return comm_.run(arguments_); }
  int start(Request& request) { return comm_.start(arguments_, request); }
  int prepare(PersistentRequest& request) { return comm_.prepare(arguments_, request); }

  // Fills what is sent and clears what is received.
  void fill() {
    fill(*sent_, true);
    fill(*received_, false);
    if (in_place_) fill_in_place();
  }

  void check() {
    if (collective_ == VectorCollective::reduce_scatter) return check_sums();
    for (std::size_t from = 0; from < received_->counts.size(); ++from) {
      const int source = collective_ == VectorCollective::scatterv ? root_ : static_cast<int>(from);
      if (keeps_received()) return;
      for (MPI_Count k = 0; k < received_->counts[from]; ++k)
        ASSERT_EQ(received_->at(from, k), value_of(source, to_of(source), k)) << what() << " from " << source;
    }
    for (std::size_t i = 1; received_->stride == 2 && i < received_->ints.size(); i += 2)
      ASSERT_EQ(received_->ints[i], untouched) << what() << ": a gap was written";
    ASSERT_EQ(received_->ints.front(), untouched) << what();
    ASSERT_EQ(received_->ints[received_->ints.size() - static_cast<std::size_t>(received_->stride)],
              untouched)
        << what();
  }

 private:
  bool all_to_all() const {
    return collective_ == VectorCollective::alltoallv || collective_ == VectorCollective::alltoallw;
  }
  bool at_root() const { return rank_ == root_; }
  bool keeps_received() const { return collective_ == VectorCollective::scatterv && in_place_ && at_root(); }
  // Blocks that go to all have one content.
  int to_of(int) const {
    return collective_ == VectorCollective::allgatherv ? 0
           : collective_ == VectorCollective::gatherv  ? root_
                                                       : rank_;
  }
  std::size_t own() const { return static_cast<std::size_t>(rank_); }
  std::string what() const {
    return name_of(collective_) + (in_place_ ? " in place" : "") + (gaps_ ? " with gaps" : "") + ", root " +
           std::to_string(root_);
  }

  std::vector<MPI_Count> column(std::size_t to) const {
    std::vector<MPI_Count> result;
    for (const auto& row : counts_) result.push_back(row[to]);
    return result;
  }

  void lay_out() {
    using enum VectorCollective;
    const auto root = static_cast<std::size_t>(root_);
    std::vector<MPI_Count> sent, received;
    if (collective_ == scatterv) {
      if (at_root()) sent = counts_[root];
      received = {counts_[root][own()]};
    } else if (collective_ == gatherv) {
      sent = {counts_[own()][root]};
      if (at_root()) received = column(root);
    } else if (collective_ == allgatherv) {
      sent = {counts_[own()][0]};
      received = column(0);
    } else if (collective_ == reduce_scatter) {
      sent = counts_[0];
      received = {counts_[0][own()]};
    } else {
      sent = counts_[own()];
      received = column(own());
    }
    sent_ = std::make_unique<Blocks>(sent, gaps_);
    received_ = std::make_unique<Blocks>(received, gaps_);
    make_arguments();
  }

  void make_arguments() {
    using enum VectorCollective;
    const MPI_Datatype type = gaps_ ? spaced_.type() : MPI_INT;
    const RankOf self{rank_, ranks_};
    const bool keeps = in_place_ && (at_root() || (collective_ != gatherv && collective_ != scatterv));
    void* const first_sent = sent_->ints.data();
    void* const first_received = received_->ints.data();
    const void* const send = keeps && collective_ != scatterv ? MPI_IN_PLACE : first_sent;
    void* const receive = keeps && collective_ == scatterv ? MPI_IN_PLACE : first_received;
    const auto moved = [&](void* address, MPI_Aint place) {
      return static_cast<void*>(static_cast<int*>(address) + place * sent_->stride);
    };
    if (collective_ == scatterv) {
      arguments_ = scatterv_of(self, send, receive, type);
    } else if (collective_ == gatherv) {
      arguments_ = mpi::gatherv(self, send == MPI_IN_PLACE ? send : moved(first_sent, sent_->places[0]),
                                sent_->counts[0], type, receive, received_->counts.data(),
                                received_->places.data(), type, root_);
    } else if (collective_ == allgatherv) {
      arguments_ = mpi::allgatherv(self, send == MPI_IN_PLACE ? send : moved(first_sent, sent_->places[0]),
                                   sent_->counts[0], type, receive, received_->counts.data(),
                                   received_->places.data(), type);
    } else if (collective_ == alltoallv) {
      arguments_ = mpi::alltoallv(self, send, sent_->counts.data(), sent_->places.data(), type, receive,
                                  received_->counts.data(), received_->places.data(), type);
    } else if (collective_ == alltoallw) {
      arguments_ = alltoallw_of(self, send, receive, type);
    } else {
      // The blocks of a reduce-scatter have no gaps between them.
      packed_.clear();
      MPI_Count all = 0;
      for (const MPI_Count count : counts_[0]) all += count;
      packed_.assign(static_cast<std::size_t>(all) + 1, 0);
      result_.assign(packed_.size(), untouched);
      arguments_ =
          in_place_
              ? mpi::reduce_scatter(self, MPI_IN_PLACE, result_.data(), counts_[0].data(), type, op())
              : mpi::reduce_scatter(self, packed_.data(), result_.data(), counts_[0].data(), type, op());
    }
  }

  MPI_Op op() const {
    if (own_operation_) return handle_of(Op::add);
    return ranks_ % 2 == 0 ? MPI_SUM : MPI_MAX;
  }

  VectorArguments scatterv_of(RankOf self, const void* send, void* receive, MPI_Datatype type) {
    void* const place = receive == MPI_IN_PLACE
                            ? receive
                            : static_cast<int*>(receive) + received_->places[0] * received_->stride;
    return mpi::scatterv(self, send, sent_->counts.data(), sent_->places.data(), type, place,
                         received_->counts[0], type, root_);
  }

  // Displacements in bytes; types that alternate.
  VectorArguments alltoallw_of(RankOf self, const void* send, void* receive, MPI_Datatype type) {
    for (const MPI_Aint place : sent_->places)
      byte_places_[0].push_back(place * sent_->stride * static_cast<MPI_Aint>(sizeof(int)));
    for (const MPI_Aint place : received_->places)
      byte_places_[1].push_back(place * received_->stride * static_cast<MPI_Aint>(sizeof(int)));
    types_.assign(static_cast<std::size_t>(ranks_), type);
    return mpi::alltoallw(self, send, sent_->counts.data(), byte_places_[0].data(), types_.data(), receive,
                          received_->counts.data(), byte_places_[1].data(), types_.data());
  }

  void fill(Blocks& blocks, bool is_sent) {
    std::ranges::fill(blocks.ints, untouched);
    for (std::size_t block = 0; is_sent && block < blocks.counts.size(); ++block) {
      const int to = collective_ == VectorCollective::gatherv      ? root_
                     : collective_ == VectorCollective::allgatherv ? 0
                                                                   : static_cast<int>(block);
      for (MPI_Count k = 0; k < blocks.counts[block]; ++k) blocks.at(block, k) = value_of(rank_, to, k);
    }
    if (collective_ != VectorCollective::reduce_scatter || !is_sent) return;
    std::vector<int>& input = in_place_ ? result_ : packed_;
    std::ranges::fill(result_, untouched);
    for (std::size_t k = 0; k < input.size(); ++k) input[k] = value_of(rank_, 0, static_cast<MPI_Count>(k));
  }

  // What is sent stands where it is received.
  void fill_in_place() {
    if (collective_ == VectorCollective::gatherv || collective_ == VectorCollective::allgatherv) {
      if (collective_ == VectorCollective::gatherv && !at_root()) return;
      const int to = collective_ == VectorCollective::gatherv ? root_ : 0;
      for (MPI_Count k = 0; k < received_->counts[own()]; ++k)
        received_->at(own(), k) = value_of(rank_, to, k);
    }
    if (!all_to_all()) return;
    for (std::size_t to = 0; to < received_->counts.size(); ++to) {
      for (MPI_Count k = 0; k < received_->counts[to]; ++k)
        received_->at(to, k) = value_of(rank_, static_cast<int>(to), k);
    }
  }

  void check_sums() {
    MPI_Count first = 0;
    for (std::size_t i = 0; i < own(); ++i) first += counts_[0][i];
    for (MPI_Count k = 0; k < counts_[0][own()]; ++k) {
      int sum = 0, most = 0;
      for (int from = 0; from < ranks_; ++from) {
        sum += value_of(from, 0, first + k);
        most = std::max(most, value_of(from, 0, first + k));
      }
      ASSERT_EQ(result_[static_cast<std::size_t>(k)], op() == MPI_MAX ? most : sum) << what();
    }
  }

  Communicator& comm_;
  VectorCollective collective_;
  SplitMix random_;
  int ranks_, rank_, root_ = 0;
  bool in_place_ = false, gaps_ = false, own_operation_ = false;
  std::vector<std::vector<MPI_Count>> counts_;
  std::unique_ptr<Blocks> sent_, received_;
  std::vector<int> packed_, result_;  // of a reduce-scatter
  std::array<std::vector<MPI_Aint>, 2> byte_places_;
  std::vector<MPI_Datatype> types_;
  SpacedInt spaced_;
  VectorArguments arguments_;
};

constexpr std::array every_collective{VectorCollective::scatterv,   VectorCollective::gatherv,
                                      VectorCollective::allgatherv, VectorCollective::alltoallv,
                                      VectorCollective::alltoallw,  VectorCollective::reduce_scatter};

void expect_all_right(Communicator& comm) {
  for (const VectorCollective collective : every_collective) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      VectorTrial trial(comm, collective, seed);
      trial.fill();
      ASSERT_EQ(trial.run(), MPI_SUCCESS);
      trial.check();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

class MpiVectors : public OnNetwork {};

TEST_P(MpiVectors, are_right_when_forwarded) {
  expect_all_right(forwarding_communicator(GetParam()));
}

// Allgatherv and reduce_scatter run the plans of equal blocks.
TEST_P(MpiVectors, are_right_if_blocks_are_nearly_alike) {
  Communicator& comm = forwarding_communicator(GetParam());
  for (const VectorCollective collective : every_collective) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      VectorTrial trial(comm, collective, seed, seed % 2 == 0 ? 3 : 5000);
      for (int call = 0; call < 2; ++call) {
        trial.fill();
        ASSERT_EQ(trial.run(), MPI_SUCCESS);
        trial.check();
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(MpiVectors, are_right_by_balanced_routes) {
  Communicator& comm = balancing_communicator(GetParam());
  expect_all_right(comm);
}

TEST_P(MpiVectors, are_right_when_sent_directly) {
  expect_all_right(comm());
}

TEST_P(MpiVectors, may_be_open_together) {
  for (Communicator* comm :
       {&forwarding_communicator(GetParam()), &balancing_communicator(GetParam()), &this->comm()}) {
    std::deque<VectorTrial> trials;
    std::deque<Request> requests;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      for (const VectorCollective collective : every_collective) {
        trials.emplace_back(*comm, collective, 10 + seed).fill();
        ASSERT_EQ(trials.back().start(requests.emplace_back()), MPI_SUCCESS);
      }
    }
    // Ranks complete them in different orders.
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::size_t place = comm->rank() % 2 == 0 ? i : requests.size() - 1 - i;
      ASSERT_EQ(requests[place].wait(), MPI_SUCCESS);
      trials[place].check();
    }
  }
}

TEST_P(MpiVectors, may_be_started_again) {
  for (Communicator* comm :
       {&forwarding_communicator(GetParam()), &balancing_communicator(GetParam()), &this->comm()}) {
    for (const VectorCollective collective : every_collective) {
      VectorTrial trial(*comm, collective, 20);
      PersistentRequest request;
      ASSERT_EQ(trial.prepare(request), MPI_SUCCESS);
      for (int start = 0; start < 3; ++start) {
        trial.fill();
        ASSERT_EQ(request.start(), MPI_SUCCESS);
        ASSERT_EQ(request.wait(), MPI_SUCCESS);
        trial.check();
      }
    }
  }
}

NETWORKS_OF_THE_JOB(MpiVectors);

// The operation of ranks in order, for blocks that go to their owners.
void keep_left(void*, void*, int*, MPI_Datatype*) {}
void take_left(void* left, void* right, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) static_cast<int*>(right)[i] = static_cast<int*>(left)[i];
}

TEST(MpiVectorReduction, applies_operations_in_the_order_of_ranks) {
  MPI_Op first = MPI_OP_NULL, last = MPI_OP_NULL;
  MPI_Op_create(take_left, 0, &first);
  MPI_Op_create(keep_left, 0, &last);
  for (Communicator* comm :
       {&forwarding_communicator(fitting_networks().front()), &communicator_on(fitting_networks().front())}) {
    std::vector<MPI_Count> counts;
    MPI_Count all = 0;
    for (int i = 0; i < comm->size(); ++i) counts.push_back(i % 3);
    for (const MPI_Count count : counts) all += count;
    const std::vector<int> input(static_cast<std::size_t>(all), comm->rank());
    std::vector<int> output(3, untouched);
    ASSERT_EQ(comm->reduce_scatter(input.data(), output.data(), counts.data(), MPI_INT, first), MPI_SUCCESS);
    for (int k = 0; k < comm->rank() % 3; ++k) EXPECT_EQ(output[static_cast<std::size_t>(k)], 0);
    ASSERT_EQ(comm->reduce_scatter(input.data(), output.data(), counts.data(), MPI_INT, last), MPI_SUCCESS);
    for (int k = 0; k < comm->rank() % 3; ++k)
      EXPECT_EQ(output[static_cast<std::size_t>(k)], comm->size() - 1);
  }
  MPI_Op_free(&first);
  MPI_Op_free(&last);
}

// A block that is longer or shorter than its receiver expects is an error there, and nobody waits.
TEST(MpiVectorErrors, of_sizes_are_found_where_blocks_arrive) {
  if (world_size() < 2) return;
  if (std::getenv("ISOTROPE_CHECK") != nullptr) GTEST_SKIP() << "ranks compare sizes before they send";
  MPI_Comm given = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &given);
  MPI_Comm_set_errhandler(given, MPI_ERRORS_RETURN);
  {
    const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};
    Communicator comm(given, network::parse_named(fitting_networks().front()), {machine});
    const auto ranks = static_cast<std::size_t>(comm.size());
    for (const MPI_Count wrong : {MPI_Count{0}, MPI_Count{1}, MPI_Count{3}}) {
      std::vector<MPI_Count> sent(ranks, 2), received(ranks, 2);
      std::vector<MPI_Aint> places;
      for (std::size_t i = 0; i < ranks; ++i) places.push_back(static_cast<MPI_Aint>(3 * i));
      const std::vector<int> from(3 * ranks, comm.rank());
      std::vector<int> to(3 * ranks, untouched);
      if (comm.rank() == 0) sent[1] = wrong;
      const int code = comm.alltoallv(from.data(), sent.data(), places.data(), MPI_INT, to.data(),
                                      received.data(), places.data(), MPI_INT);
      const int expected = comm.rank() != 1 ? MPI_SUCCESS : wrong > 2 ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
      EXPECT_EQ(class_of(code), expected) << wrong;
      EXPECT_EQ(to[2], untouched);
    }
  }
  MPI_Comm_free(&given);
}

// Every rank gets the error, and later calls work.
TEST(MpiVectorErrors, reach_all_ranks) {
  MPI_Comm given = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &given);
  MPI_Comm_set_errhandler(given, MPI_ERRORS_RETURN);
  {
    const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};
    Communicator comm(given, network::parse_named(fitting_networks().front()), {machine, true});
    const auto ranks = static_cast<std::size_t>(comm.size());
    std::vector<MPI_Count> counts(ranks, 2), others(ranks, 2);
    std::vector<MPI_Aint> places;
    for (std::size_t i = 0; i < ranks; ++i) places.push_back(static_cast<MPI_Aint>(2 * i));
    std::vector<int> from(2 * ranks, 1), to(2 * ranks, 0);
    const auto exchange = [&] {
      return comm.alltoallv(from.data(), counts.data(), places.data(), MPI_INT, to.data(), others.data(),
                            places.data(), MPI_INT);
    };
    EXPECT_EQ(exchange(), MPI_SUCCESS);
    if (ranks > 1) {
      if (comm.rank() == 0) counts[1] = 1;  // rank 1 expects 2
      EXPECT_EQ(class_of(exchange()), MPI_ERR_COUNT);
      counts[1] = 2;
      if (comm.rank() == 0) others[0] = 1;
      EXPECT_EQ(class_of(comm.reduce_scatter(from.data(), to.data(), others.data(), MPI_INT, MPI_SUM)),
                MPI_ERR_COUNT);
      others[0] = 2;
    }
    if (comm.rank() == 0) counts[0] = -1;
    EXPECT_EQ(class_of(exchange()), comm.rank() == 0 ? MPI_ERR_COUNT : MPI_ERR_ARG);
    counts[0] = 2;
    EXPECT_EQ(
        class_of(comm.gatherv(from.data(), 1, MPI_INT, to.data(), counts.data(), places.data(), MPI_INT, -1)),
        MPI_ERR_ROOT);
    EXPECT_EQ(class_of(comm.reduce_scatter(from.data(), to.data(), counts.data(), MPI_INT, MPI_OP_NULL)),
              MPI_ERR_OP);
    EXPECT_EQ(exchange(), MPI_SUCCESS);
  }
  MPI_Comm_free(&given);
}

}  // namespace
}  // namespace isotrope::mpi
