// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/utf8.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace isotrope {
namespace {

// The JSON library refuses to print what is not UTF-8.
bool library_accepts(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

TEST(Utf8, first_and_last_of_every_length) {
  for (const char* text : {"", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBF\xBF",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF", "\xEE\x80\x80"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

// Boundary bytes of the encoding, in all sequences of up to four.
TEST(Utf8, agrees_with_the_json_library) {
  const std::string bytes = "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xED\xEF\xF0\xF4\xF5\xF8\xFF";
  int accepted = 0;
  for (char a : bytes) {
    for (char b : bytes) {
      for (char c : bytes) {
        for (char d : bytes) {
          const std::string text = {a, b, c, d};
          ASSERT_EQ(is_utf8(text), library_accepts(text)) << testing::PrintToString(text);
          accepted += is_utf8(text) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(accepted, 16);
}

TEST(Utf8, refuses_overlong_surrogates_and_stumps) {
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x88", "a\xC3"}) {
    EXPECT_FALSE(is_utf8(text)) << testing::PrintToString(std::string(text));
  }
}

}  // namespace
}  // namespace isotrope
