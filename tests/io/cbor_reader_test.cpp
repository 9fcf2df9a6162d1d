// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What CBOR has and JSON has not: indefinite lengths, other types, lengths that lie.
#include <initializer_list>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "isotrope/io/plan_file.hpp"

#include "tests/io/heap_peak.hpp"
#include "tests/io/refusal.hpp"
#include "tests/io/same_plan.hpp"
#include "tests/io/sample_plans.hpp"

namespace isotrope::io {
namespace {

using nlohmann::ordered_json;
using testing::StartsWith;

schedule::Plan read_cbor(const std::string& bytes) {
  return read_plan(bytes, PlanFormat::cbor, "memory");
}

std::string message(const std::string& bytes) {
  return refusal([&] { read_cbor(bytes); });
}

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string result;
  for (const std::string_view piece : pieces) result += piece;
  return result;
}

std::string definite(const ordered_json& value) {
  const std::vector<std::uint8_t> bytes = ordered_json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

// A text in pieces of one character.
std::string pieces(const std::string& text) {
  std::string result{'\x7F'};
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    result += definite(text.substr(begin, end - begin));
  }
  result += '\xFF';
  return result;
}

// Every array, map and text without its length.
std::string indefinite(const ordered_json& value) {
  std::string result;
  if (value.is_array()) {
    for (const auto& element : value) result += indefinite(element);
    return joined({"\x9F", result, "\xFF"});
  }
  if (value.is_object()) {
    for (const auto& [key, element] : value.items()) result += pieces(key) + indefinite(element);
    return joined({"\xBF", result, "\xFF"});
  }
  return value.is_string() ? pieces(value.get<std::string>()) : definite(value);
}

// A plan that is right up to "parts", whose value is `bytes`.
std::string with_parts(const std::string& bytes) {
  return joined({"\xA2", definite("format"), definite("isotrope-plan/1"), definite("parts"), bytes});
}

TEST(CborReader, reads_indefinite_lengths) {
  for (const schedule::Plan& plan : varied_plans()) {
    const auto document = ordered_json::parse(written(plan, PlanFormat::json));
    EXPECT_TRUE(same_plan(read_cbor(indefinite(document)), plan)) << document;
  }
}

RC_GTEST_PROP(CborReader, lengths_may_be_left_open, ()) {
  const schedule::Plan plan = random_plan();
  const auto document = ordered_json::parse(written(plan, PlanFormat::json));
  RC_ASSERT(same_plan(read_cbor(indefinite(document)), plan));
  RC_ASSERT(same_plan(read_cbor(definite(document)), plan));
}

RC_GTEST_PROP(CborReader, numbers_may_be_longer_than_needed, ()) {
  std::string bytes = definite(ordered_json::parse(written(tiny_plan(), PlanFormat::json)));
  const std::string key = definite("parts");
  const std::size_t value = bytes.find(key) + key.size();
  const auto width = *rc::gen::inRange<unsigned>(0, 4);
  const std::string padding((1u << width) - 1, '\0');
  bytes.replace(value, 1, static_cast<char>(0x18 + width) + padding + '\x01');
  RC_ASSERT(same_plan(read_cbor(bytes), tiny_plan()));
}

TEST(CborReader, a_long_text_crosses_the_window) {
  schedule::Plan plan = tiny_plan();
  for (std::size_t length : {65000u, 65536u, 200000u}) {
    plan.bound.because.assign(length, 'x');
    EXPECT_TRUE(same_plan(read_cbor(written(plan, PlanFormat::cbor)), plan)) << length;
  }
}

TEST(CborReader, refuses_other_types_at_their_place) {
  const auto expected = [](const std::string& given) {
    return joined({"memory: parts: ", given, ": expected a whole number 0..4294967295"});
  };

  EXPECT_EQ(message(with_parts("\x20")), expected("a negative number"));
  EXPECT_EQ(message(with_parts("\xF9\x3C" + std::string(1, '\0'))), expected("a floating-point number"));
  EXPECT_EQ(message(with_parts("\xFA\x7F\xC0" + std::string(2, '\0'))), expected("a floating-point number"));
  EXPECT_EQ(message(with_parts("\xFB\x7F\xF8" + std::string(6, '\0'))), expected("a floating-point number"));
  EXPECT_EQ(message(with_parts("\xF6")), expected("null"));
  EXPECT_EQ(message(with_parts("\xF7")), expected("undefined"));
  EXPECT_EQ(message(with_parts("\xC1\x01")), expected("a tag"));
  EXPECT_EQ(message(with_parts("\x41x")), expected("bytes"));
  EXPECT_EQ(message(with_parts("\x5F\x41x\xFF")), expected("bytes"));
  EXPECT_EQ(message(with_parts("\xF5")), expected("true"));
}

TEST(CborReader, names_the_byte_of_what_is_not_cbor) {
  const std::string whole = written(tiny_plan(), PlanFormat::cbor);

  EXPECT_EQ(message(""), "memory: byte 0: the file is empty");
  EXPECT_EQ(message("\xA1\x01\x01"), "memory: byte 1: a key that is not text");
  EXPECT_EQ(message("\xA1\x41x"), "memory: byte 1: a key that is not text");
  EXPECT_EQ(message("\xBF\x65parts\xFF"), "memory: byte 7: a key without a value");
  EXPECT_EQ(message("\xFF"), "memory: byte 0: a break where nothing is open");
  EXPECT_EQ(message("\xA1\xFF"), "memory: byte 1: a break where nothing is open");
  EXPECT_EQ(message("\xA1\x7F\x01"), "memory: byte 2: a piece of a text that is not text");
  EXPECT_EQ(message("\xA1\x7F\x7F"), "memory: byte 2: a piece of a text that is not text");
  EXPECT_EQ(message("\xA1\x62\xC3("), "memory: byte 1: a text that is not UTF-8");
  EXPECT_EQ(message("\xA1\x1C"), "memory: byte 1: not CBOR");
  EXPECT_EQ(message(with_parts("\xF8\xFF")), "memory: byte 30: not CBOR");
  EXPECT_EQ(message(whole + "x"),
            "memory: byte " + std::to_string(whole.size()) + ": more bytes after the end of the plan");
  EXPECT_EQ(message(joined({"\xA2", definite("parts"), "\x01", definite("parts"), "\x01"})),
            "memory: parts: the key stands here twice");
  EXPECT_EQ(message("\xA1\x7F\x65parts"), "memory: byte 8: the file ends too early");
}

TEST(CborReader, reserves_nothing_by_a_length_that_lies) {
  const std::string head = joined({"\xA1", definite("stages")});
  for (const std::string& length : {std::string("\x9B"), std::string("\xBB"), std::string("\x7B")}) {
    const std::string lie = length + std::string(8, '\x7F');
    const auto read = [&] { EXPECT_NE(message(head + lie), "accepted"); };
    EXPECT_LT(heap_peak(read), std::size_t{1} << 18);
  }
  EXPECT_EQ(message(std::string("\x9B") + std::string(8, '\xFF')).substr(0, 26),
            "memory: the plan: an array");
  EXPECT_THAT(message(head + "\x9B" + std::string(8, '\xFF')), StartsWith("memory: byte 17: the file ends"));
}

}  // namespace
}  // namespace isotrope::io
