# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Manual pages and shell completion. The program writes them itself when it is built, so that they say what it takes.

# isotrope_program_pages(TARGET): of the program `isotrope`. If it cannot run on this machine and there is no
# CMAKE_CROSSCOMPILING_EMULATOR, there are none.
function(isotrope_program_pages target)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D "PROGRAM=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:${target}>"
      -P ${PROJECT_SOURCE_DIR}/cmake/write_pages.cmake
    VERBATIM)
  install(DIRECTORY ${folder}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cli)
  install(FILES ${folder}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME isotrope COMPONENT cli)
  install(FILES ${folder}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME isotrope.fish
    COMPONENT cli)
  install(FILES ${folder}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _isotrope COMPONENT cli)
endfunction()

