// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program in a folder of its own, with what every test asks of answers and refusals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace isotrope::app {

using nlohmann::json;

// How often `what` occurs in the text.
inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

class Cli : public testing::Test {
 public:
  Cli() {
    std::string name = (std::filesystem::temp_directory_path() / "isotrope-cli-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

 protected:
  Outcome run(const std::string& arguments) const { return isotrope(arguments, folder_); }

  json answer(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << arguments << ": " << outcome.err;
    return json::parse(outcome.out);
  }

  // The answer without what differs from run to run.
  json answer_without_times(const std::string& arguments) const {
    json found = answer(arguments);
    found.erase("seconds");
    found.erase("verify_seconds");
    return found;
  }

  // Exit status 2, one line on stderr, nothing on stdout, no file.
  void expect_refusal(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, testing::HasSubstr(message)) << arguments;
    EXPECT_THAT(outcome.err, testing::StartsWith("isotrope: ")) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
        << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused.json")) << arguments;
  }

  // Terminates the program as soon as a part of the file or folder `answer`, which it is to write, is there.
  Outcome end_while_writing(const std::string& arguments) const {
    return shell(
        "\"$isotrope\" " + arguments +
            " &\n"
            "for i in $(seq 500); do ls -d answer.partial* && break; sleep 0.01; done; kill $!; wait $!",
        folder_);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  // The content of a file.
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

}  // namespace isotrope::app
