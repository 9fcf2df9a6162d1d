// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/choices_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::io {
namespace {

using schedule::Collective;
using testing::HasSubstr;

std::string refusal_of(const std::string& text) {
  try {
    parse_choices("a.json", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string with_call(const std::string& call) {
  return R"({"format": "isotrope-choices/1", "library": "x", "calls": [)" + call + "]}";
}

TEST(ChoicesFile, is_read_as_it_was_written) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "choices_file_test.json";
  const MeasuredChoices written{.library = "Open MPI v4.1.4",
                                .calls = {{"torus:3x4", Collective::allreduce, 32, 2.5e-5, 1e-6, 2e-6},
                                          {"torus:3x4", Collective::barrier, 0, 1e-5, 1.25e-5},
                                          {"torus:3x4", Collective::alltoall, 0, 1e-5, 1.25e-5},
                                          {"torus:3x4", Collective::alltoall, 0, 2e-5, 1.5e-5, {}, true}}};
  write_choices(file, written);
  const MeasuredChoices read = read_choices(file);
  std::filesystem::remove(file);
  EXPECT_EQ(read.library, written.library);
  ASSERT_EQ(read.calls.size(), written.calls.size());
  for (std::size_t i = 0; i < read.calls.size(); ++i) {
    for (std::size_t k = 0; k < read.calls.size(); ++k)
      EXPECT_EQ(read.calls[i].is_same_kind(written.calls[k]), i == k);
    EXPECT_EQ(read.calls[i].library_s, written.calls[i].library_s);
    EXPECT_EQ(read.calls[i].isotrope_s, written.calls[i].isotrope_s);
    EXPECT_EQ(read.calls[i].one_port_s, written.calls[i].one_port_s);
  }
}

TEST(ChoicesFile, says_what_is_wrong) {
  EXPECT_THAT(refusal_of("{"), HasSubstr("a.json: no choices file"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("a.json"));
  EXPECT_THAT(refusal_of(R"({"format": "isotrope-choices/2", "library": "x", "calls": []})"),
              HasSubstr("isotrope-choices/1"));
  EXPECT_THAT(refusal_of(R"({"format": "isotrope-choices/1", "calls": []})"), HasSubstr("library"));
  EXPECT_THAT(refusal_of(with_call(R"({"network": "ring:3", "collective": "allredoce", "least_bytes": 8,
                                       "library_s": 1, "isotrope_s": 1})")),
              HasSubstr("allreduce"));
  EXPECT_THAT(refusal_of(with_call(R"({"network": "ring:3", "collective": "allreduce", "least_bytes": 8,
                                       "library_s": -1, "isotrope_s": 1})")),
              HasSubstr("\"library_s\": -1"));
  EXPECT_THAT(refusal_of(with_call(R"({"network": "ring:3", "collective": "allreduce", "least_bytes": 8,
                                       "library_s": 1, "isotrope_s": 1, "one_port_s": 0})")),
              HasSubstr("\"one_port_s\": 0"));
  EXPECT_THAT(refusal_of(with_call(R"({"network": "ring:3", "collective": "allreduce", "least_bytes": 8,
                                       "library_s": 1, "isotrope_s": 1, "unequal_blocks": true})")),
              HasSubstr("\"unequal_blocks\" of allreduce"));
  EXPECT_THAT(refusal_of(with_call(R"({"network": 3})")), HasSubstr("string"));
  EXPECT_THROW(read_choices("/nonexistent/choices.json"), Error);
  EXPECT_THROW(read_choices("/dev/null"), Error);
}

}  // namespace
}  // namespace isotrope::io
