// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <algorithm>

namespace isotrope::mpi {
namespace {

constexpr MPI_Aint guard = 64;

}  // namespace

Memory::Memory(MPI_Datatype type, std::int64_t count) : type_(type), count_(static_cast<int>(count)) {
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  const MPI_Aint last = count > 0 ? (count - 1) * extent : 0;
  const MPI_Aint first = true_lower + std::min<MPI_Aint>(last, 0);
  const MPI_Aint end = true_lower + true_extent + std::max<MPI_Aint>(last, 0);
  origin_ = static_cast<std::size_t>(guard - first + (first % guard + guard) % guard);
  bytes_.assign(origin_ + static_cast<std::size_t>(end + guard), filling);
}

int Memory::packed_bytes() const {
  int size = 0;
  MPI_Type_size(type_, &size);
  return size * count_;
}

std::vector<int> Memory::ints() const {
  std::vector<int> values(static_cast<std::size_t>(packed_bytes()) / sizeof(int));
  int position = 0;
  if (values.empty()) return values;  // Open MPI refuses null buffers even for nothing
  MPI_Pack(bytes_.data() + origin_, count_, type_, values.data(), packed_bytes(), &position, MPI_COMM_SELF);
  return values;
}

void Memory::set(const std::vector<int>& values) {
  int position = 0;
  if (values.empty()) return;
  MPI_Unpack(values.data(), packed_bytes(), &position, address(), count_, type_, MPI_COMM_SELF);
}

bool Memory::gaps_are_whole() const {
  Memory erased = *this;
  int filled = 0;
  std::fill_n(reinterpret_cast<std::byte*>(&filled), sizeof(int), filling);
  erased.set(std::vector<int>(static_cast<std::size_t>(packed_bytes()) / sizeof(int), filled));
  return std::ranges::all_of(erased.bytes_, [](std::byte byte) { return byte == filling; });
}

}  // namespace isotrope::mpi
