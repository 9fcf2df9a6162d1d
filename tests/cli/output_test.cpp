// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Output that cannot be written: an error in words, exit status 2, and nothing left behind.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

// A call of every command that needs no MPI, and all that is printed without a command.
const std::vector<std::string> calls{"plan --network ring:4 --collective alltoall",
                                     "plan --network ring:4 --collective alltoall --bytes 8 --explain --json",
                                     "verify plan.json",
                                     "verify plan.json --json",
                                     "bound --network ring:4 --collective alltoall",
                                     "run plan.json --bytes 8",
                                     "run plan.json --bytes 8 --json",
                                     "network ring:4",
                                     "catalog",
                                     "catalog --json",
                                     "cost plan.json --bytes 8",
                                     "compare-algorithms --network ring:4 --collective allgather",
                                     "reproduce",
                                     "reproduce ho-johnsson-table-2",
                                     "reproduce ho-johnsson-table-2 --json",
                                     "simulate --network ring:4 --collective alltoall",
                                     "compare ring:5 --json",
                                     "route ring:4 0 1",
                                     "route ring:4 0 2 --failed-nodes 1,3 --json",
                                     "draw ring:4",
                                     "export hypercube:4 --format dot",
                                     "export hypercube:10 --format csv",
                                     "export plan.json --format csv --bytes 8",
                                     "--help",
                                     "--version",
                                     "help run"};

TEST_F(Cli, says_that_a_full_device_takes_no_output) {
  answer("plan --network ring:4 --collective alltoall -o plan.json");
  for (const std::string& call : calls) {
    expect_refusal(call + " >/dev/full", "standard output cannot be written: No space left on device");
  }
}

TEST_F(Cli, says_that_a_closed_stdout_takes_no_output) {
  answer("plan --network ring:4 --collective alltoall -o plan.json");
  for (const std::string& call : calls) {
    expect_refusal(call + " >&-", "standard output cannot be written: Bad file descriptor");
  }
}

// The file must not get the number of the closed stdout, and with it the text.
TEST_F(Cli, keeps_text_for_a_closed_stdout_out_of_files) {
  const std::string plan = "plan --network ring:4 --collective alltoall ";
  answer(plan + "-o right.json");
  expect_refusal(plan + "-o beside.json >&-", "standard output");
  EXPECT_EQ(shell("cmp right.json beside.json", folder_).status, 0);
}

TEST_F(Cli, says_that_a_file_cannot_be_written) {
  expect_refusal("plan --network ring:4 --collective alltoall -o /dev/full", "No space left on device");
  expect_refusal("bound --network ring:4 --collective alltoall -o /dev/full", "No space left on device");
  for (const char* call : {"plan --network ring:4 --collective alltoall", "network ring:4", "reproduce --all",
                           "export ring:4 --format dot", "compare ring:5"}) {
    expect_refusal(std::string(call) + " -o ''", "-o '': the value is empty");
    expect_refusal(std::string(call) + " -o -", "-o -: give the name of a file, such as /dev/stdout");
  }
}

TEST_F(Cli, refuses_empty_values) {
  for (const char* option : {"--failed-nodes", "--failed-links", "--algorithm", "--counts"}) {
    expect_refusal(std::string("plan --network ring:4 --collective alltoall ") + option + " ''",
                   std::string(option) + " '': the value is empty; give one, or leave the option out");
  }
}

TEST_F(Cli, refuses_loops_of_links) {
  const Outcome outcome =
      shell("ln -s two one; ln -s one two; \"$isotrope\" plan --network ring:4 --collective alltoall -o one",
            folder_);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("one: cannot be written: Too many levels of symbolic links"));
}

TEST_F(Cli, follows_a_link_to_a_file_that_does_not_exist_yet) {
  std::filesystem::create_directory(folder_ / "folder");
  std::filesystem::create_symlink("folder/made.json", folder_ / "link.json");
  answer("plan --network ring:4 --collective alltoall -o link.json");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "folder" / "made.json"));
  EXPECT_TRUE(answer("verify link.json").at("valid").get<bool>());
}

TEST_F(Cli, leaves_nothing_behind_at_a_limit_on_the_size_of_files) {
  for (const char* call :
       {"plan --network hypercube:8 --collective alltoall -o big.json",
        "export --network hypercube:5 --collective alltoall --bytes 8 --format ti -o big"}) {
    const Outcome outcome = shell(std::string("ulimit -f 4; \"$isotrope\" ") + call, folder_);
    EXPECT_EQ(outcome.status, 2) << call;
    EXPECT_THAT(outcome.err, HasSubstr("cannot be written: File too large")) << call;
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << call;
  }
}

TEST_F(Cli, names_the_wrong_extension) {
  answer("plan --network ring:4 --collective alltoall -o plan.json");
  answer("plan --network ring:4 --collective alltoall -o plan.cbor");
  std::filesystem::copy_file(folder_ / "plan.json", folder_ / "text.cbor");
  std::filesystem::copy_file(folder_ / "plan.cbor", folder_ / "bytes.json");
  expect_refusal("verify text.cbor",
                 "text.cbor: the content is JSON, the name says CBOR; name the file .json");
  expect_refusal("run bytes.json --bytes 8",
                 "bytes.json: the content is not JSON; if it is CBOR, name the file .cbor");
}

TEST_F(Cli, says_that_a_network_without_links_has_no_ports) {
  expect_refusal("plan --network torus:1 --collective allgather --ports 1", "torus:1 has no links");
  EXPECT_TRUE(answer("plan --network torus:1 --collective allgather --ports one").at("valid").get<bool>());
}

}  // namespace
}  // namespace isotrope::app
