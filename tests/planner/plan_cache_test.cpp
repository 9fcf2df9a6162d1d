// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan_cache.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;

cost::Machine cached_machine() {
  return {.startup_s = 2e-6, .byte_time_s = 1e-10, .ports = schedule::PortModel::all()};
}

std::shared_ptr<PlanCache> cache_of(const std::string& network,
                                    const cost::Machine& machine = cached_machine(), bool own_plans = false) {
  return PlanCache::shared(network::parse_named(network), machine, own_plans);
}

TEST(PlanCache, is_one_for_a_network_and_a_machine) {
  const auto cache = cache_of("torus:3x4");
  EXPECT_EQ(cache, cache_of("torus:3x4"));
  EXPECT_NE(cache, cache_of("torus:4x3"));
  EXPECT_NE(cache, cache_of("line:3xring:4"));
  EXPECT_NE(cache, cache_of("torus:3x4", cached_machine(), true));
  cost::Machine slower = cached_machine();
  slower.byte_time_s *= 2;
  EXPECT_NE(cache, cache_of("torus:3x4", slower));
}

TEST(PlanCache, makes_a_plan_once_while_it_is_in_use) {
  const auto first = cache_of("hypercube:3");
  const auto key = first->key_of(Collective::allreduce, 0, 5000, true);
  const auto plan = first->plan(key);
  EXPECT_EQ(plan, cache_of("hypercube:3")->plan(key));
  EXPECT_EQ(first->choice(key), cache_of("hypercube:3")->choice(key));
}

TEST(PlanCache, keeps_the_four_leading_bits_of_a_size) {
  const auto cache = cache_of("ring:5");
  const auto class_of = [&](std::uint64_t bytes) {
    return cache->key_of(Collective::allgather, 0, bytes, false).least_bytes;
  };
  for (const std::uint64_t bytes : {0U, 1U, 7U, 15U}) EXPECT_EQ(class_of(bytes), bytes);
  EXPECT_EQ(class_of(1023), 960U);
  EXPECT_EQ(class_of(1024), 1024U);
  EXPECT_EQ(class_of(1151), 1024U);
  EXPECT_EQ(class_of(1152), 1152U);
}

TEST(PlanCache, translates_a_root_only_if_no_axis_is_open) {
  EXPECT_EQ(cache_of("torus:3x4")->key_of(Collective::reduce, 7, 8, false).root, 0U);
  EXPECT_EQ(cache_of("mesh:3x4")->key_of(Collective::reduce, 7, 8, false).root, 7U);
  EXPECT_FALSE(cache_of("ring:5")->key_of(Collective::reduce, 0, 8, true).associative);
  EXPECT_TRUE(cache_of("ring:5")->key_of(Collective::allreduce, 0, 8, true).associative);
}

TEST(PlanCache, has_the_plans_of_the_planner) {
  for (const char* network : {"ring:6", "mesh:3x4", "hexmesh:2", "twisted-torus:2x2x4"}) {
    const auto cache = cache_of(network);
    for (const Collective collective : {Collective::broadcast, Collective::allreduce, Collective::alltoall}) {
      for (const std::uint64_t bytes : {8U, 4096U, 1U << 18U}) {
        const auto key = cache->key_of(collective, 0, bytes, true);
        const auto named = network::parse_named(network);
        const Problem problem{.network = named.network,
                              .failed = named.lacks,
                              .task = {.collective = collective},
                              .ports = schedule::PortModel::all()};
        const Candidate best = choose_for(problem, key.least_bytes, cached_machine(),
                                          {.associative = key.associative, .plan_files = false})
                                   .best();
        EXPECT_EQ(cache->choice(key)->name(), best.name()) << network << ' ' << bytes;
        EXPECT_EQ(cache->choice(key)->prediction.seconds, best.prediction.seconds);
        const verify::Report report = verify::verify(*cache->plan(key));
        EXPECT_TRUE(report.valid && report.claims_hold) << network << ' ' << bytes;
      }
    }
  }
}

TEST(PlanCache, serves_several_threads) {
  std::vector<std::shared_ptr<const schedule::Plan>> plans(8);
  std::vector<std::thread> threads;
  const auto cache = cache_of("torus:3x3");
  for (auto& plan : plans) {
    threads.emplace_back([&] {
      const auto own = cache_of("torus:3x3");
      plan = own->plan(own->key_of(Collective::allgather, 0, 100, false));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& plan : plans) EXPECT_EQ(plan, plans.front());
}

TEST(RecentlyUsed, drops_what_was_not_used_for_longest) {
  RecentlyUsed<int, int> squares(2);
  int made = 0;
  const auto square = [&](int key) {
    return *squares.find_or_make(key, [&] {
      ++made;
      return key * key;
    });
  };
  EXPECT_EQ(square(2), 4);
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(square(2), 4);
  EXPECT_EQ(square(4), 16);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(square(2), 4);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(made, 4);
}

TEST(RecentlyUsed, keeps_values_of_so_much_together) {
  RecentlyUsed<int, std::uint64_t> sizes(8);
  const auto make = [&](int key) {
    return sizes.find_or_make(key, [&] { return static_cast<std::uint64_t>(10 * key); });
  };
  const auto is_kept = [&](int key) {
    bool made = false;
    RecentlyUsed<int, std::uint64_t> copy = sizes;
    copy.find_or_make(key, [&] {
      made = true;
      return std::uint64_t{0};
    });
    return !made;
  };
  const auto itself = [](std::uint64_t size) { return size; };
  sizes.keep_within(50, itself);
  for (const int key : {1, 2, 3, 1}) make(key);
  sizes.keep_within(50, itself);  // 10 + 30, and 20 more
  EXPECT_TRUE(is_kept(1) && is_kept(3));
  EXPECT_FALSE(is_kept(2));
  make(9);
  sizes.keep_within(50, itself);
  EXPECT_TRUE(is_kept(9));
  EXPECT_FALSE(is_kept(1));
}

}  // namespace
}  // namespace isotrope::planner
