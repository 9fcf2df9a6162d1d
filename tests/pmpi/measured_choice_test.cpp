// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/measured_choice.hpp"

#include <cmath>
#include <optional>
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
  int challenger_calls = 0;     // of candidates that did not lead at that time
};

// Ends the turn of `choice` with the seconds of its candidate, if a call of it is timed.
void end_turn(MeasuredChoice& choice, double seconds) {
  choice.end_turn(choice.turn().timed > 0 ? std::optional(seconds) : std::nullopt);
}

// Explores until the choice is settled.
Outcome settle(MeasuredChoice& choice, NoisyClock& clock, std::size_t candidates) {
  Outcome outcome{.calls = std::vector<int>(candidates)};
  for (int explorations = 0; !choice.is_settled(); ++explorations) {
    EXPECT_LT(explorations, 10);
    choice.explore();
    while (!choice.is_over()) {
      const std::size_t candidate = choice.turn().candidate;
      outcome.calls[candidate] += choice.turn().calls();
      if (candidate != choice.leader()) outcome.challenger_calls += choice.turn().calls();
      end_turn(choice, clock.time(candidate));
    }
  }
  outcome.leader = choice.leader();
  return outcome;
}

// The choice after one more exploration, in which the candidates take these seconds.
MeasuredChoice after_exploration(MeasuredChoice choice, const std::vector<double>& seconds) {
  choice.explore();
  while (!choice.is_over()) end_turn(choice, seconds[choice.turn().candidate]);
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

// The candidates of the turns of an exploration in which all take one time.
std::vector<std::size_t> candidates_of_exploration(MeasuredChoice& choice) {
  choice.explore();
  std::vector<std::size_t> candidates;
  while (!choice.is_over()) {
    candidates.push_back(choice.turn().candidate);
    choice.end_turn(1e-5);
  }
  return candidates;
}

TEST(MeasuredChoice, takes_the_candidates_in_order_and_in_reverse_and_then_the_best_challenger) {
  MeasuredChoice choice(2);
  EXPECT_EQ(candidates_of_exploration(choice), (std::vector<std::size_t>{0, 1, 1, 0}));
  EXPECT_EQ(candidates_of_exploration(choice), (std::vector<std::size_t>{0, 1, 0}));
}

TEST(MeasuredChoice, times_the_second_call_of_a_turn) {
  MeasuredChoice choice(2);
  choice.explore();
  MeasuredChoice::Turn turn = choice.turn();
  EXPECT_EQ(turn.calls(), 2);
  EXPECT_FALSE(turn.take().is_timed);
  EXPECT_TRUE(turn.take().is_timed);
  EXPECT_EQ(turn.calls(), 0);
}

TEST(MeasuredChoice, goes_without_a_time_if_no_call_was_timed) {
  MeasuredChoice choice(3);
  for (int explorations = 0; !choice.is_settled(); ++explorations) {
    ASSERT_LT(explorations, 10);
    choice.explore();
    while (!choice.is_over()) choice.end_turn(std::nullopt);
  }
  EXPECT_EQ(choice.leader(), MeasuredChoice::library);
  EXPECT_EQ(choice.estimate(1), 0);
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
    for (const std::size_t candidates : {2U, 3U}) {
      MeasuredChoice choice(candidates);
      NoisyClock clock({1e-5, 1.05e-5, 1.05e-5}, 0.5, seed);
      const Outcome outcome = settle(choice, clock, candidates);
      // A plan that leads is compared with the library twice more.
      constexpr int comparisons = 2, calls_of_turn = 2;
      EXPECT_LE(outcome.challenger_calls,
                MeasuredChoice::most_challenger_calls + comparisons * calls_of_turn);
    }
  }
}

TEST(MeasuredChoice, times_runs_of_calls_that_overlap) {
  constexpr int run = 4;
  MeasuredChoice choice(2, run);
  choice.explore();
  std::vector<int> calls;
  while (!choice.is_over()) {
    calls.push_back(choice.turn().calls());
    end_turn(choice, choice.turn().candidate == MeasuredChoice::library ? 2e-5 : 1e-5);
  }
  EXPECT_EQ(calls, (std::vector<int>{1, 1, run, run, run, run}));
  EXPECT_EQ(choice.leader(), 1);
}

TEST(MeasuredChoice, settles_for_the_library_if_challengers_cannot_afford_more) {
  const MeasuredChoice choice = after_exploration(MeasuredChoice(2, 4), {1e-5, 1.1e-5});
  EXPECT_TRUE(choice.is_settled()) << "another exploration would spend 8 more calls";
  EXPECT_EQ(choice.leader(), MeasuredChoice::library);
}

TEST(MeasuredChoice, compares_a_plan_that_leads_again) {
  const MeasuredChoice once = after_exploration(MeasuredChoice(2, 4), {2e-5, 1e-5});
  EXPECT_EQ(once.leader(), 1);
  EXPECT_FALSE(once.is_settled());
  MeasuredChoice confirmed = once;
  int comparisons = 0;
  for (; !confirmed.is_settled(); ++comparisons) confirmed = after_exploration(confirmed, {2e-5, 1e-5});
  EXPECT_EQ(comparisons, 3);
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
