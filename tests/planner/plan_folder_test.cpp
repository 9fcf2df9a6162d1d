// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files as candidates. The catalogue of the whole process changes, so these tests share an executable with those of
// register_algorithm and no other.
#include "isotrope/planner/plan_folder.hpp"

#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/io/plan_file.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

const cost::Machine all_port_cluster{
    .startup_s = 2e-6, .byte_time_s = 1e-10, .ports = schedule::PortModel::all()};

std::string text_of(const schedule::Plan& plan, io::PlanFormat format = io::PlanFormat::json) {
  std::ostringstream out;
  io::write_plan(out, plan, format);
  return out.str();
}

Problem folder_problem(const std::string& network, Collective collective, network::Node root = 0) {
  return {.network = network::parse(network), .task = {.collective = collective, .root = root}};
}

Candidate chosen(const Problem& problem, std::uint64_t bytes, const std::string& algorithm = {},
                 bool plan_files = true) {
  return choose_for(problem, bytes, all_port_cluster, {.algorithm = algorithm, .plan_files = plan_files})
      .best();
}

TEST(PlanFolder, serves_any_root_of_its_network) {
  const schedule::Plan plan = make_plan(folder_problem("torus:3x5", Collective::broadcast, 4));
  register_plan({"from-node-4.json", text_of(plan)});
  const std::string cbor = text_of(plan, io::PlanFormat::cbor);
  register_plan({"the-same.cbor", cbor});
  for (const char* name : {"from-node-4", "the-same"}) {
    for (const network::Node root : {0U, 4U, 14U}) {
      const Candidate candidate = chosen(folder_problem("torus:3x5", Collective::broadcast, root), 64, name);
      const schedule::Plan made = make_plan(candidate);
      const verify::Report report = verify::verify(made);
      EXPECT_TRUE(report.valid && report.claims_hold) << name << " from " << root;
      EXPECT_EQ(made.task.root, root);
      EXPECT_EQ(report.rounds, plan.schedule.round_count());
    }
  }
  EXPECT_THROW(chosen(folder_problem("torus:5x3", Collective::broadcast), 64, "from-node-4"), Error);
  EXPECT_THROW(chosen(folder_problem("torus:3x5", Collective::reduce), 64, "from-node-4"), Error);
}

// A slow plan loses unless it is named; one that is as fast as the best wins, for its sizes only.
TEST(PlanFolder, has_candidates_among_others) {
  const Problem ring = folder_problem("ring:9", Collective::alltoall);
  const schedule::Plan direct = make_plan(ring);
  Problem one_port = ring;
  one_port.ports = schedule::PortModel::one();
  register_plan({"slow.json", text_of(make_plan(one_port))});
  EXPECT_FALSE(chosen(ring, 1 << 20).algorithm->traits().from_file);
  EXPECT_EQ(chosen(ring, 1 << 20, "slow").algorithm->name(), "slow");
  EXPECT_EQ(make_plan(chosen(ring, 64, "slow")).schedule.ports, ring.ports);

  register_plan({"fast@1KiB-64KiB.json", text_of(direct)});
  for (const std::uint64_t bytes : {1024U, 65536U}) {
    EXPECT_EQ(chosen(ring, bytes, "fast@1KiB-64KiB").algorithm->name(), "fast@1KiB-64KiB");
    EXPECT_LE(chosen(ring, bytes).prediction.seconds, chosen(ring, bytes, {}, false).prediction.seconds);
  }
  for (const std::uint64_t bytes : {1023U, 65537U}) {
    EXPECT_THAT([&] { chosen(ring, bytes, "fast@1KiB-64KiB"); },
                testing::ThrowsMessage<Error>(HasSubstr("it is not for")));
  }
}

TEST(PlanFolder, takes_no_part_if_it_is_not_wanted) {
  const schedule::Plan plan = make_plan(folder_problem("circulant:11:1,3", Collective::scatter));
  register_plan({"scatter-11.json", text_of(plan)});
  const Problem problem = folder_problem("circulant:11:1,3", Collective::scatter);
  EXPECT_EQ(chosen(problem, 8, "scatter-11").algorithm->name(), "scatter-11");
  EXPECT_THROW(chosen(problem, 8, "scatter-11", false), Error);
}

// Every collective, whole vectors and slices, packets and messages: the plan that comes out is the plan that went in.
TEST(PlanFolder, gives_back_what_it_holds) {
  int number = 0;
  for (const Collective collective :
       {Collective::broadcast, Collective::scatter, Collective::gather, Collective::reduce,
        Collective::allgather, Collective::alltoall, Collective::reduce_scatter, Collective::allreduce,
        Collective::scan, Collective::exscan, Collective::barrier}) {
    for (const std::uint64_t bytes : {8U, 65536U}) {
      const Problem problem = folder_problem("torus:3x4", collective);
      const Candidate built_in = choose_for(problem, bytes, all_port_cluster, {.plan_files = false}).best();
      const schedule::Plan plan = make_plan(built_in);
      if (unsuitable_plan(plan)) continue;
      const std::string name = fmt::format("own-{}", ++number);
      register_plan({name + ".json", text_of(plan)});
      const Candidate own = chosen(problem, bytes, name);
      EXPECT_EQ(text_of(make_plan(own)), text_of(plan)) << to_string(problem.task) << " of " << bytes;
      EXPECT_NEAR(own.prediction.seconds, built_in.prediction.seconds, 1e-3 * built_in.prediction.seconds)
          << to_string(problem.task) << " of " << bytes << " by " << built_in.name();
    }
  }
  EXPECT_GE(number, 18);
}

// Around its failures, and around no others.
TEST(PlanFolder, serves_the_failures_of_its_plan) {
  Problem problem = folder_problem("torus:3x3", Collective::broadcast);
  problem.failed.links = {{0, 0}};
  register_plan({"around-a-link.json", text_of(make_plan(problem))});
  EXPECT_EQ(chosen(problem, 64, "around-a-link").algorithm->name(), "around-a-link");
  EXPECT_THROW(chosen(folder_problem("torus:3x3", Collective::broadcast), 64, "around-a-link"), Error);
  problem.task.root = 1;
  EXPECT_THROW(chosen(problem, 64, "around-a-link"), Error);
}

TEST(PlanFolder, reads_sizes_in_names) {
  EXPECT_EQ(sizes_of("a.json"), SizeRange{});
  EXPECT_EQ(sizes_of("a@1KiB-64KiB.json"), (SizeRange{1024, 65536}));
  EXPECT_EQ(sizes_of("a.b@-512.cbor"), (SizeRange{0, 512}));
  EXPECT_EQ(sizes_of("a@1.5MiB-.json"), (SizeRange{1572864, UINT64_MAX}));
  EXPECT_THROW(sizes_of("a@1KiB.json"), Error);
  EXPECT_THROW(sizes_of("a@2KiB-1KiB.json"), Error);
  EXPECT_THROW(sizes_of("a@few-many.json"), Error);
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "isotrope-plans-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(PlanFolder, keeps_what_is_valid_and_says_why_the_rest_is_not) {
  const schedule::Plan good = make_plan(folder_problem("ring:6", Collective::allgather));
  schedule::Plan late = good;
  late.schedule.stages.front().rounds = {};
  const Folder folder;
  folder.write("good.json", text_of(good));
  folder.write("binomial.json", text_of(make_plan(folder_problem("ring:6", Collective::broadcast))));
  folder.write("late.json", text_of(late));
  folder.write("no.json", "{}");
  folder.write("notes.txt", "not a plan");
  folder.write("sizes@x.json", text_of(good));
  std::vector<PlanFile> files = read_plan_folder(folder.path());
  EXPECT_EQ(files.size(), 5U);
  const std::vector<std::string> refused = register_valid_plans(files);
  EXPECT_THAT(refused, testing::Contains(HasSubstr("late.json: not valid: stage 0")));
  EXPECT_THAT(refused, testing::Contains(HasSubstr("no.json")));
  EXPECT_THAT(refused,
              testing::Contains(HasSubstr("binomial.json: the catalogue has an algorithm binomial")));
  EXPECT_THAT(refused, testing::Contains(HasSubstr("sizes@x.json: its name has an @")));
  EXPECT_THAT(files, testing::Contains(testing::Field(&PlanFile::name, "good.json")));
  EXPECT_EQ(chosen(folder_problem("ring:6", Collective::allgather), 64, "good").algorithm->name(), "good");
  EXPECT_THROW(read_plan_folder(folder.path() / "nowhere"), Error);
  EXPECT_THROW(read_plan_folder(folder.path() / "good.json"), Error);
}

}  // namespace
}  // namespace isotrope::planner
