# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# The MPI libraries for which the runtime is built, the flavours: by default those of ISOTROPE_MPI_FLAVOURS that pkg-config
# finds, side by side; with -DMPI_C_COMPILER=/path/to/mpicc, only the library of that compiler wrapper, of any vendor.
#
# For each flavour there is a target isotrope_mpi_api_FLAVOUR, which has the C interface of the library, and the cache entry
# ISOTROPE_FLAVOUR_VERSION, the first line of what the library calls itself.

set(isotrope_openmpi_module ompi-c)
set(isotrope_mpich_module mpich)
set(isotrope_smpi_module simgrid)

# isotrope_mpi_api(FLAVOUR INCLUDES LIBRARIES): the target isotrope_mpi_api_FLAVOUR.
function(isotrope_mpi_api flavour includes libraries)
  set(target isotrope_mpi_api_${flavour})
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${includes})
  target_link_libraries(${target} INTERFACE ${libraries})
  # The C++ bindings of MPI 2 are gone from the standard.
  target_compile_definitions(${target} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endfunction()

# isotrope_mpi_by_pkg_config(FLAVOUR): the same, if the library is installed.
function(isotrope_mpi_by_pkg_config flavour)
  pkg_check_modules(${flavour} QUIET ${isotrope_${flavour}_module})
  if(${flavour}_FOUND)
    isotrope_mpi_api(${flavour} "${${flavour}_INCLUDE_DIRS}" "${${flavour}_LINK_LIBRARIES}")
  else()
    message(STATUS "No ${flavour}: its runtime is not built")
  endif()
endfunction()

# isotrope_ask_mpi(RESULT INCLUDES LIBRARIES): the first line of what the library calls itself. Asking needs no mpirun.
function(isotrope_ask_mpi result includes libraries)
  try_run(status compiled ${PROJECT_BINARY_DIR}/CMakeFiles/isotrope_mpi ${PROJECT_SOURCE_DIR}/cmake/mpi_library_version.c
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${includes}"
    LINK_LIBRARIES ${libraries}
    COMPILE_OUTPUT_VARIABLE messages
    RUN_OUTPUT_VARIABLE version)
  unset(status CACHE)
  unset(compiled CACHE)
  string(REGEX REPLACE "\n.*" "" version "${version}")
  if(NOT version)
    message(FATAL_ERROR "A program for the MPI library in ${libraries} cannot be built or run here: give a compiler wrapper "
      "of this machine as -DMPI_C_COMPILER.\n${messages}")
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# isotrope_mpi_flavour(RESULT VERSION): a name of the library for folders and targets.
function(isotrope_mpi_flavour result version)
  set(flavour mpi)
  foreach(pair openmpi=Open.MPI intelmpi=Intel mvapich2=MVAPICH craympich=CRAY|Cray mpich=MPICH)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 pattern)
    if(version MATCHES "${pattern}")
      set(flavour ${name})
      break()
    endif()
  endforeach()
  set(${result} ${flavour} PARENT_SCOPE)
endfunction()

# isotrope_mpi_launcher_beside(RESULT WRAPPER): the mpirun that belongs to an mpicc, such as mpirun.mpich to mpicc.mpich; else
# what FindMPI has found, which may belong to another library.
function(isotrope_mpi_launcher_beside result wrapper)
  find_program(path ${wrapper} NO_CACHE)
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(name ${path} NAME)
  string(REPLACE mpicc mpirun name ${name})
  if(EXISTS ${folder}/${name})
    set(${result} ${folder}/${name} PARENT_SCOPE)
  else()
    set(${result} ${MPIEXEC_EXECUTABLE} PARENT_SCOPE)
  endif()
endfunction()

# isotrope_find_mpi(): sets the global property isotrope_mpi_flavours, and isotrope_mpi_launcher if a wrapper is given.
function(isotrope_find_mpi)
  set(flavours)
  if(MPI_C_COMPILER)
    find_package(MPI REQUIRED COMPONENTS C)
    isotrope_ask_mpi(version "${MPI_C_INCLUDE_DIRS}" "${MPI_C_LIBRARIES}")
    isotrope_mpi_flavour(flavours "${version}")
    isotrope_mpi_api(${flavours} "${MPI_C_INCLUDE_DIRS}" "${MPI_C_LIBRARIES};${MPI_C_LINK_FLAGS}")
    isotrope_mpi_launcher_beside(launcher ${MPI_C_COMPILER})
    set_property(GLOBAL PROPERTY isotrope_mpi_launcher ${launcher})
    set(ISOTROPE_${flavours}_VERSION "${version}" CACHE INTERNAL "")
  else()
    foreach(flavour IN LISTS ISOTROPE_MPI_FLAVOURS)
      isotrope_mpi_by_pkg_config(${flavour})
      if(TARGET isotrope_mpi_api_${flavour})
        list(APPEND flavours ${flavour})
        get_target_property(includes isotrope_mpi_api_${flavour} INTERFACE_INCLUDE_DIRECTORIES)
        get_target_property(libraries isotrope_mpi_api_${flavour} INTERFACE_LINK_LIBRARIES)
        isotrope_ask_mpi(version "${includes}" "${libraries}")
        set(ISOTROPE_${flavour}_VERSION "${version}" CACHE INTERNAL "")
      endif()
    endforeach()
  endif()
  foreach(flavour IN LISTS flavours)
    message(STATUS "MPI library ${flavour}: ${ISOTROPE_${flavour}_VERSION}")
  endforeach()
  set_property(GLOBAL PROPERTY isotrope_mpi_flavours ${flavours})
endfunction()
