// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/library.hpp"

#include <gtest/gtest.h>

namespace isotrope::mpi {
namespace {

void expect(std::string_view text, const std::string& name, const std::string& version) {
  const MpiLibrary library = MpiLibrary::of(text);
  EXPECT_EQ(library.name, name) << text;
  EXPECT_EQ(library.version, version) << text;
}

TEST(MpiLibrary, is_known_by_its_name_and_version) {
  expect("Open MPI v4.1.4, package: Debian Open MPI, ident: 4.1.4, repo rev: v4.1.4", "Open MPI", "4.1.4");
  expect("MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7", "MPICH", "4.0.2");
  expect("Intel(R) MPI Library 2021.5 for Linux* OS\n", "Intel(R) MPI Library", "2021.5");
  expect("MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date : Wed", "MVAPICH2", "2.3.7");
  expect("MPI VERSION    : CRAY MPICH version 8.1.12.33 (ANL base 3.4a2)\n", "MPI CRAY MPICH", "8.1.12.33");
  expect("A library", "A library", "");
  expect("", "", "");
}

TEST(MpiLibrary, runs_programs_for_itself_and_for_libraries_with_its_binary_interface) {
  const auto named = [](const char* name) { return MpiLibrary{name, "1"}; };
  EXPECT_TRUE(named("Open MPI").runs_programs_for(MpiLibrary{"Open MPI", "2"}));
  EXPECT_TRUE(named("MPICH").runs_programs_for(named("Intel(R) MPI Library")));
  EXPECT_TRUE(named("MVAPICH2").runs_programs_for(named("MPICH")));
  EXPECT_FALSE(named("Open MPI").runs_programs_for(named("MPICH")));
  EXPECT_FALSE(named("MPICH").runs_programs_for(named("Open MPI")));
  EXPECT_FALSE(named("A library").runs_programs_for(named("MPICH")));
}

TEST(MpiLibrary, of_the_process_has_a_name_and_a_version) {
  const MpiLibrary library = MpiLibrary::of_process();
  EXPECT_FALSE(library.name.empty());
  EXPECT_FALSE(library.version.empty());
#ifdef OPEN_MPI
  EXPECT_EQ(library.name, "Open MPI");
#endif
}

}  // namespace
}  // namespace isotrope::mpi
