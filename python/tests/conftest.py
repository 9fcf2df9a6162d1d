# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def program():
    """The program isotrope of the same build."""
    path = os.environ.get("ISOTROPE_PROGRAM", "")
    if not pathlib.Path(path).is_file():
        pytest.fail(f"ISOTROPE_PROGRAM is {path!r}: give the path of the program isotrope")
    return path
