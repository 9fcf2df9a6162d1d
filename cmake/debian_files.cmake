# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Run by CPack before it packs: adds copyright and changelog to every package, compresses manual pages, and puts files
# to the places of Debian.
find_program(gzip gzip REQUIRED)

function(compress file)
  execute_process(COMMAND ${gzip} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr)
  set(package ${CPACK_ISOTROPE_PACKAGE_${component}})
  set(folder ${usr}/share/doc/${package})

  file(REMOVE ${folder}/LICENSE)  # Debian has a copy of the licence itself
  file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: isotrope

Files: *
Copyright: 2026 The Isotrope authors
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${folder}/changelog.Debian "isotrope (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}: the changes are in CHANGELOG.md of the sources.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
  compress(${folder}/changelog.Debian)

  file(GLOB pages ${usr}/share/man/man1/*.1)
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  file(GLOB site_packages ${usr}/lib/python3.*/site-packages)
  if(site_packages)
    file(MAKE_DIRECTORY ${usr}/lib/python3)
    file(RENAME ${site_packages} ${usr}/lib/python3/dist-packages)
    cmake_path(GET site_packages PARENT_PATH left)
    file(REMOVE_RECURSE ${left})
  endif()
  if(EXISTS ${usr}/share/zsh/site-functions)
    file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
  endif()
endforeach()
