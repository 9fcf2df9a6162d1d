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
//     gather     every vector at every rank that has a result (reducing.cpp) allreduce, reduce, reduce-scatter, scan, exscan
//     keys       the maxima of the keys, then the sums of the integers       allreduce, reduce, reduce-scatter
//     slices     rank r sums slice r of all vectors, after an alltoall or    allreduce, reduce
//                by keys; then the slices are gathered
//
// Blocks of unequal sizes go to their owners, which fold them (reducing.cpp).
//
// The way with the least time is taken: the sum of the predicted times of its collectives. The work of the processors on
// the numbers is not predicted, as in other reductions.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  // Shared by all communicators of as many ranks. Each with its own would make thousands of datatypes in programs with many
  // communicators, after which MPICH 4.0.2 moves wrong data.
  static std::shared_ptr<const SumOperations> shared(sum::Real real, std::uint64_t contributions) {
    static std::mutex mutex;
    static std::map<std::pair<sum::Real, std::uint64_t>, std::weak_ptr<const SumOperations>> known;
    const std::lock_guard lock(mutex);
    std::weak_ptr<const SumOperations>& place = known[{real, contributions}];
    std::shared_ptr<const SumOperations> result = place.lock();
    if (!result) place = result = std::make_shared<const SumOperations>(real, contributions);
    return result;
  }

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

void Collectives::reduce_reproducibly() {
  is_reproducible_ = true;
  for (const sum::Real real : {sum::Real::binary32, sum::Real::binary64})
    sum_operations_.at(static_cast<std::size_t>(real)) = SumOperations::shared(real, ranks());
}

bool Collectives::is_exact(MPI_Op op, MPI_Datatype type) const {
  return is_associative(op, type) ||
         std::ranges::any_of(sum_operations_, [=](const auto& own) { return own && own->has(op); });
}

PendingPointer Collectives::reproducible_reduction(const Arguments& arguments, const SendBuffer& own) {
  const auto real = real_type_of(own.type);
  if (real && real->per_element == 1 && is_extreme(arguments.op)) return extreme(arguments, own, *real);
  return in_the_fastest_way(arguments, own, arguments.op == MPI_SUM ? real : std::nullopt);
}

// Every reduction may be made where its operands have been gathered; a sum of reals, of type `summed`, also by keys.
PendingPointer Collectives::in_the_fastest_way(const Arguments& arguments, const SendBuffer& own,
                                               const std::optional<RealType>& summed) {
  struct Way {
    double seconds;
    std::function<PendingPointer()> make;
  };
  const auto collective = arguments.collective;
  const bool is_whole = collective == Collective::allreduce || collective == Collective::reduce;
  const std::uint64_t element = Datatype::of(own.type).size, count = static_cast<std::uint64_t>(own.count),
                      slice = slice_of(count);
  const auto seconds_by_keys = [&](Collective last, std::uint64_t elements) {
    const ReproducibleSum sum(summed->real, ranks());
    const std::uint64_t reals = elements * summed->per_element,
                        keys = reals * (last == Collective::reduce_scatter ? ranks() : 1);
    return seconds(Collective::allreduce, 0, keys * sum.key_bytes(), true) +
           seconds(last, arguments.root, reals * sum.integer_bytes(), true);
  };

  std::vector<Way> ways{{seconds(gathering(collective), arguments.root, count * element),
                         [&] { return gathered_reduction(arguments, own); }}};
  if (summed && (is_whole || collective == Collective::reduce_scatter))
    ways.push_back(
        {seconds_by_keys(collective, count), [&] { return summed_by_keys(arguments, own, *summed); }});
  if (is_whole) {
    const double last = seconds(assembling(collective), arguments.root, slice * element);
    ways.push_back({seconds(Collective::alltoall, 0, slice * element) + last,
                    [&] { return reduced_in_slices(arguments, own); }});
    if (summed) {
      ways.push_back({seconds_by_keys(Collective::reduce_scatter, slice) + last,
                      [&] { return summed_by_keys_in_slices(arguments, own, *summed); }});
    }
  }
  return std::ranges::min_element(ways, {}, &Way::seconds)->make();
}

PendingPointer Collectives::summed_by_keys(const Arguments& arguments, const SendBuffer& own,
                                           const RealType& type) {
  Stages stages{pending_collective()};
  add_by_keys(stages, arguments, type.real, static_cast<const std::byte*>(own.address),
              static_cast<std::uint64_t>(own.count) * type.per_element,
              has_result(arguments, rank_) ? static_cast<std::byte*>(arguments.receive.address) : nullptr);
  return staged(std::move(stages));
}

PendingPointer Collectives::summed_by_keys_in_slices(const Arguments& arguments, const SendBuffer& own,
                                                     const RealType& type) {
  return by_slices(
      arguments, own,
      [this, type](Stages& stages, const std::byte* input, std::uint64_t slice, std::byte* part) {
        add_by_keys(stages, {.collective = Collective::reduce_scatter}, type.real, input,
                    slice * type.per_element, part);
      });
}

// `count` reals in a block; `result` is nullptr on a rank that has none.
void Collectives::add_by_keys(Stages& stages, const Arguments& arguments, sum::Real real,
                              const std::byte* input, std::uint64_t count, std::byte* result) {
  const ReproducibleSum sum(real, ranks());
  const Collective collective = arguments.collective;
  const bool scatters = collective == Collective::reduce_scatter;
  const std::uint64_t total = count * (scatters ? ranks() : 1);
  PendingCollective& call = *stages.call;
  std::byte* keys = call.allocate(total * sum.key_bytes());
  std::byte* integers = call.allocate(total * sum.integer_bytes());
  std::byte* sums = scatters ? call.allocate(count * sum.integer_bytes()) : integers;
  const bool in_place =
      collective == Collective::allreduce || (collective == Collective::reduce && arguments.root == rank_);

  call.at_start([=] { sum.keys(input, total, keys); });
  const SumOperations& operations = *sum_operations_.at(static_cast<std::size_t>(real));
  const auto& [key, key_maximum] = operations.keys();
  stages.add(prepared({Collective::allreduce, {MPI_IN_PLACE}, {keys, as_count(total), key}, 0, key_maximum}))
      .on_completion([=] { sum.to_integers(input, keys, total, integers); });

  const auto& [integer, addition] = operations.integers();
  PendingCollective& last =
      stages.add(prepared({collective,
                           {in_place ? MPI_IN_PLACE : integers, as_count(count), integer},
                           {sums, as_count(count), integer},
                           arguments.root,
                           addition}));
  if (result == nullptr) return;
  const std::byte* own_keys =
      keys + (scatters ? static_cast<std::uint64_t>(rank_) * count * sum.key_bytes() : 0);
  last.on_completion([=] { sum.from_integers(sums, own_keys, count, result); });
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
  Stages stages{pending_collective()};
  std::byte* input = stages.call->allocate(sent * sum::bytes_of(real));
  std::byte* output = stages.call->allocate(count * sum::bytes_of(real));
  stages.call->at_start(
      [=, from = static_cast<const std::byte*>(own.address)] { to_ordered(real, which, from, sent, input); });
  if (has_result(arguments, rank_)) {
    stages.call->on_completion([=, to = static_cast<std::byte*>(arguments.receive.address)] {
      from_ordered(real, output, count, to);
    });
  }
  stages.add(prepared({arguments.collective,
                       {input, own.count, integer},
                       {output, own.count, integer},
                       arguments.root,
                       arguments.op}));
  return staged(std::move(stages));
}

// A collective that no algorithm carries out on the network takes for ever.
double Collectives::seconds(Collective collective, int root, std::uint64_t bytes, bool associative) {
  try {
    return programs_->seconds(collective, static_cast<network::Node>(root), bytes, associative);
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

PendingPointer Collectives::staged(Stages stages) {
  for (const auto& operations : sum_operations_) stages.call->keep_alive(operations);
  stages.call->prepare(std::make_unique<StagedExecution>(std::move(stages.all)), progress_);
  return std::move(stages.call);
}

}  // namespace isotrope::mpi
