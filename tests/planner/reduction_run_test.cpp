// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of every operation and type, planned, verified and run.
#include <barrier>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/local/check.hpp"
#include "isotrope/local/contributions.hpp"
#include "isotrope/local/exchange.hpp"
#include "isotrope/local/run.hpp"
#include "isotrope/local/thread_team.hpp"
#include "isotrope/local/whole_numbers.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/local/random_plans.hpp"
#include "tests/local/serial_reduction.hpp"
#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Hop;
using schedule::Plan;
using schedule::Replication;
using testing::HasSubstr;

constexpr Reduction double_sum = {Type::float64, Operation::sum};

Plan planned(const std::string& name, const std::string& collective, std::uint32_t parts,
             const std::string& ports) {
  const network::Network network = network::parse(name);
  const Plan plan = planner::make_plan({.network = network,
                                        .task = schedule::parse_task(collective, network, 0, parts),
                                        .ports = schedule::parse_port_model(ports, network.degree())},
                                       {.algorithm = collective == "barrier" ? "layered-tree-barrier" : ""});
  EXPECT_TRUE(verify::verify(plan).valid) << name << " " << collective << " " << ports;
  return plan;
}

template <class Visit>
void for_each_plan(Visit visit) {
  for (const char* network : {"hypercube:3", "torus:3x4", "hexmesh:3", "circulant:13:1,5"}) {
    for (const char* collective : {"reduce", "reduce-scatter", "allreduce", "barrier"}) {
      for (const char* ports : {"all", "one"}) {
        for (const std::uint32_t parts : {1U, 3U}) {
          SCOPED_TRACE(std::string(network) + " " + collective + " " + ports + " " + std::to_string(parts));
          visit(planned(network, collective, parts, ports));
        }
      }
    }
  }
}

// What destinations hold after a run on so many threads.
Results results(const Plan& plan, std::uint64_t block_bytes, Reduction reduction, unsigned threads) {
  const CopyProgram program = compile(plan, block_bytes, reduction);
  const Arenas arenas(program);
  std::barrier everyone(threads);
  on_threads(threads, [&](unsigned index) {
    const auto position = [&](unsigned i) {
      return static_cast<Node>(share_begin(i, plan.network.order(), threads));
    };
    const Positions mine = {position(index), position(index + 1)};
    fill(plan.network, program, arenas, 1, mine);
    for (std::uint64_t t = 0; t < program.step_ends.size(); ++t) {
      everyone.arrive_and_wait();
      run_step(plan.network, program, arenas, t, mine);
    }
  });
  Results found;
  for (const Holding& sink : program.sinks) {
    if (sink.place == nowhere) continue;
    const TranslatedPacket& piece = program.pieces[sink.piece];
    for (const Node translation : program.cosets.translations()) {
      const Node node = plan.network.group().add(sink.node, translation);
      const Node owner = plan.network.group().add(piece.owner, translation);
      const std::byte* begin = arenas.of(node) + sink.place;
      found[{node, owner, piece.block, piece.offset}].assign(begin, begin + piece.bytes);
    }
  }
  return found;
}

// On a ring of 4, node 2 sends to 1, then 1 and 3 to 0, whose port 0 leads to 1: (x0 + (x1 + x2)) + x3. The
// plan lists the hop from 3 first.
TEST(ReductionRun, combines_in_the_order_of_rounds_and_ports) {
  Plan plan = tree_plan("ring:4", Collective::reduce, Replication::none());
  plan.schedule.stages[0].rounds = rounds({{{0, 2, 1}}, {{0, 3, 0}, {0, 1, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  const Contributions contributions(double_sum, 4, 1);
  std::vector<std::vector<double>> x(4, std::vector<double>(50));
  for (Node node = 0; node < 4; ++node) {
    contributions.write(std::as_writable_bytes(std::span(x[node])), node, 0, 0, 0);
  }
  std::vector<double> expected;
  int differences = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    expected.push_back((x[0][i] + (x[1][i] + x[2][i])) + x[3][i]);
    differences += expected.back() != ((x[0][i] + x[1][i]) + x[2][i]) + x[3][i];
  }

  const Results found = results(plan, 400, double_sum, 2);

  const auto bytes = std::as_bytes(std::span(expected));
  EXPECT_EQ(found, (Results{{{0, 0, 0, 0}, {bytes.begin(), bytes.end()}}}));
  EXPECT_GT(differences, 0);  // the order shows
}

TEST(ReductionRun, gives_the_bits_of_a_serial_run_on_any_number_of_threads) {
  for_each_plan([](const Plan& plan) {
    for (const Reduction reduction :
         {double_sum, Reduction{Type::float32, Operation::prod}, Reduction{Type::int32, Operation::prod}}) {
      const std::uint64_t block_bytes = 7 * element_bytes(reduction.type);
      const Results expected = serial_results(plan, block_bytes, reduction, 1);
      for (const unsigned threads : {1U, 3U}) {
        EXPECT_EQ(results(plan, block_bytes, reduction, threads), expected);
      }
    }
  });
}

TEST(ReductionRun, is_correct_for_every_operation_and_type) {
  const Plan plan = tree_plan("torus:3x4", Collective::allreduce, Replication::all(), 3);
  ASSERT_TRUE(verify::verify(plan).valid);
  for (const char* type :
       {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"}) {
    for (const char* operation :
         {"max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor"}) {
      const Reduction reduction = {parse_type(type), parse_operation(operation)};
      if (is_floating_point(reduction.type) && reduction.operation > Operation::prod) continue;
      const RunResult result = run(plan, {.block_bytes = 40, .reduction = reduction, .threads = 2});
      EXPECT_TRUE(result.correct) << type << " " << operation << ": " << result.first_error;
      EXPECT_EQ(result.bytes_checked, 12U * 12U * 40U);
    }
  }
}

TEST(ReductionRun, rounding_stays_within_the_bound_on_every_network) {
  for_each_plan([](const Plan& plan) {
    for (const Reduction reduction :
         {double_sum, Reduction{Type::float32, Operation::sum}, Reduction{Type::float64, Operation::prod}}) {
      const ExecutionOptions options{.block_bytes = 800, .reduction = reduction, .threads = 2};
      const RunResult result = run(plan, options);
      EXPECT_TRUE(result.correct) << result.first_error;
      EXPECT_GT(result.largest_rounding, 0);
      EXPECT_LE(result.largest_rounding, result.rounding_bound);
    }
  });
}

// Where rounding may not hide what is missing: on few nodes, for every operation that a contribution missing
// or twice changes.
std::vector<Reduction> telling_reductions() {
  return {double_sum,
          {Type::float32, Operation::sum},
          {Type::float64, Operation::prod},
          {Type::int8, Operation::sum},
          {Type::uint64, Operation::prod},
          {Type::int32, Operation::lxor},
          {Type::uint16, Operation::bxor}};
}

std::vector<Reduction> telling_of_absence() {
  std::vector<Reduction> result = telling_reductions();
  for (const Operation operation :
       {Operation::max, Operation::min, Operation::land, Operation::band, Operation::lor, Operation::bor}) {
    result.push_back({Type::int32, operation});
  }
  result.push_back({Type::float32, Operation::max});
  return result;
}

TEST(ReductionRun, finds_a_hop_dropped) {
  for (const char* collective : {"reduce", "reduce-scatter", "allreduce"}) {
    const Plan good = planned("hypercube:3", collective, 1, "all");
    for (const Reduction reduction : telling_of_absence()) {
      for (std::uint64_t dropped = 0; dropped < good.schedule.stages[0].rounds.size(); ++dropped) {
        Plan plan = good;
        HopTable hops = table(plan.schedule.stages[0].rounds);
        if (hops[dropped].empty()) continue;
        hops[dropped].pop_back();
        plan.schedule.stages[0].rounds = rounds(hops);
        ASSERT_FALSE(verify::verify(plan).valid);
        EXPECT_FALSE(run(plan, {.block_bytes = 2000, .reduction = reduction, .threads = 2}).correct)
            << collective << " " << name_of(reduction.operation) << " of " << name_of(reduction.type);
      }
    }
  }
}

// A copy that combines, made a second time.
TEST(ReductionRun, finds_an_arrival_combined_twice) {
  const Plan plan = planned("hypercube:3", "reduce", 1, "all");
  for (const Reduction reduction : telling_reductions()) {
    CopyProgram program = compile(plan, 2000, reduction);
    const auto adds = std::ranges::find_if(program.copies, &Copy::adds);
    ASSERT_NE(adds, program.copies.end());
    const auto index = static_cast<std::uint64_t>(adds - program.copies.begin());
    program.copies.insert(adds, Copy(*adds));
    for (std::uint64_t& end : program.step_ends) {
      if (end > index) ++end;
    }
    const Arenas arenas(program);
    const Positions all = {0, plan.network.order()};
    fill(plan.network, program, arenas, 1, all);
    for (std::uint64_t t = 0; t < program.step_ends.size(); ++t) {
      run_step(plan.network, program, arenas, t, all);
    }
    EXPECT_NE(check(plan.network.group(), program, arenas, 1, 0, 1).first_error, "")
        << name_of(reduction.operation) << " of " << name_of(reduction.type);
  }
}

TEST(ReductionRun, damaged_plans_of_doubles_are_right_exactly_where_those_of_integers_are) {
  EXPECT_TRUE(rc::check([] {
    Plan plan = random_plan();
    if (schedule::reduces(plan.task.collective)) plan = damaged(plan);
    const auto is_right = [&](Reduction reduction) {
      return run(plan, {.block_bytes = 128, .reduction = reduction, .threads = 2}).correct;
    };
    RC_ASSERT(is_right(double_sum) == is_right({Type::int64, Operation::sum}));
  }));
}

TEST(ReductionRun, single_nodes_hold_their_own_contribution) {
  for (const Reduction reduction : {double_sum, Reduction{Type::int32, Operation::land}}) {
    const RunResult result = run(tree_plan("torus:1", Collective::allreduce, Replication::all()),
                                 {.block_bytes = 80, .reduction = reduction});
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(result.largest_rounding, 0);
  }
}

TEST(ReductionRun, refuses_fractions_of_elements_and_undefined_operations) {
  const Plan plan = tree_plan("ring:4", Collective::allreduce, Replication::all());
  const auto message = [&](std::uint64_t block_bytes, Reduction reduction) -> std::string {
    try {
      run(plan, {.block_bytes = block_bytes, .reduction = reduction});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(12, double_sum), HasSubstr("blocks of 12 bytes are no whole number of elements of type "
                                                 "double: give a multiple of 8"));
  EXPECT_THAT(message(16, {Type::float64, Operation::land}),
              HasSubstr("land is not defined on elements of type double: use max, min, sum or prod"));
}

}  // namespace
}  // namespace isotrope::local
