// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/channel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {

int largest_tag() {
  constexpr int least = 32767;  // the smallest upper bound that MPI allows
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0) return least;
  int* bound = nullptr;
  int is_set = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&bound), &is_set);
  return is_set == 0 ? least : *bound;
}

// MPI_Comm_create copies no attributes, so it runs no callbacks.
Channel Channel::of_its_own(MPI_Comm comm) {
  constexpr int most_tags = 1 << 20;  // more than all collectives and their chains need
  MPI_Group group = MPI_GROUP_NULL;
  require_success(MPI_Comm_group(comm, &group), "querying the group of a communicator");
  MPI_Comm created = MPI_COMM_NULL;
  const int code = MPI_Comm_create(comm, group, &created);
  MPI_Group_free(&group);
  require_success(code, "creating a communicator");
  MPI_Comm_set_errhandler(created, MPI_ERRORS_RETURN);
  Channel result(created, {}, 1, std::min(largest_tag(), most_tags));
  result.is_own_ = true;
  return result;
}

std::shared_ptr<const int> Channel::reserve_tag() {
  const auto most = static_cast<std::size_t>(tags_ / 2 / chains());
  const auto after = [=](std::size_t index) { return index + 1 == most ? 0 : index + 1; };
  reserved_->resize(most, false);
  std::size_t index = next_reserved_;
  for (std::size_t taken = 0; (*reserved_)[index]; index = after(index)) {
    if (++taken == most)
      throw Failure(MPI_ERR_OTHER,
                    fmt::format("{} persistent collectives exist on a communicator: free some first", most));
  }
  next_reserved_ = after(index);
  (*reserved_)[index] = true;
  const auto give_back = [reserved = reserved_, index](const int* tag) {
    (*reserved)[index] = false;
    delete tag;
  };
  return {new int(first_tag_ + calls() + static_cast<int>(index) * chains()), give_back};
}

Channel::~Channel() {
  if (!is_own_ || comm_ == MPI_COMM_NULL) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

}  // namespace isotrope::mpi
