# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DFROM=A -DTO=B -DNM=nm -DOBJCOPY=objcopy -P call_pmpi.cmake: copies the static library A to B, which calls PMPI_Send
# if A calls MPI_Send, and so for every function of MPI that A calls and does not define.

execute_process(COMMAND ${NM} --undefined-only --format=posix ${FROM} OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
# Names of data and constants have no small letters: MPI_UNWEIGHTED.
string(REGEX MATCHALL "(^|\n)MPIX?_[A-Z]+[a-z][A-Za-z_]*" names "${undefined}")
list(REMOVE_DUPLICATES names)
set(renamed "")
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  string(APPEND renamed "${name} P${name}\n")
endforeach()
file(WRITE ${TO}.names "${renamed}")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${TO}.names ${FROM} ${TO} COMMAND_ERROR_IS_FATAL ANY)
