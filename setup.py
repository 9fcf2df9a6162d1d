# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package, built by CMake through scikit-build: only the layers that it needs, in few pieces."""
import pathlib
import re

from skbuild import setup

here = pathlib.Path(__file__).parent
version = re.search(r"project\(isotrope VERSION ([0-9.]+)", (here / "CMakeLists.txt").read_text()).group(1)

cmake_args = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DISOTROPE_BUILD_TESTS=OFF"]
try:  # in an isolated build; else CMake finds the system's
    import pybind11
    cmake_args.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
except ImportError:
    pass

setup(
    version=version,
    packages=["isotrope"],
    package_dir={"": "python"},
    package_data={"isotrope": ["py.typed", "*.pyi"]},
    cmake_args=cmake_args,
)
