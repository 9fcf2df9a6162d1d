// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/places.hpp"

#include <gtest/gtest.h>

namespace isotrope::rank {
namespace {

TEST(Slots, left_ones_are_taken_again_once_released) {
  Slots slots;
  EXPECT_EQ(slots.take(), 0U);
  EXPECT_EQ(slots.take(), 1U);
  slots.leave(0);
  slots.leave(1);
  EXPECT_EQ(slots.take(), 2U);
  slots.release();

  EXPECT_EQ(slots.take(), 1U);
  EXPECT_EQ(slots.take(), 0U);
  EXPECT_EQ(slots.take(), 3U);
  EXPECT_EQ(slots.count(), 4U);
}

TEST(MovePlaces, are_input_slot_and_output_in_turn) {
  Slots slots;
  MovePlaces places(1);
  const Place home{Buffer::input, 7}, result{Buffer::output, 5};

  EXPECT_EQ(places.depart(0, home, slots), home);
  EXPECT_EQ(places.arrive(0, false, result, slots), (Place{Buffer::slots, 0}));
  EXPECT_EQ(places.depart(0, home, slots), (Place{Buffer::slots, 0}));
  EXPECT_EQ(places.arrive(0, true, result, slots), result);
  EXPECT_EQ(places.depart(0, home, slots), result);
  slots.release();
  EXPECT_EQ(slots.take(), 0U);
}

// The own contribution is joined to the first arrival; the second is combined with both.
TEST(ReducePlaces, grow_at_home) {
  Slots slots;
  const Place home{Buffer::partial, 3};
  ReducePlaces places(1, ReducePlaces::Sent::given_up, ReducePlaces::Overlap::apart);

  EXPECT_EQ(places.at(0, home), (Place{Buffer::input, 3}));
  EXPECT_EQ(places.arrive(0, home, slots).arrival, OnArrival::join);
  EXPECT_EQ(places.at(0, home), home);
  const auto [place, arrival] = places.arrive(0, home, slots);
  EXPECT_EQ(place, home);
  EXPECT_EQ(arrival, OnArrival::combine);
  EXPECT_EQ(places.depart(0, home, slots), home);
  places.close_round();
  EXPECT_FALSE(places.holds(0));
  EXPECT_EQ(places.arrive(0, home, slots).arrival, OnArrival::store);
  EXPECT_EQ(slots.count(), 0U);
}

// What comes while a partial result leaves must not be written over it.
TEST(ReducePlaces, keep_apart_what_comes_and_what_leaves) {
  Slots slots;
  const Place home{Buffer::partial, 3};
  ReducePlaces apart(1, ReducePlaces::Sent::given_up, ReducePlaces::Overlap::apart);
  ReducePlaces together(1, ReducePlaces::Sent::given_up, ReducePlaces::Overlap::home);
  for (ReducePlaces* places : {&apart, &together}) {
    places->depart(0, home, slots);
    EXPECT_FALSE(places->holds(0));
    EXPECT_EQ(places->arrive(0, home, slots).arrival, OnArrival::store);
    places->close_round();
    EXPECT_TRUE(places->holds(0));
  }

  EXPECT_EQ(together.at(0, home), home);
  EXPECT_EQ(apart.at(0, home), (Place{Buffer::slots, 0}));
  EXPECT_EQ(apart.arrive(0, home, slots).arrival, OnArrival::combine);
  EXPECT_EQ(apart.depart(0, home, slots), (Place{Buffer::slots, 0}));
}

TEST(ReducePlaces, keep_what_is_sent_in_recursive_doubling) {
  Slots slots;
  const Place home{Buffer::output, 0};
  ReducePlaces places(1, ReducePlaces::Sent::kept, ReducePlaces::Overlap::home);
  EXPECT_EQ(places.depart(0, home, slots), (Place{Buffer::input, 0}));
  EXPECT_EQ(places.arrive(0, home, slots).arrival, OnArrival::join);
  EXPECT_EQ(places.depart(0, home, slots), home);
  EXPECT_EQ(places.arrive(0, home, slots).arrival, OnArrival::combine);
}

}  // namespace
}  // namespace isotrope::rank
