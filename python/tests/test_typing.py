# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""The types: the package is correct by mypy, and the stubs have what the module has."""
import os
import pathlib
import subprocess
import sys

import pytest

import isotrope

PACKAGE = pathlib.Path(isotrope.__file__).parent
SETTINGS = str(pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml")


def run(*arguments, tmp_path):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "MYPY_CACHE_DIR": str(tmp_path)}
    result = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, env=environment,
                            cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


def test_mypy_finds_nothing(tmp_path):
    run("mypy", "--config-file", SETTINGS, "--strict", "-p", "isotrope", tmp_path=tmp_path)


def test_mypy_refuses_a_wrong_call(tmp_path):
    (tmp_path / "wrong.py").write_text("import isotrope\nisotrope.plan('ring:4', 'alltoall', bites=7)\n")
    with pytest.raises(AssertionError, match="bites"):
        run("mypy", "--config-file", SETTINGS, "wrong.py", tmp_path=tmp_path)


def test_stubs_name_what_the_module_has(tmp_path):
    # Classes have the metaclass of pybind11, and an __init__ that only raises.
    (tmp_path / "allowed").write_text(r"isotrope\._isotrope\.[A-Z]\w+(\.__init__)?")
    run("mypy.stubtest", "--mypy-config-file", SETTINGS, "--allowlist", str(tmp_path / "allowed"), "isotrope._isotrope",
        tmp_path=tmp_path)


def test_everything_public_has_a_docstring():
    for name in isotrope.__all__:
        thing = getattr(isotrope, name)
        assert name == "__version__" or thing.__doc__, name
