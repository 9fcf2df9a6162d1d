// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace isotrope::mpi {
namespace {

using Ints = std::vector<int>;

int plus(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

int times(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}

// right = left op right
void reduce(Op op, const Ints& left, Ints& right) {
  if (op != Op::compose) {
    std::ranges::transform(left, right, right.begin(), plus);
    return;
  }
  for (std::size_t i = 0; i + 6 <= left.size(); i += 6) {
    const int *l = left.data() + i, *r = right.data() + i;
    const auto row = [&](int k, int j) { return plus(times(l[2 * k], r[j]), times(l[2 * k + 1], r[j + 2])); };
    const auto shift = [&](int k) {
      return plus(plus(times(l[2 * k], r[4]), times(l[2 * k + 1], r[5])), l[4 + k]);
    };
    const std::array result{row(0, 0), row(0, 1), row(1, 0), row(1, 1), shift(0), shift(1)};
    std::ranges::copy(result, right.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// Packs the ints, because elements may have any layout, and unpacks the result.
void reduce_packed(Op op, void* in, void* in_out, const int* count, const MPI_Datatype* type) {
  int size = 0;
  MPI_Type_size(*type, &size);
  const int bytes = size * *count;
  Ints left(static_cast<std::size_t>(bytes) / sizeof(int)), right(left.size());
  int position = 0;
  MPI_Pack(in, *count, *type, left.data(), bytes, &position, MPI_COMM_SELF);
  position = 0;
  MPI_Pack(in_out, *count, *type, right.data(), bytes, &position, MPI_COMM_SELF);
  reduce(op, left, right);
  position = 0;
  MPI_Unpack(right.data(), bytes, &position, in_out, *count, *type, MPI_COMM_SELF);
}

void add(void* in, void* in_out, int* count, MPI_Datatype* type) {
  reduce_packed(Op::add, in, in_out, count, type);
}

void compose(void* in, void* in_out, int* count, MPI_Datatype* type) {
  reduce_packed(Op::compose, in, in_out, count, type);
}

std::array<MPI_Op, 2>& user_ops() {
  static std::array<MPI_Op, 2> ops{MPI_OP_NULL, MPI_OP_NULL};
  return ops;
}

}  // namespace

MPI_Op handle_of(Op op) {
  if (op == Op::sum) return MPI_SUM;
  MPI_Op& handle = user_ops()[op == Op::add ? 0 : 1];
  if (handle == MPI_OP_NULL) MPI_Op_create(op == Op::add ? add : compose, op == Op::add ? 1 : 0, &handle);
  return handle;
}

void free_ops() {
  for (MPI_Op& op : user_ops()) {
    if (op != MPI_OP_NULL) MPI_Op_free(&op);
  }
}

std::string to_string(const Case& c) {
  return fmt::format("{}, {} ints, root {}{}, sent as {}, received as {}, op {}",
                     to_string(schedule::Task{.collective = c.collective}), c.ints, c.root,
                     c.in_place ? ", in place" : "", c.sent.name, c.received.name, static_cast<int>(c.op));
}

Trial::Trial(Communicator& comm, const Case& c)
    : comm_(comm),
      case_(c),
      send_(c.sent.type, sent_count() * sent_blocks()),
      receive_(c.received.type, received_count() * received_blocks()),
      send_before_(send_) {
  fill();
}

void Trial::fill() {
  if (sends_apart()) {
    send_.set(sent());
  } else {
    place_own_input();
  }
  send_before_ = send_;
}

void Trial::overwrite_sent() {
  if (!sends_apart()) return;
  send_.set(std::vector<int>(sent().size(), -1));
  send_before_ = send_;
}

void Trial::refill() {
  ++turn_;
  fill();
}

bool Trial::receives() const {
  switch (case_.collective) {
    case Collective::gather:
    case Collective::reduce:
      return comm_.rank() == case_.root;
    case Collective::scatter:
      return comm_.rank() != case_.root || !case_.in_place;
    case Collective::exscan:  // in place, rank 0 has its input in the receive buffer
      return comm_.rank() > 0 || case_.in_place;
    default:
      return true;
  }
}

// Whether the send buffer is not the receive buffer.
bool Trial::sends_apart() const {
  switch (case_.collective) {
    case Collective::broadcast:
      return false;
    case Collective::scatter:
      return comm_.rank() == case_.root;
    case Collective::gather:
    case Collective::reduce:
      return comm_.rank() != case_.root || !case_.in_place;
    default:
      return !case_.in_place;
  }
}

int Trial::sent_blocks() const {
  if (!sends_apart()) return 0;
  const Collective c = case_.collective;
  const bool many = c == Collective::scatter || c == Collective::alltoall || c == Collective::reduce_scatter;
  return many ? comm_.size() : 1;
}

int Trial::received_blocks() const {
  if (!receives()) return 0;
  const Collective c = case_.collective;
  const bool many = c == Collective::gather || c == Collective::allgather || c == Collective::alltoall ||
                    (c == Collective::reduce_scatter && case_.in_place);
  return many ? comm_.size() : 1;
}

std::vector<int> Trial::values(int origin, int destination) const {
  Ints result(static_cast<std::size_t>(case_.ints));
  const unsigned seed =
      static_cast<unsigned>(origin) * 40503U + static_cast<unsigned>(destination) * 977U + turn_ * 7919U;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<int>((seed + static_cast<unsigned>(i)) * 2654435761U);
  return result;
}

std::vector<int> Trial::sent() const {
  Ints result;
  for (int block = 0; block < sent_blocks(); ++block) {
    const Ints part = values(comm_.rank(), block);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

// In place: the contribution of this rank lies in the receive buffer.
void Trial::place_own_input() {
  if (!receives()) return;
  const int own = comm_.rank();
  Ints all = receive_.ints();
  for (int block = 0; block < received_blocks(); ++block) {
    const bool here = case_.collective == Collective::alltoall ||
                      case_.collective == Collective::reduce_scatter || received_blocks() == 1 ||
                      block == own;
    if (!here || (case_.collective == Collective::broadcast && own != case_.root)) continue;
    const bool one_for_all = received_blocks() == 1 || case_.collective == Collective::gather ||
                             case_.collective == Collective::allgather;
    const Ints part = values(own, one_for_all ? 0 : block);
    std::ranges::copy(part, all.begin() + static_cast<std::ptrdiff_t>(block) * case_.ints);
  }
  receive_.set(all);
}

// Of ranks 0..ranks - 1.
std::vector<int> Trial::reduced(int destination, int ranks) const {
  Ints result = values(ranks - 1, destination);
  for (int origin = ranks - 2; origin >= 0; --origin) reduce(case_.op, values(origin, destination), result);
  return result;
}

std::vector<int> Trial::expected() const {
  const int own = comm_.rank();
  switch (case_.collective) {
    case Collective::broadcast:
      return values(case_.root, 0);
    case Collective::scatter:
      return values(case_.root, own);
    case Collective::reduce:
    case Collective::allreduce:
      return reduced(0, comm_.size());
    case Collective::reduce_scatter:
      return reduced(own, comm_.size());
    case Collective::scan:
      return reduced(0, own + 1);
    case Collective::exscan:  // nothing is written at rank 0
      return own == 0 ? values(0, 0) : reduced(0, own);
    default:
      break;
  }
  Ints result;
  for (int origin = 0; origin < comm_.size(); ++origin) {
    const Ints part = values(origin, case_.collective == Collective::alltoall ? own : 0);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

void Trial::start(Request& request) {
  void* receive = receives() ? receive_.address() : nullptr;
  const void* send = sends_apart() ? send_.address() : MPI_IN_PLACE;
  const MPI_Datatype sent = case_.sent.type, received = case_.received.type;
  const MPI_Count to_send = sent_count(), to_receive = received_count();
  const bool at_root = comm_.rank() == case_.root;
  switch (case_.collective) {
    case Collective::broadcast:
      code_ = comm_.ibroadcast(receive, to_receive, received, case_.root, request);
      break;
    case Collective::scatter:
      code_ = comm_.iscatter(at_root ? send : nullptr, to_send, sent, receives() ? receive : MPI_IN_PLACE,
                             to_receive, received, case_.root, request);
      break;
    case Collective::gather:
      code_ = comm_.igather(send, to_send, sent, receive, to_receive, received, case_.root, request);
      break;
    case Collective::allgather:
      code_ = comm_.iallgather(send, to_send, sent, receive, to_receive, received, request);
      break;
    case Collective::alltoall:
      code_ = comm_.ialltoall(send, to_send, sent, receive, to_receive, received, request);
      break;
    case Collective::reduce:
      code_ = comm_.ireduce(send, receive, to_receive, received, handle_of(case_.op), case_.root, request);
      break;
    case Collective::reduce_scatter:
      code_ = comm_.ireduce_scatter_block(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    case Collective::scan:
      code_ = comm_.iscan(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    case Collective::exscan:
      code_ = comm_.iexscan(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    default:
      code_ = comm_.iallreduce(send, receive, to_receive, received, handle_of(case_.op), request);
  }
}

void Trial::prepare(PersistentRequest& request) {
  void* receive = receives() ? receive_.address() : nullptr;
  const void* send = sends_apart() ? send_.address() : MPI_IN_PLACE;
  const MPI_Datatype sent = case_.sent.type, received = case_.received.type;
  const MPI_Count to_send = sent_count(), to_receive = received_count();
  const bool at_root = comm_.rank() == case_.root;
  switch (case_.collective) {
    case Collective::broadcast:
      code_ = comm_.broadcast_init(receive, to_receive, received, case_.root, request);
      break;
    case Collective::scatter:
      code_ = comm_.scatter_init(at_root ? send : nullptr, to_send, sent, receives() ? receive : MPI_IN_PLACE,
                                 to_receive, received, case_.root, request);
      break;
    case Collective::gather:
      code_ = comm_.gather_init(send, to_send, sent, receive, to_receive, received, case_.root, request);
      break;
    case Collective::allgather:
      code_ = comm_.allgather_init(send, to_send, sent, receive, to_receive, received, request);
      break;
    case Collective::alltoall:
      code_ = comm_.alltoall_init(send, to_send, sent, receive, to_receive, received, request);
      break;
    case Collective::reduce:
      code_ =
          comm_.reduce_init(send, receive, to_receive, received, handle_of(case_.op), case_.root, request);
      break;
    case Collective::reduce_scatter:
      code_ =
          comm_.reduce_scatter_block_init(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    case Collective::scan:
      code_ = comm_.scan_init(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    case Collective::exscan:
      code_ = comm_.exscan_init(send, receive, to_receive, received, handle_of(case_.op), request);
      break;
    default:
      code_ = comm_.allreduce_init(send, receive, to_receive, received, handle_of(case_.op), request);
  }
}

void Trial::run() {
  void* receive = receives() ? receive_.address() : nullptr;
  const void* send = sends_apart() ? send_.address() : MPI_IN_PLACE;
  const MPI_Datatype sent = case_.sent.type, received = case_.received.type;
  const MPI_Count to_send = sent_count(), to_receive = received_count();
  const bool at_root = comm_.rank() == case_.root;
  switch (case_.collective) {
    case Collective::broadcast:
      code_ = comm_.broadcast(receive, to_receive, received, case_.root);
      break;
    case Collective::scatter:
      code_ = comm_.scatter(at_root ? send : nullptr, to_send, sent, receives() ? receive : MPI_IN_PLACE,
                            to_receive, received, case_.root);
      break;
    case Collective::gather:
      code_ = comm_.gather(send, to_send, sent, receive, to_receive, received, case_.root);
      break;
    case Collective::allgather:
      code_ = comm_.allgather(send, to_send, sent, receive, to_receive, received);
      break;
    case Collective::alltoall:
      code_ = comm_.alltoall(send, to_send, sent, receive, to_receive, received);
      break;
    case Collective::reduce:
      code_ = comm_.reduce(send, receive, to_receive, received, handle_of(case_.op), case_.root);
      break;
    case Collective::reduce_scatter:
      code_ = comm_.reduce_scatter_block(send, receive, to_receive, received, handle_of(case_.op));
      break;
    case Collective::scan:
      code_ = comm_.scan(send, receive, to_receive, received, handle_of(case_.op));
      break;
    case Collective::exscan:
      code_ = comm_.exscan(send, receive, to_receive, received, handle_of(case_.op));
      break;
    default:
      code_ = comm_.allreduce(send, receive, to_receive, received, handle_of(case_.op));
  }
}

void Trial::check() {
  SCOPED_TRACE(to_string(case_));
  EXPECT_EQ(code_, MPI_SUCCESS);
  EXPECT_TRUE(send_ == send_before_) << "the send buffer was written";
  EXPECT_TRUE(receive_.gaps_are_whole()) << "a byte outside the elements was written";
  if (!receives()) return;
  Ints got = receive_.ints();
  const Ints wanted = expected();
  // In place, the blocks after the result are undefined.
  if (case_.collective == Collective::reduce_scatter) got.resize(wanted.size());
  const auto [wrong, right] = std::ranges::mismatch(got, wanted);
  EXPECT_TRUE(wrong == got.end() && right == wanted.end())
      << "of " << wanted.size() << " ints, number " << wrong - got.begin() << " is the first wrong one";
}

void expect_right(Communicator& comm, const Case& c) {
  Trial trial(comm, c);
  trial.run();
  trial.check();
}

}  // namespace isotrope::mpi
