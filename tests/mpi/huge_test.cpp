// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts and distances beyond the range of int. Memory that is never written costs nothing, so elements far
// apart are cheap; the only test that moves more than 2 GiB runs on 2 ranks, if there is enough memory.
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "isotrope/mpi/datatype.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

// Memory that reads as zero and is allocated when it is first written.
class Zeros {
 public:
  explicit Zeros(std::size_t bytes)
      : bytes_(bytes),
        begin_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                    0)) {}
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  ~Zeros() { munmap(begin_, bytes_); }

  int& at(std::size_t byte) const { return *reinterpret_cast<int*>(static_cast<std::byte*>(begin_) + byte); }

 private:
  std::size_t bytes_;
  void* begin_;
};

std::uint64_t free_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

class MpiHuge : public testing::Test {
 protected:
  Communicator& comm_ = communicator_on(fitting_networks().front());
};

TEST_F(MpiHuge, distances_are_no_sizes) {
  constexpr std::size_t apart = (std::size_t{1} << 31) + 4096;
  MPI_Datatype far = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, static_cast<MPI_Aint>(apart), &far);
  MPI_Type_commit(&far);
  const int rank = comm_.rank(), size = comm_.size(), root = size - 1;
  const Zeros ours(3 * apart), results(3 * apart);
  for (std::size_t i = 0; i < 3; ++i) ours.at(i * apart) = 10 * rank + static_cast<int>(i);

  EXPECT_EQ(comm_.allreduce(&ours.at(0), &results.at(0), 3, far, handle_of(Op::add)), MPI_SUCCESS);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(results.at(i * apart), 5 * size * (size - 1) + static_cast<int>(i) * size);
  EXPECT_EQ(comm_.broadcast(&ours.at(0), 3, far, root), MPI_SUCCESS);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ours.at(i * apart), 10 * root + static_cast<int>(i));

  MPI_Type_free(&far);
}

TEST_F(MpiHuge, counts_of_nothing_are_nothing) {
  MPI_Datatype nothing = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  constexpr MPI_Count many = MPI_Count{1} << 40;
  int value = 7;

  EXPECT_EQ(comm_.broadcast(&value, many, nothing, 0), MPI_SUCCESS);
  EXPECT_EQ(comm_.alltoall(nullptr, many, nothing, nullptr, 2 * many, nothing), MPI_SUCCESS);
  EXPECT_EQ(comm_.allreduce(MPI_IN_PLACE, &value, many, nothing, handle_of(Op::add)), MPI_SUCCESS);
  EXPECT_EQ(comm_.reduce(&value, nullptr, many, nothing, handle_of(Op::compose), 0), MPI_SUCCESS);
  EXPECT_EQ(value, 7);

  MPI_Type_free(&nothing);
}

TEST_F(MpiHuge, blocks_are_cut) {
  constexpr std::size_t bytes = (std::size_t{1} << 31) + 12;
  int enough = comm_.size() == 2 && free_bytes() > (std::uint64_t{8} << 30) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (enough == 0) GTEST_SKIP() << "needs 2 ranks and 8 GiB of free memory";
  const Zeros block(bytes);
  for (std::size_t at = 0; at < bytes; at += 1 << 20)
    block.at(at) = comm_.rank() * 5000 + static_cast<int>(at >> 20);
  block.at(bytes - 4) = comm_.rank() + 77;

  EXPECT_EQ(comm_.broadcast(&block.at(0), bytes, MPI_BYTE, 1), MPI_SUCCESS);

  int wrong = 0;
  for (std::size_t at = 0; at < bytes; at += 1 << 20)
    wrong += block.at(at) != 5000 + static_cast<int>(at >> 20);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(block.at(bytes - 4), 78);
}

// One element, with gaps, of more bytes than MPI_Pack counts.
TEST_F(MpiHuge, elements_are_packed_by_blocks) {
  constexpr int block = 1 << 20, blocks = 2049;
  constexpr std::size_t stride = block + 4096, data = std::size_t{blocks} * block;
  const bool packs = comm_.rank() == 0 && free_bytes() > (std::uint64_t{7} << 30);
  if (!packs) GTEST_SKIP() << "rank 0 packs, if it has 7 GiB of free memory";
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(blocks, block, static_cast<MPI_Aint>(stride), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const Datatype known = Datatype::of(type);
  const Zeros ours(blocks * stride), packed(data), theirs(blocks * stride);
  for (std::size_t i = 0; i < blocks; ++i) ours.at(i * stride + 8) = static_cast<int>(i);
  auto* const bytes = reinterpret_cast<std::byte*>(&packed.at(0));

  pack(&ours.at(0), 1, known, bytes, MPI_COMM_SELF);
  unpack(bytes, &theirs.at(0), 1, known, MPI_COMM_SELF);

  int wrong = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const int expected = static_cast<int>(i);
    wrong += packed.at(i * block + 8) != expected || theirs.at(i * stride + 8) != expected;
  }
  EXPECT_EQ(wrong, 0);
  MPI_Type_free(&type);
}

}  // namespace
}  // namespace isotrope::mpi
