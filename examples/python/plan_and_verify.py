# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Plans the total exchange of a torus, checks the plan, and counts what every port of node 0 sends."""
import numpy

import isotrope

plan = isotrope.plan("torus:4x4x8", "alltoall")
report = isotrope.verify(plan)
print(f"{plan.algorithm}: {plan.rounds} rounds, at least {plan.bound.value} needed, optimal: {report.optimal}")

hops = plan.stages[0].hops
print("packets over the ports of node 0:", numpy.bincount(hops["port"]).tolist())
