-- SPDX-FileCopyrightText: The Isotrope authors
-- SPDX-License-Identifier: Apache-2.0
--
-- An environment module for Lmod: copy it to MODULEPATH/isotrope/0.1.0.lua and say where Isotrope is installed.
local prefix = "/opt/isotrope"

whatis("Name: Isotrope")
whatis("Version: 0.1.0")
whatis("Description: Collective communication on symmetric direct networks: planned, proved, executed")
help([[Programs: isotrope; man isotrope.
For an unmodified MPI program, preload ]] .. prefix .. [[/lib/isotrope/openmpi/libisotrope_pmpi.so.]])

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("XDG_DATA_DIRS", pathJoin(prefix, "share"))
