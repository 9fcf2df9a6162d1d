// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/measured_choice.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::pmpi {
namespace {

// Seconds of a call: log-normal noise around the seconds of the candidate, now and then ten times as long.
class NoisyClock {
 public:
  NoisyClock(std::vector<double> seconds, double noise, unsigned seed)
      : seconds_(std::move(seconds)), noise_(0, noise), random_(seed) {}

  double time(std::size_t candidate) {
    std::bernoulli_distribution is_outlier(0.01);
    return seconds_[candidate] * std::exp(noise_(random_)) * (is_outlier(random_) ? 10 : 1);
  }

 private:
  std::vector<double> seconds_;
  std::normal_distribution<double> noise_;
  std::mt19937 random_;
};

struct Outcome {
  std::size_t leader = 0;
  std::vector<int> calls = {};  // by candidate
};

// Explores until the choice is settled.
Outcome settle(MeasuredChoice& choice, NoisyClock& clock, std::size_t candidates) {
  Outcome outcome{.calls = std::vector<int>(candidates)};
  for (int explorations = 0; !choice.is_settled(); ++explorations) {
    EXPECT_LT(explorations, 10);
    choice.explore();
    while (!choice.is_over()) {
      const std::size_t candidate = choice.turn().candidate;
      outcome.calls[candidate] += choice.turn().calls;
      choice.end_turn(clock.time(candidate));
    }
  }
  outcome.leader = choice.leader();
  return outcome;
}

// The choice after one more exploration, in which the candidates take these seconds.
MeasuredChoice after_exploration(MeasuredChoice choice, const std::vector<double>& seconds) {
  choice.explore();
  while (!choice.is_over()) choice.end_turn(seconds[choice.turn().candidate]);
  return choice;
}

// The share of 400 trials that end with that leader.
double share_of(std::size_t leader, const std::vector<double>& seconds, double noise) {
  constexpr unsigned trials = 400;
  unsigned count = 0;
  for (unsigned seed = 0; seed < trials; ++seed) {
    MeasuredChoice choice(seconds.size());
    NoisyClock clock(seconds, noise, seed);
    count += settle(choice, clock, seconds.size()).leader == leader ? 1U : 0U;
  }
  return static_cast<double>(count) / trials;
}

TEST(MeasuredChoice, leads_with_the_library_until_something_is_measured) {
  const MeasuredChoice choice(3);
  EXPECT_EQ(choice.leader(), MeasuredChoice::library);
  EXPECT_FALSE(choice.is_settled());
  EXPECT_TRUE(MeasuredChoice(1).is_settled());
}

TEST(MeasuredChoice, takes_every_candidate_once_then_in_order_and_in_reverse) {
  MeasuredChoice choice(2);
  choice.explore();
  std::vector<std::size_t> candidates;
  std::vector<bool> timed;
  while (!choice.is_over()) {
    candidates.push_back(choice.turn().candidate);
    timed.push_back(choice.turn().is_timed);
    choice.end_turn(1e-5);
  }
  EXPECT_EQ(candidates, (std::vector<std::size_t>{0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(timed, (std::vector<bool>{false, false, true, true, true, true}));
}

TEST(MeasuredChoice, finds_the_faster_candidate) {
  EXPECT_GT(share_of(1, {2e-5, 1e-5}, 0.05), 0.97);
  EXPECT_GT(share_of(0, {1e-5, 2e-5}, 0.05), 0.99);
  EXPECT_GT(share_of(1, {1.5e-5, 1e-5}, 0.1), 0.97);
  EXPECT_GT(share_of(2, {3e-5, 2e-5, 1e-5}, 0.1), 0.95);
}

TEST(MeasuredChoice, leaves_doubtful_calls_to_the_library) {
  EXPECT_GT(share_of(0, {1e-5, 1e-5}, 0.3), 0.9);
  EXPECT_GT(share_of(0, {1e-5, 1.2e-5}, 0.3), 0.97);
  EXPECT_GT(share_of(0, {1e-5, 1.2e-5}, 0.5), 0.93);
}

TEST(MeasuredChoice, spends_few_calls_on_challengers) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    MeasuredChoice choice(2);
    NoisyClock clock({1e-5, 1.05e-5}, 0.5, seed);
    EXPECT_LE(settle(choice, clock, 2).calls[1], MeasuredChoice::most_challenger_calls);
  }
}

TEST(MeasuredChoice, times_runs_of_calls_that_overlap) {
  constexpr int run = 4;
  MeasuredChoice choice(2, run);
  choice.explore();
  std::vector<int> calls;
  while (!choice.is_over()) {
    calls.push_back(choice.turn().calls);
    choice.end_turn(choice.turn().candidate == MeasuredChoice::library ? 2e-5 : 1e-5);
  }
  EXPECT_EQ(calls, (std::vector<int>{1, 1, run, run, run, run}));
  EXPECT_EQ(choice.leader(), 1);
}

TEST(MeasuredChoice, settles_for_the_library_if_challengers_cannot_afford_more) {
  const MeasuredChoice choice = after_exploration(MeasuredChoice(2, 4), {1e-5, 1.1e-5});
  EXPECT_TRUE(choice.is_settled()) << "another exploration would spend 8 more calls";
  EXPECT_EQ(choice.leader(), MeasuredChoice::library);
}

TEST(MeasuredChoice, compares_a_plan_that_leads_a_second_time) {
  const MeasuredChoice once = after_exploration(MeasuredChoice(2, 4), {2e-5, 1e-5});
  EXPECT_EQ(once.leader(), 1);
  EXPECT_FALSE(once.is_settled());
  const MeasuredChoice confirmed = after_exploration(once, {2e-5, 1e-5});
  EXPECT_TRUE(confirmed.is_settled());
  EXPECT_EQ(confirmed.leader(), 1);
  const MeasuredChoice refuted = after_exploration(once, {2e-5, 1e-4});
  EXPECT_TRUE(refuted.is_settled());
  EXPECT_EQ(refuted.leader(), MeasuredChoice::library);
}

TEST(MeasuredChoice, lets_challengers_share_the_calls) {
  for (const int challengers : {1, 2}) {
    const int run = MeasuredChoice::affordable_run(challengers);
    EXPECT_GE(run, 2);
    EXPECT_LE(challengers * (1 + 2 * run), MeasuredChoice::most_challenger_calls);
  }
}

TEST(MeasuredChoice, gives_a_slow_challenger_one_timed_call) {
  MeasuredChoice choice(2);
  NoisyClock clock({1e-5, 1e-4}, 0.05, 1);
  EXPECT_EQ(settle(choice, clock, 2).calls[1], 2);
}

TEST(MeasuredChoice, begins_with_what_earlier_jobs_measured) {
  MeasuredChoice choice(2);
  choice.add_prior(0, 2e-5);
  choice.add_prior(1, 1e-5);
  choice.decide();
  EXPECT_EQ(choice.leader(), 1);
  EXPECT_NEAR(choice.estimate(1), 1e-5, 1e-12);
  EXPECT_EQ(choice.samples(0), 2);
}

}  // namespace
}  // namespace isotrope::pmpi
