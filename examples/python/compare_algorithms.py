# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""The fastest broadcast for each size on a hypercube of 64 nodes, as a table of pandas."""
import pandas

import isotrope

comparison = isotrope.compare("hypercube:6", "broadcast", bytes=["8", "4KiB", "4MiB"], ports="one",
                              machine=isotrope.machine(startup=2e-6, byte_time=1e-10))
table = pandas.DataFrame(comparison)
fastest = table[table.fastest]
print(fastest[["bytes", "algorithm", "segments"]].to_string(index=False))
