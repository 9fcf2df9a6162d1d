// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rivals by name.
//
//     broadcast        binomial, bine, scatter-allgather, scatter-ring, bine-scatter-allgather
//     reduce           binomial, bine, rabenseifner
//     reduce-scatter   ring, bucket, recursive-halving, swing, trivance
//     allgather        ring, bucket, recursive-doubling, swing, trivance
//     allreduce        ring, bucket, recursive-doubling, rabenseifner, swing-latency, swing-bandwidth,
//                      trivance-latency, trivance-bandwidth
//     alltoall         linear, pairwise, bruck
//
// A name alone is the form over one port, with one chain. Other forms cut the data into equal parts, each with a chain
// of its own: with the suffix -two for the first two axes to begin with (on one axis: for both directions), with -all
// for every axis to begin with, plain and mirrored. Bine's butterflies have the partners of Swing and so its name.
// Allreduces by doubling on numbers of ranks other than powers of 2 first fold the surplus ranks into the others. The
// published extensions of Swing and Trivance to other extents are left out: there these rivals do not apply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/simgrid/rivals/program.hpp"

namespace judge::rivals {

/// All names for the collective.
std::vector<std::string> names(const std::string& collective);

/// The messages of `rank`; nothing if the rival does not apply to the network.
/// @throws std::runtime_error if the name is unknown.
std::optional<Program> program(const std::string& collective, const std::string& name,
                               const std::string& network, int ranks, int rank);

}  // namespace judge::rivals
