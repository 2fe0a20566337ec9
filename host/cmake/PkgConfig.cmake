# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# ullnic_pkg_config(LIBRARY DESCRIPTION COMPONENT NAME) installs LIBRARY.pc. Its paths are relative to itself, so the
# installed tree may be moved.
function(ullnic_pkg_config library description COMPONENT component)
  set(folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH prefix ${folder} ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH libraries ${folder} ${CMAKE_INSTALL_FULL_LIBDIR})
  file(RELATIVE_PATH headers ${folder} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  set(PKG_NAME ${library})
  set(PKG_DESCRIPTION ${description})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/library.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT ${component})
endfunction()
