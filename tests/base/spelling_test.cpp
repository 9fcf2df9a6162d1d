// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/spelling.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace isotrope {
namespace {

using std::string_view_literals::operator""sv;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::array names{"hypercube"sv, "torus"sv, "ring"sv, "hexmesh"sv, "twisted-torus"sv, "circulant"sv};

TEST(Spelling, finds_the_name_a_slip_away) {
  EXPECT_THAT(nearest_names("tours", names), ElementsAre("torus"));         // two letters exchanged
  EXPECT_THAT(nearest_names("hypercub", names), ElementsAre("hypercube"));  // the beginning
  EXPECT_THAT(nearest_names("rong", names), ElementsAre("ring"));           // one letter
  EXPECT_THAT(nearest_names("hex", names), ElementsAre("hexmesh"));
}

TEST(Spelling, puts_the_nearest_first_and_names_at_most_three) {
  constexpr std::array candidates{"aabb"sv, "abbb"sv, "aaab"sv, "aaaa"sv};

  // Distances 2, 3, 1, 0; the reach is 2.
  EXPECT_THAT(nearest_names("aaaa", candidates), ElementsAre("aaaa", "aaab", "aabb"));
  // Distances 1, 2, 0, 1: four are near, ties in the order given.
  EXPECT_THAT(nearest_names("aaab", candidates), ElementsAre("aaab", "aabb", "aaaa"));
}

TEST(Spelling, hint_asks_or_lists) {
  constexpr std::array two{"abc"sv, "abd"sv};

  EXPECT_EQ(name_hint("tours", names), "did you mean torus?");
  EXPECT_EQ(name_hint("abe", two), "did you mean abc or abd?");
  EXPECT_EQ(name_hint("unlikely", two), "known are abc, abd");
}

TEST(Spelling, every_name_is_found_after_any_one_slip) {
  EXPECT_TRUE(rc::check("replace, delete or insert one letter", [] {
    const std::string_view name = *rc::gen::elementOf(names);
    const auto place = *rc::gen::inRange<std::size_t>(0, name.size());
    const std::size_t deleted = *rc::gen::inRange<std::size_t>(0, 2);
    const std::string inserted = *rc::gen::elementOf(std::vector<std::string>{"", "q"});
    std::string slip(name);
    slip.replace(place, deleted, inserted);
    RC_ASSERT(nearest_names(slip, names).at(0) == name);
  }));
}

TEST(Spelling, nothing_resembles_an_empty_or_endless_name) {
  EXPECT_THAT(nearest_names("", names), IsEmpty());
  EXPECT_THAT(nearest_names(std::string(65, 't'), names), IsEmpty());
}

TEST(WholeNumber, reads_digits_and_nothing_else) {
  EXPECT_EQ(whole_number("0"), 0);
  EXPECT_EQ(whole_number("007"), 7);
  EXPECT_EQ(whole_number("18446744073709551615"), UINT64_MAX);
  for (std::string_view bad : {"", "18446744073709551616", "+1", "-1", " 1", "1 ", "1.0", "0x1", "x"}) {
    EXPECT_EQ(whole_number(bad), std::nullopt) << "'" << bad << "'";
  }
}

TEST(WholeNumber, reads_back_every_number) {
  EXPECT_TRUE(rc::check(
      "round trip", [](std::uint64_t value) { RC_ASSERT(whole_number(std::to_string(value)) == value); }));
}

TEST(Split, keeps_empty_pieces) {
  EXPECT_THAT(split("4x4x8", 'x'), ElementsAre("4", "4", "8"));
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Split, pieces_join_to_the_text) {
  EXPECT_TRUE(rc::check("join is the inverse", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,")));
    std::string joined;
    for (std::string_view piece : split(text, ',')) {
      RC_ASSERT(piece.find(',') == std::string_view::npos);
      joined.append(piece).append(",");
    }
    RC_ASSERT(joined == text + ",");
  }));
}

TEST(Spelling, excerpt_escapes_and_cuts) {
  EXPECT_EQ(excerpt("torus:4x4"), "torus:4x4");
  EXPECT_EQ(excerpt("a\n\t\x1b[2J\x7f"), "a\\n\\t\\x1b[2J\\x7f");
  EXPECT_EQ(excerpt(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(excerpt(std::string(81, 'x')), std::string(77, 'x') + "...");
  EXPECT_EQ(excerpt(std::string(100, '\x01')), [] {
    std::string text;
    for (int i = 0; i < 19; ++i) text += "\\x01";
    return text + "...";
  }());
  EXPECT_EQ(excerpt("a\xFFz\xC3"), "a\\xffz\\xc3");
  EXPECT_EQ(excerpt("ab\xE2\x88\x91\xE2\x88\x91", 7), "ab...");  // no half of a character of UTF-8
  EXPECT_EQ(in_quotes("torus"), "'torus'");
}

}  // namespace
}  // namespace isotrope
