# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# A recipe for Spack, for a repository of one's own: var/spack/repos/mine/packages/isotrope/package.py. There is no release
# yet, so the sources are a checkout: `spack dev-build isotrope@main` in it.
from spack.package import *


class Isotrope(CMakePackage):
    """Collective communication on symmetric direct networks: planned, proved, executed."""

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Build the MPI runtime and the drop-in library")
    variant("shared", default=True, description="Install shared libraries")

    depends_on("c", type="build", when="+mpi")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.9:", type="build")
    depends_on("fmt@9:")
    depends_on("libcbor")
    depends_on("mpi@3.1:", when="+mpi")

    conflicts("%gcc@:10", msg="Isotrope needs C++20 as of GCC 11")
    conflicts("%clang@:13", msg="Isotrope needs C++20 as of Clang 14")

    def cmake_args(self):
        args = [
            self.define("ISOTROPE_BUILD_TESTS", False),
            self.define("ISOTROPE_BUILD_BENCHMARKS", False),
            self.define_from_variant("ISOTROPE_BUILD_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc))
        return args
