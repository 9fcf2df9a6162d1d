# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""The examples print exactly this."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"

PRINTED = {
    "plan_and_verify.py": """\
isotropic-total-exchange: 128 rounds, at least 128 needed, optimal: True
packets over the ports of node 0: [64, 64, 64, 64, 128, 128]
""",
    "compare_algorithms.py": """\
  bytes               algorithm  segments
      8 binomial-tree-broadcast         1
   4096 binomial-tree-broadcast         1
4194304   capped-msbt-broadcast        32
""",
    "own_algorithm.py": """\
chain: 8 rounds, valid: True, bound: 6
backwards: 5 rounds
algorithm chain: it needs a ring (networks: any; ports: any)
""",
}


@pytest.mark.parametrize("example", PRINTED)
def test_prints_exactly(example):
    result = subprocess.run([sys.executable, EXAMPLES / example], capture_output=True, text=True, env=os.environ)
    assert (result.returncode, result.stderr, result.stdout) == (0, "", PRINTED[example])


def test_every_example_is_tested():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {*PRINTED, "mpi_allreduce.py"}
