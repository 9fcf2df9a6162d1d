// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan_cache.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::planner {
namespace {

Request request(std::string_view network_name, std::string_view collective = "broadcast") {
  const Network network = network::parse(network_name);
  return {network, schedule::parse_task(collective, network)};
}

const cost::Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-10};

TEST(PlanCache, gives_the_plan_of_the_choice) {
  PlanCache cache;
  const Request wanted = request("hypercube:4");
  const auto plan = cache.plan(wanted, 1 << 20, machine);
  const schedule::Plan expected = make_plan(choose_for(wanted, 1 << 20, machine).best());
  EXPECT_EQ(plan->schedule, expected.schedule);
  EXPECT_EQ(plan->task, expected.task);
}

TEST(PlanCache, gives_the_same_plan_again) {
  PlanCache cache;
  const auto first = cache.plan(request("hypercube:4"), 4096, machine);
  EXPECT_EQ(cache.plan(request("hypercube:4"), 4096, machine), first);
  EXPECT_EQ(cache.size(), 1u);
}

TEST(PlanCache, tells_apart_whatever_the_choice_depends_on) {
  PlanCache cache;
  std::vector<Request> requests{request("hypercube:4"),           request("torus:4x4"),
                                request("hypercube:4", "reduce"), request("cayley:5:1/4"),
                                request("cayley:7:1/6"),          request("cayley:7:2/5")};
  requests.push_back(requests[0]);
  requests.back().task.root = 1;
  requests.push_back(requests[0]);
  requests.back().ports = schedule::PortModel::one();
  requests.push_back(requests[0]);
  requests.back().algorithm = "msbt-broadcast";
  requests.push_back(requests[1]);
  requests.back().failed.nodes = {3};
  requests.push_back(requests[1]);
  requests.back().failed.nodes = {4};
  std::vector<std::shared_ptr<const schedule::Plan>> plans;
  for (const Request& wanted : requests) plans.push_back(cache.plan(wanted, 4096, machine));
  plans.push_back(cache.plan(requests[0], 4097, machine));
  plans.push_back(cache.plan(requests[0], 4096, {.startup_s = 3e-6, .byte_time_s = 1e-10}));
  plans.push_back(cache.plan(requests[0], 4096, {.startup_s = 2e-6, .byte_time_s = 1e-10, .overlap = 0.5}));
  plans.push_back(cache.plan(requests[0], 4096, machine, {.parts = true}));
  EXPECT_EQ(cache.size(), plans.size());
  std::ranges::sort(plans);
  EXPECT_EQ(std::ranges::adjacent_find(plans), plans.end());
}

TEST(PlanCache, drops_what_was_not_asked_for_the_longest) {
  PlanCache cache(2);
  const Request wanted = request("hypercube:3");
  const auto first = cache.plan(wanted, 1, machine), second = cache.plan(wanted, 2, machine);
  cache.plan(wanted, 1, machine);
  const auto third = cache.plan(wanted, 3, machine);  // in place of the second
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.plan(wanted, 1, machine), first);
  EXPECT_EQ(cache.plan(wanted, 3, machine), third);
  EXPECT_NE(cache.plan(wanted, 2, machine), second);
  EXPECT_EQ(second->network.order(), 8u);  // lives on
}

TEST(PlanCache, serves_threads_at_once) {
  PlanCache cache(8);
  const Request wanted = request("hypercube:4", "alltoall");
  constexpr int threads = 4, rounds = 50;
  std::vector<std::vector<std::shared_ptr<const schedule::Plan>>> found(threads);
  std::vector<std::thread> crew;
  for (int t = 0; t < threads; ++t) {
    crew.emplace_back([&cache, &wanted, &plans = found[static_cast<std::size_t>(t)], t] {
      for (int i = 0; i < rounds; ++i) {
        const auto bytes = static_cast<std::uint64_t>((i + t) % 12 + 1);  // more than are held
        plans.push_back(cache.plan(wanted, bytes, machine));
      }
    });
  }
  for (std::thread& thread : crew) thread.join();
  EXPECT_EQ(cache.size(), 8u);
  for (const auto& plans : found) {
    for (const auto& plan : plans) {
      ASSERT_NE(plan, nullptr);
      EXPECT_EQ(plan->network.order(), 16u);
    }
  }
}

TEST(PlanCache, keeps_nothing_of_what_cannot_be_planned) {
  PlanCache cache;
  EXPECT_THROW(cache.plan(request("hypercube:3"), 0, machine), Error);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_THROW(PlanCache(0), Error);
}

}  // namespace
}  // namespace isotrope::planner
