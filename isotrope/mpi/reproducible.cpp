// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions whose bits do not depend on network, mapping, algorithm and size (docs/reproducible.md).
//
//     integers, bits, truth values    exact in any order: as always (reducing.cpp)
//     MIN, MAX of reals               of integers in the same order (sum/total_order.hpp), whose plans serve any order
//     SUM of reals, complex numbers   one function of the contributions (sum/reproducible_sum.hpp), computed in one of the
//                                     ways below
//     all others                      in the order of ranks (reducing.cpp)
//
// The ways of a sum of n vectors. All give the same bits, so the choice may hang on the size:
//
//     gather     every vector at every rank that has a result                allreduce, reduce, reduce-scatter, scan, exscan
//     keys       the maxima of the keys, then the sums of the integers       allreduce, reduce, reduce-scatter
//     slices     rank r sums slice r of all vectors, after an alltoall or    allreduce, reduce
//                by keys; then the slices are gathered
//
// Blocks of unequal sizes go to their owners, which fold them (reducing.cpp).
//
// The way with the least time is taken: the sum of the predicted times of its collectives. The work of the processors on
// the numbers is not predicted, as in other reductions.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "isotrope/sum/reproducible_sum.hpp"
#include "isotrope/sum/total_order.hpp"

#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/staged_execution.hpp"

namespace isotrope::mpi {

using schedule::Collective;
using sum::ReproducibleSum;

namespace {

bool is_extreme(MPI_Op op) {
  return op == MPI_MAX || op == MPI_MIN;
}

sum::Extreme extreme_of(MPI_Op op) {
  return op == MPI_MAX ? sum::Extreme::maximum : sum::Extreme::minimum;
}

MPI_Count as_count(std::uint64_t count) {
  return static_cast<MPI_Count>(count);
}

// Functions of an MPI_Op get nothing but operands, so there is one for each format, known by a number of contributions.
template <sum::Real real, std::uint64_t contributions>
struct Functions {
  static void maximise(void* from, void* into, int* count, MPI_Datatype*) {
    ReproducibleSum(real, contributions)
        .maximise(static_cast<const std::byte*>(from), static_cast<std::byte*>(into),
                  static_cast<std::uint64_t>(*count));
  }
  static void add(void* from, void* into, int* count, MPI_Datatype*) {
    ReproducibleSum(real, contributions)
        .add(static_cast<const std::byte*>(from), static_cast<std::byte*>(into),
             static_cast<std::uint64_t>(*count));
  }
};

struct FunctionPair {
  MPI_User_function *maximise, *add;
};
template <sum::Real real>
FunctionPair functions_for(std::uint64_t contributions) {
  constexpr std::uint64_t few = 1, most = ReproducibleSum::most_contributions;
  const bool are_few =
      ReproducibleSum(real, few).integer_bytes() == ReproducibleSum(real, contributions).integer_bytes();
  return are_few ? FunctionPair{Functions<real, few>::maximise, Functions<real, few>::add}
                 : FunctionPair{Functions<real, most>::maximise, Functions<real, most>::add};
}

}  // namespace

// Not those of the library: MPICH 4.0 takes the maximum of unsigned numbers as if they had a sign, and no library has
// integers of 48 or 80 bits.
class Collectives::SumOperations {
 public:
  SumOperations(sum::Real real, std::uint64_t contributions) {
    const ReproducibleSum sum(real, contributions);
    const auto [maximise, add] = real == sum::Real::binary32
                                     ? functions_for<sum::Real::binary32>(contributions)
                                     : functions_for<sum::Real::binary64>(contributions);
    keys_ = Reduced(sum.key_bytes(), maximise);
    integers_ = Reduced(sum.integer_bytes(), add);
  }
  SumOperations(const SumOperations&) = delete;
  SumOperations& operator=(const SumOperations&) = delete;
  ~SumOperations() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0) return;
    for (Reduced* reduced : {&keys_, &integers_}) {
      MPI_Type_free(&reduced->type);
      MPI_Op_free(&reduced->op);
    }
  }

  // Elements and what reduces them.
  struct Reduced {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;

    Reduced() = default;
    Reduced(std::uint64_t bytes, MPI_User_function* function) {
      require_success(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type), "creating a datatype");
      require_success(MPI_Type_commit(&type), "committing a datatype");
      require_success(MPI_Op_create(function, 1, &op), "creating an operation");
    }
  };
  const Reduced& keys() const { return keys_; }
  const Reduced& integers() const { return integers_; }
  bool has(MPI_Op op) const { return op == keys_.op || op == integers_.op; }

 private:
  Reduced keys_, integers_;
};

// A sum of `count` reals in a block, whose stages are being made.
class Collectives::ReproducibleCall {
 public:
  ReproducibleCall(Collectives& collectives, const Arguments& arguments, const SendBuffer& own,
                   const RealType& type)
      : all_(collectives),
        arguments_(arguments),
        own_(static_cast<const std::byte*>(own.address)),
        result_(all_.has_result(arguments) ? static_cast<std::byte*>(arguments.receive.address) : nullptr),
        type_(type),
        sum_(type.real, all_.ranks()),
        count_(static_cast<std::uint64_t>(own.count) * type.per_element),
        pending_(all_.pending_collective()) {}

  PendingPointer in_the_fastest_way() {
    std::vector<Way> ways{{seconds_of_gather(), &ReproducibleCall::gather}};
    const Collective collective = arguments_.collective;
    const bool is_whole = collective == Collective::allreduce || collective == Collective::reduce;
    if (is_whole || collective == Collective::reduce_scatter)
      ways.push_back({seconds_by_keys(collective, count_), &ReproducibleCall::use_keys});
    if (is_whole) {
      const double last = all_.seconds(assembling(), arguments_.root, slice() * sum_.real_bytes());
      ways.push_back({seconds_of_fold(slice()) + last, &ReproducibleCall::fold_slices});
      ways.push_back({seconds_by_keys(Collective::reduce_scatter, slice()) + last,
                      &ReproducibleCall::use_keys_of_slices});
    }
    const Way& fastest = *std::ranges::min_element(ways, {}, &Way::seconds);
    (this->*fastest.make)();
    return all_.staged(std::move(pending_), std::move(stages_));
  }

 private:
  struct Way {
    double seconds;
    void (ReproducibleCall::*make)();
  };

  PendingCollective& add(const Arguments& stage) { return *stages_.emplace_back(all_.prepared(stage)); }
  std::byte* room(std::uint64_t reals) { return pending_->allocate(reals * sum_.real_bytes()); }
  SendBuffer sent(const std::byte* from, std::uint64_t count) const {
    return {from, as_count(count), type_.handle()};
  }
  ReceiveBuffer received(std::byte* to, std::uint64_t count) const {
    return {to, as_count(count), type_.handle()};
  }
  bool at_root() const { return arguments_.root == all_.rank_; }
  std::uint64_t slice() const { return (count_ + all_.ranks() - 1) / all_.ranks(); }
  // The collective by which the slices of the result come together.
  Collective assembling() const {
    return arguments_.collective == Collective::reduce ? Collective::gather : Collective::allgather;
  }

  // ---- gather

  double seconds_of_gather() const {
    return all_.seconds(gathering(arguments_.collective), arguments_.root, count_ * sum_.real_bytes());
  }
  // Of a scan, rank r has the sum of r + 1 contributions, as a communicator of that many ranks has it.
  void gather() {
    const Collective collective = arguments_.collective;
    const bool gathers = collective != Collective::reduce || at_root();
    std::byte* blocks = room(gathers ? count_ * all_.ranks() : 0);
    PendingCollective& stage = add(
        {gathering(collective), sent(own_, count_), received(blocks, count_), arguments_.root, MPI_OP_NULL});
    if (result_ == nullptr || count_ == 0) return;
    const auto rank = static_cast<std::uint64_t>(all_.rank_);
    const std::uint64_t summed = collective == Collective::scan     ? rank + 1
                                 : collective == Collective::exscan ? rank
                                                                    : all_.ranks();
    fold_at_end(stage, ReproducibleSum(type_.real, summed), blocks, count_, result_);
  }
  static void fold_at_end(PendingCollective& stage, const ReproducibleSum& sum, const std::byte* blocks,
                          std::uint64_t count, std::byte* result) {
    stage.on_completion([=] { sum.fold(blocks, count, result); });
  }

  // ---- keys

  double seconds_by_keys(Collective collective, std::uint64_t count) const {
    const std::uint64_t keys = count * (collective == Collective::reduce_scatter ? all_.ranks() : 1);
    return all_.seconds(Collective::allreduce, 0, keys * sum_.key_bytes(), true) +
           all_.seconds(collective, arguments_.root, count * sum_.integer_bytes(), true);
  }
  void use_keys() { add_by_keys(arguments_.collective, own_, count_, result_); }

  // Rank r of a reduce-scatter sums block r of the input; `result` is nullptr on ranks without one.
  void add_by_keys(Collective collective, const std::byte* input, std::uint64_t count, std::byte* result) {
    const bool scatters = collective == Collective::reduce_scatter;
    const std::uint64_t total = count * (scatters ? all_.ranks() : 1);
    std::byte* keys = pending_->allocate(total * sum_.key_bytes());
    std::byte* integers = pending_->allocate(total * sum_.integer_bytes());
    const bool in_place =
        collective == Collective::allreduce || (collective == Collective::reduce && at_root());
    std::byte* sums = scatters ? pending_->allocate(count * sum_.integer_bytes()) : integers;

    pending_->at_start([=, sum = sum_] { sum.keys(input, total, keys); });
    const SumOperations& operations = *all_.sum_operations_.at(static_cast<std::size_t>(type_.real));
    const auto& [key, key_maximum] = operations.keys();
    add({Collective::allreduce, {MPI_IN_PLACE}, {keys, as_count(total), key}, 0, key_maximum})
        .on_completion([=, sum = sum_] { sum.to_integers(input, keys, total, integers); });

    const auto& [integer, addition] = operations.integers();
    PendingCollective& last = add({collective,
                                   {in_place ? MPI_IN_PLACE : integers, as_count(count), integer},
                                   {sums, as_count(count), integer},
                                   arguments_.root,
                                   addition});
    if (result == nullptr) return;
    const std::byte* own_keys =
        keys + (scatters ? static_cast<std::uint64_t>(all_.rank_) * count * sum_.key_bytes() : 0);
    last.on_completion([=, sum = sum_] { sum.from_integers(sums, own_keys, count, result); });
  }

  // ---- slices

  double seconds_of_fold(std::uint64_t count) const {
    return all_.seconds(Collective::alltoall, 0, count * sum_.real_bytes());
  }
  void fold_slices() {
    assemble([this](const std::byte* input, std::byte* part) {
      std::byte* blocks = room(slice() * all_.ranks());
      PendingCollective& stage =
          add({Collective::alltoall, sent(input, slice()), received(blocks, slice()), 0, MPI_OP_NULL});
      fold_at_end(stage, sum_, blocks, slice(), part);
    });
  }
  void use_keys_of_slices() {
    assemble([this](const std::byte* input, std::byte* part) {
      add_by_keys(Collective::reduce_scatter, input, slice(), part);
    });
  }

  // Slices have the same size: the last ones may have zeros behind the vector, or nothing else.
  template <class SumSlices>
  void assemble(const SumSlices& sum_slices) {
    const std::uint64_t padded_count = slice() * all_.ranks();
    const bool is_even = padded_count == count_;
    const std::byte* input = own_;
    if (!is_even) {
      std::byte* padded = room(padded_count);
      const std::uint64_t bytes = count_ * sum_.real_bytes(), all_bytes = padded_count * sum_.real_bytes();
      pending_->at_start([=, own = own_] {
        if (bytes > 0) std::memcpy(padded, own, bytes);
        std::memset(padded + bytes, 0, all_bytes - bytes);
      });
      input = padded;
    }
    std::byte* part = room(slice());
    sum_slices(input, part);
    std::byte* assembled = is_even || result_ == nullptr ? result_ : room(padded_count);
    PendingCollective& last =
        add({assembling(), sent(part, slice()), received(assembled, slice()), arguments_.root, MPI_OP_NULL});
    if (assembled == result_) return;
    last.on_completion([=, result = result_, bytes = count_ * sum_.real_bytes()] {
      if (bytes > 0) std::memcpy(result, assembled, bytes);
    });
  }

  Collectives& all_;
  const Arguments& arguments_;
  const std::byte* own_;
  std::byte* result_;  // nullptr if this rank has none
  RealType type_;
  ReproducibleSum sum_;
  std::uint64_t count_;
  PendingPointer pending_;
  std::vector<PendingPointer> stages_;
};

void Collectives::reduce_reproducibly() {
  is_reproducible_ = true;
  for (const sum::Real real : {sum::Real::binary32, sum::Real::binary64})
    sum_operations_.at(static_cast<std::size_t>(real)) = std::make_shared<const SumOperations>(real, ranks());
}

bool Collectives::is_exact(MPI_Op op, MPI_Datatype type) const {
  return is_associative(op, type) ||
         std::ranges::any_of(sum_operations_, [=](const auto& own) { return own && own->has(op); });
}

PendingPointer Collectives::reproducible_reduction(const Arguments& arguments, const SendBuffer& own) {
  const auto real = real_type_of(own.type);
  if (real && arguments.op == MPI_SUM)
    return ReproducibleCall(*this, arguments, own, *real).in_the_fastest_way();
  if (real && real->per_element == 1 && is_extreme(arguments.op)) return extreme(arguments, own, *real);
  return in_order_of_ranks(arguments, own);
}

bool Collectives::fold_reals(MPI_Op op, MPI_Datatype type, std::byte* blocks, std::uint64_t number,
                             std::uint64_t count) {
  const auto real = real_type_of(type);
  if (real && op == MPI_SUM) {
    ReproducibleSum(real->real, number).fold(blocks, count * real->per_element, blocks);
  } else if (real && real->per_element == 1 && is_extreme(op)) {
    sum::fold_extremes(real->real, extreme_of(op), blocks, number, count);
  } else {
    return false;
  }
  return true;
}

PendingPointer Collectives::extreme(const Arguments& arguments, const SendBuffer& own, const RealType& type) {
  const auto count = static_cast<std::uint64_t>(own.count);
  const std::uint64_t sent = count * (arguments.collective == Collective::reduce_scatter ? ranks() : 1);
  const sum::Real real = type.real;
  const MPI_Datatype integer = real == sum::Real::binary32 ? MPI_INT32_T : MPI_INT64_T;
  const sum::Extreme which = extreme_of(arguments.op);
  auto pending = pending_collective();
  std::byte* input = pending->allocate(sent * sum::bytes_of(real));
  std::byte* output = pending->allocate(count * sum::bytes_of(real));
  pending->at_start(
      [=, from = static_cast<const std::byte*>(own.address)] { to_ordered(real, which, from, sent, input); });
  if (has_result(arguments)) {
    pending->on_completion([=, to = static_cast<std::byte*>(arguments.receive.address)] {
      from_ordered(real, output, count, to);
    });
  }
  std::vector<PendingPointer> stages;
  stages.push_back(prepared({arguments.collective,
                             {input, own.count, integer},
                             {output, own.count, integer},
                             arguments.root,
                             arguments.op}));
  return staged(std::move(pending), std::move(stages));
}

// A collective that no algorithm carries out on the network takes for ever.
double Collectives::seconds(Collective collective, int root, std::uint64_t bytes, bool associative) {
  try {
    return programs_->seconds(collective, static_cast<network::Node>(root), bytes, associative);
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

PendingPointer Collectives::staged(PendingPointer pending, std::vector<PendingPointer> stages) {
  for (const auto& operations : sum_operations_) pending->keep_alive(operations);
  pending->prepare(std::make_unique<StagedExecution>(std::move(stages)), progress_);
  return pending;
}

}  // namespace isotrope::mpi
