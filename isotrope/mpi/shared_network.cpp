// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/shared_network.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/network_file.hpp"
#include "isotrope/io/text_file.hpp"

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
std::string shared_text(std::string text, MPI_Comm comm) {
  int length = std::in_range<int>(text.size()) ? static_cast<int>(text.size()) : -1;
  require_success(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "sharing a text of rank 0");
  if (length < 0) throw Failure(MPI_ERR_ARG, "a file of 2 GiB or more: give a shorter one");
  text.resize(static_cast<std::size_t>(length));
  require_success(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "sharing a text of rank 0");
  return text;
}

// A file that rank 0 cannot read is an error of all ranks, of which rank 0 knows the reason. Readers find the same text right
// or wrong on all of them.
std::string shared_file(const std::string& file, MPI_Comm comm) {
  require_communicator(comm);
  std::string text, error_text = fmt::format("{}: empty, or rank 0 cannot read it", excerpt(file));
  if (rank_in(comm) == 0) {
    try {
      text = io::read_text(file);
    } catch (const Error& error) {
      const std::string_view what = error.what();  // begins with the path
      error_text = fmt::format("{}{}", excerpt(file), what.substr(file.size()));
    }
  }
  text = shared_text(std::move(text), comm);
  if (text.empty()) throw Failure(MPI_ERR_ARG, error_text);
  return text;
}

network::NamedNetwork shared_network(const std::string& name, MPI_Comm comm) {
  return io::named_network(name, [comm](const std::string& file) { return shared_file(file, comm); });
}

std::optional<network::RankMap> map_of_same_ranks(const network::RankMap& world, MPI_Comm comm) {
  const int size = size_of(comm);
  if (size != size_of(MPI_COMM_WORLD)) return std::nullopt;
  std::vector<int> own(static_cast<std::size_t>(size)), ranks(own.size());
  std::iota(own.begin(), own.end(), 0);
  MPI_Group group = MPI_GROUP_NULL, world_group = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world_group);
  MPI_Group_translate_ranks(group, size, own.data(), world_group, ranks.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world_group);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return std::nullopt;
  std::vector<network::Node> nodes;
  for (const int rank : ranks) nodes.push_back(world.node_of(static_cast<network::Rank>(rank)));
  return network::RankMap(std::move(nodes));
}

}  // namespace isotrope::mpi
