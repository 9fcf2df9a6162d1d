// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network that a program or an environment names, on all ranks alike: rank 0 reads a network file for all of them, as a
// file may be missing, or another one, on other hosts.
#pragma once

#include <mpi.h>
#include <string>

#include "isotrope/network/parse.hpp"

namespace isotrope::mpi {

/// The text of rank 0, on all ranks of `comm`. Collective.
std::string shared_text(std::string text, MPI_Comm comm);

/// The network called `name`, or that of the network file of this name. Collective if the name ends in .json; all ranks give
/// the same name.
/// @throws Error, on all ranks or on none: the name or the file is none of a network
network::NamedNetwork shared_network(const std::string& name, MPI_Comm comm);

}  // namespace isotrope::mpi
