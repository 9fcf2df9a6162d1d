// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/task_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using schedule::Delivery;
using schedule::RelativeDestination;
using testing::ElementsAre;
using testing::HasSubstr;

class TaskFile : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = folder_.path() / "task.txt";
    std::ofstream(path) << text;
    return path;
  }
  template <class Read>
  std::string error_of(Read read, const std::string& text, const char* network = "ring:5") {
    try {
      read(file(text), network::parse(network));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(TaskFile, reads_relative_destinations) {
  EXPECT_THAT(read_isotropic_task(file("# halo\n1 2\n\n4,3  # left\n2\n1\n3 0\n"), network::parse("ring:5")),
              ElementsAre(RelativeDestination{1, 3}, RelativeDestination{2, 1}, RelativeDestination{4, 3}));
  EXPECT_TRUE(read_isotropic_task(file("# nothing\n"), network::parse("ring:5")).empty());
}

TEST_F(TaskFile, reads_an_isotropic_task_in_full) {
  EXPECT_THAT(read_isotropic_task(file("0 1 2\n1 2 2\n2 0 1\n2 0 1\n"), network::parse("ring:3")),
              ElementsAre(RelativeDestination{1, 2}));
}

TEST_F(TaskFile, reads_any_task) {
  EXPECT_THAT(read_task(file("3 1 2\n0,4\n3 1\n"), network::parse("ring:5")),
              ElementsAre(Delivery{0, 4, 1}, Delivery{3, 1, 3}));
}

TEST_F(TaskFile, reads_text_of_a_spreadsheet) {
  EXPECT_THAT(read_task(file("\xEF\xBB\xBF"
                             "3,1,2\r\n0,4,1\r\n"),
                        network::parse("ring:5")),
              ElementsAre(Delivery{0, 4, 1}, Delivery{3, 1, 2}));
}

TEST_F(TaskFile, names_two_nodes_that_differ) {
  const std::string error = error_of(read_isotropic_task, "0 1 2\n1 2 1\n2 0 2\n", "ring:3");
  EXPECT_THAT(error, HasSubstr("not isotropic: 2 blocks from 0 to 1, but 1 from 1 to 2"));
  EXPECT_THAT(error_of(read_isotropic_task, "0 1 2\n", "ring:3"), HasSubstr("but 0 from 1 to 2"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 2 2\n", "ring:3"),
              HasSubstr("0 blocks from 0 to 1, but 2 from 1"));
}

TEST_F(TaskFile, refuses_bad_lines) {
  EXPECT_THAT(error_of(read_isotropic_task, "1 2\n5 1\n"),
              HasSubstr("task.txt:2: node 5 is outside ring:5, whose nodes are 0..4"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 -2\n"), HasSubstr("task.txt:1: '-2' is no number from 0"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 4294967296\n"),
              HasSubstr("is no number from 0 to 4294967295"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 4294967295\n2 1\n"), HasSubstr("more than 4294967295 blocks"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 2\n1 2 3\n"), HasSubstr("task.txt:2: give a relative"));
  EXPECT_THAT(error_of(read_isotropic_task, "1 x\n"), HasSubstr("'x' is no number"));
  EXPECT_THAT(error_of(read_task, "1\n"), HasSubstr("give source, destination"));
  EXPECT_THAT(error_of(read_task, "1 2 3 4\n"), HasSubstr("give source, destination"));
  EXPECT_THAT(error_of(read_task, "1 7\n"), HasSubstr("node 7 is outside"));
  EXPECT_THROW(read_task("/nowhere/task.txt", network::parse("ring:5")), Error);
}

}  // namespace
}  // namespace isotrope::io
