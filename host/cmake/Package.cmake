# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The Debian package: what `cmake --install` installs, made by the target `package` of a build that is configured for
# /usr.

# Who gets what: ours, and lwIP, which is a part of ullnicd.
set(ULLNIC_LWIP_COPYING "")
if(ULLNIC_SOCKETS)
  get_directory_property(lwip DIRECTORY sockets DEFINITION ULLNIC_LWIP)
  file(READ ${lwip}/COPYING copying)
  set(ULLNIC_LWIP_COPYING "\nullnicd contains lwIP:\n\n${copying}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${CMAKE_BINARY_DIR}/copyright @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/ullnic)

# With `package` of a build for another place, programs would look for their libraries where they are not.
if(NOT ULLNIC_SYSTEM_LIBRARIES)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ullnic)
set(CPACK_PACKAGE_VERSION ${ULLNIC_VERSION})
set(CPACK_PACKAGE_VENDOR "The ullnic authors")
# The project has no address for it: who builds packages for others gives their own.
set(CPACK_PACKAGE_CONTACT "The ullnic authors" CACHE STRING "maintainer of the Debian package: NAME <ADDRESS>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "host software of the ullnic low-latency network card")
set(CPACK_PACKAGE_DESCRIPTION "User-space driver, accelerated sockets for unchanged programs, libexanic's
calls, and tools for the card. No kernel module is needed.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
# The packages of the libraries that the programs are linked to, as dpkg-shlibdeps finds them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/triggers)

# Debian wants its own form of it. The date is that of the build, or SOURCE_DATE_EPOCH.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CMAKE_BINARY_DIR}/debian/changelog "ullnic (${ULLNIC_VERSION}) unstable; urgency=medium

  * CHANGELOG.md of the sources says what has changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(ARCHIVE_CREATE OUTPUT ${CMAKE_BINARY_DIR}/debian/changelog.gz PATHS ${CMAKE_BINARY_DIR}/debian/changelog
  FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME 1970-01-01)
install(FILES ${CMAKE_BINARY_DIR}/debian/changelog.gz DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/ullnic)
include(CPack)
