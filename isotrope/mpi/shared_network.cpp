// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/shared_network.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/network_file.hpp"
#include "isotrope/io/text_file.hpp"

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

// One text is right or wrong on all ranks alike. A file that rank 0 cannot read is an error of all ranks, of which rank 0
// knows the reason.
network::NamedNetwork network_of_shared_file(const std::string& file, MPI_Comm comm) {
  std::string text, error_text = fmt::format("{}: empty, or rank 0 cannot read it", excerpt(file));
  if (rank_in(comm) == 0) {
    try {
      text = io::read_text(file);
    } catch (const Error& error) {
      error_text = error.what();
    }
  }
  text = shared_text(std::move(text), comm);
  if (text.empty()) throw Failure(MPI_ERR_ARG, error_text);
  return io::parse_network_file(file, text).named;
}

}  // namespace

std::string shared_text(std::string text, MPI_Comm comm) {
  int length = static_cast<int>(text.size());
  require_success(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "sharing a text of rank 0");
  text.resize(static_cast<std::size_t>(length));
  require_success(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "sharing a text of rank 0");
  return text;
}

network::NamedNetwork shared_network(const std::string& name, MPI_Comm comm) {
  if (!io::names_network_file(name)) return network::parse_named(name);
  require_communicator(comm);
  return network_of_shared_file(name, comm);
}

}  // namespace isotrope::mpi
