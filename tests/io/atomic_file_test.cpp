// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/atomic_file.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/io/refusal.hpp"
#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void write_text(const std::filesystem::path& file, const std::string& text) {
  write_atomically(file, [&](std::ostream& out) { out << text; });
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(AtomicFile, creates_and_replaces) {
  const TemporaryFolder folder;

  write_text(folder / "a", "one");
  EXPECT_EQ(text_of(folder / "a"), "one");
  write_text(folder / "a", "two");

  EXPECT_EQ(text_of(folder / "a"), "two");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(AtomicFile, keeps_the_old_file_until_the_end) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");

  write_atomically(folder / "a", [&](std::ostream& out) {
    out << "new" << std::flush;
    EXPECT_EQ(text_of(folder / "a"), "old");
  });

  EXPECT_EQ(text_of(folder / "a"), "new");
}

TEST(AtomicFile, follows_a_symbolic_link) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  std::filesystem::create_symlink("a", folder / "link");

  write_text(folder / "link", "new");

  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(text_of(folder / "a"), "new");
}

TEST(AtomicFile, follows_a_symbolic_link_to_a_file_that_does_not_exist) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "b");
  std::filesystem::create_symlink("b/link", folder / "link");
  std::filesystem::create_symlink("new", folder / "b" / "link");

  write_text(folder / "link", "text");

  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(text_of(folder / "b" / "new"), "text");
}

TEST(AtomicFile, refuses_a_loop_of_symbolic_links) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");

  EXPECT_THAT(refusal([&] { write_text(folder / "a", "text"); }),
              HasSubstr("Too many levels of symbolic links"));

  EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("a", "b"));
}

TEST(AtomicFile, writes_to_a_device_without_replacing_it) {
  write_text("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, an_exception_leaves_nothing_behind) {
  const TemporaryFolder folder;
  const auto fail = [](std::ostream& out) {
    out << "half";
    throw Error("stop");
  };

  EXPECT_EQ(refusal([&] { write_atomically(folder / "a", fail); }), "stop");

  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(AtomicFile, names_file_and_reason) {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing/a";

  EXPECT_EQ(refusal([&] { write_text(missing, ""); }),
            missing + ": cannot be written: No such file or directory");
  EXPECT_THAT(refusal([&] { write_text(folder.path(), ""); }), HasSubstr("Is a directory"));
  EXPECT_EQ(refusal([] { write_text("/dev/full", "text"); }),
            "/dev/full: cannot be written: No space left on device");
}

// The system refuses to let the file grow, as a full disk would.
// What others write to the open file stays, before and after.
TEST(AtomicFile, writes_to_an_open_file_of_the_process) {
  const TemporaryFolder folder;
  const int descriptor = ::open((folder / "a").c_str(), O_CREAT | O_WRONLY, 0666);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(::write(descriptor, "before ", 7), 7);
  write_text(fmt::format("/dev/fd/{}", descriptor), "text");
  EXPECT_EQ(::write(descriptor, " after", 6), 6);
  ::close(descriptor);
  EXPECT_EQ(text_of(folder / "a"), "before text after");
  EXPECT_THAT(refusal([&] { write_text(fmt::format("/dev/fd/{}", descriptor), "text"); }),
              HasSubstr("cannot be written"));
}

TEST(AtomicFile, a_failed_write_keeps_the_old_file) {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);

  const std::string message = refusal([&] { write_text(folder / "a", std::string(100000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);

  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_EQ(text_of(folder / "a"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

}  // namespace
}  // namespace isotrope::io
