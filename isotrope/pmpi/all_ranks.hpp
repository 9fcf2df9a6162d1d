// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The drop-in begins and serves together on all ranks, so all ranks must have it preloaded.
#pragma once

namespace isotrope::pmpi {

/// Waits until all ranks of MPI_COMM_WORLD have called this. A rank that has waited for ten seconds says so on standard
/// error, and what the reason may be: there is no way to learn from a rank without the drop-in that it has none.
void await_all_ranks();

}  // namespace isotrope::pmpi
