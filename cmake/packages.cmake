# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Debian packages by CPack, one a component (`make packages`): isotrope, isotrope-FLAVOUR for each MPI library,
# libisotrope-dev, with ISOTROPE_BUILD_PYTHON python3-isotrope, and with BUILD_SHARED_LIBS libisotrope0.1. They are for one's own machines: an archive of a
# distribution builds packages in its own way.
set(ISOTROPE_PACKAGE_MAINTAINER "The Isotrope authors <isotrope@users.noreply.github.com>" CACHE STRING
  "The maintainer whom the Debian packages name")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME isotrope)
set(CPACK_PACKAGE_VENDOR "The Isotrope authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${ISOTROPE_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What Debian wants in every package, and no other installation.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
set(CPACK_ISOTROPE_SOURCE ${PROJECT_SOURCE_DIR})

set(components)
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# isotrope_package(COMPONENT NAME SUMMARY TEXT DEPENDS)
macro(isotrope_package component name summary text depends)
  string(TOUPPER ${component} upper)
  list(APPEND components ${component})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_ISOTROPE_PACKAGE_${component} ${name})
endmacro()

isotrope_package(cli isotrope "plans, proves and executes collective communication"
  "Isotrope plans collective communication on symmetric direct networks:
hypercubes, tori, hexagonal meshes and other Cayley graphs. Every plan
states a lower bound on its rounds, and an independent checker recomputes
bound and verdict.

This package contains the program, its manual pages, completion for
shells, and machine files."
  "")
set(runtime_packages "isotrope ${same_version}")
set(library_packages "libfmt-dev, libcbor-dev")
if(BUILD_SHARED_LIBS)
  set(shared_package libisotrope${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(library_packages "${shared_package} ${same_version}")
  string(APPEND runtime_packages ", ${library_packages}")
  isotrope_package(libraries ${shared_package} "plans and proves collective communication, shared library"
    "Isotrope plans collective communication on symmetric direct networks.

This package contains the library for C++ programs." "")
  set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/isotrope)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  foreach(component IN ITEMS libraries ${flavours})
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
  endforeach()
endif()
foreach(flavour IN LISTS flavours)
  isotrope_package(${flavour} isotrope-${flavour} "collective communication over MPI, for ${flavour}"
    "Isotrope executes collectives along the links of symmetric direct
networks.

This package contains the jobs of the program isotrope that run over the
MPI library ${flavour}, and the drop-in library that serves unmodified MPI
programs."
    "${runtime_packages}")
endforeach()
isotrope_package(development libisotrope-dev "plans and proves collective communication, for development"
  "Isotrope plans collective communication on symmetric direct networks.

This package contains the headers and libraries for C++ and C programs, the
CMake package, files for pkg-config, and examples."
  "${library_packages}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libopenmpi-dev | libmpich-dev")

if(ISOTROPE_BUILD_PYTHON)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  isotrope_package(python python3-isotrope "plans and proves collective communication, for Python"
    "Isotrope plans collective communication on symmetric direct networks.

This package contains the Python package isotrope: plans, checks, bounds,
simulations and comparisons, hops as views of NumPy, and pages that play
and prove a plan in Jupyter."
    "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # Bytecode is written when the package is installed, and goes with it.
  file(WRITE ${PROJECT_BINARY_DIR}/debian/postinst "#!/bin/sh\nset -e\n"
    "if [ \"$1\" = configure ]; then py3compile -p python3-isotrope; fi\n")
  file(WRITE ${PROJECT_BINARY_DIR}/debian/prerm "#!/bin/sh\nset -e\npy3clean -p python3-isotrope\n")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/postinst ${PROJECT_BINARY_DIR}/debian/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-networkx, python3-pandas, python3-mpi4py")
endif()

set(CPACK_COMPONENTS_ALL ${components})
include(CPack)
