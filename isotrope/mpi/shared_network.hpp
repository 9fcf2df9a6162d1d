// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program or an environment names, on all ranks alike: rank 0 reads a file for all of
// them, as a file may be missing, or another one, on other hosts.
#pragma once

#include <mpi.h>
#include <optional>
#include <string>

#include "isotrope/network/rank_map.hpp"

namespace isotrope::mpi {

/// The text of rank 0, on all ranks of `comm`. Collective.
std::string shared_text(std::string text, MPI_Comm comm);

/// The text of a file that rank 0 reads, on all ranks. Collective; all ranks give the same name.
/// @throws Error, on all ranks or on none: the file is empty, or rank 0 cannot read it, of which it alone says why
std::string shared_file(const std::string& file, MPI_Comm comm);

/// The network called `name`, or that of the network file of this name. Collective if the name ends in .json; all ranks give
/// the same name.
/// @throws Error, on all ranks or on none: the name or the file is none of a network
network::NamedNetwork shared_network(const std::string& name, MPI_Comm comm);

/// The nodes of the ranks of `comm` by a map of MPI_COMM_WORLD; nothing unless these ranks are all those of MPI_COMM_WORLD,
/// in any order. Sends nothing.
std::optional<network::RankMap> map_of_same_ranks(const network::RankMap& world, MPI_Comm comm);

}  // namespace isotrope::mpi
