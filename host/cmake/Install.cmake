# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# What is installed of a library or a program, and what comes with it. All paths in it are relative, so the installed
# tree may be moved.
set(ULLNIC_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/ullnic)  # of find_package()
set(ULLNIC_CMAKE ${CMAKE_CURRENT_LIST_DIR})

# ullnic_install_library(LIBRARY DESCRIPTION COMPONENT NAME) installs a library that programs link to, with LIBRARY.pc
# for pkg-config and the target ullnic::LIBRARY for find_package(ullnic).
function(ullnic_install_library library description COMPONENT component)
  install(TARGETS ${library} EXPORT ullnic-${library}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ullnic-${library} NAMESPACE ullnic:: FILE ${library}-targets.cmake
    DESTINATION ${ULLNIC_PACKAGE} COMPONENT ${component})

  set(folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH prefix ${folder} ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH libraries ${folder} ${CMAKE_INSTALL_FULL_LIBDIR})
  file(RELATIVE_PATH headers ${folder} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  set(PKG_NAME ${library})
  set(PKG_DESCRIPTION ${description})
  configure_file(${ULLNIC_CMAKE}/library.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT ${component})
  set_property(GLOBAL APPEND PROPERTY ULLNIC_INSTALLED_LIBRARIES ${library})
endfunction()

# The CMake package: the libraries that are installed of those above. It is part of the component of libullnic.
function(ullnic_install_cmake_package)
  include(CMakePackageConfigHelpers)
  get_property(ULLNIC_INSTALLED_LIBRARIES GLOBAL PROPERTY ULLNIC_INSTALLED_LIBRARIES)
  list(JOIN ULLNIC_INSTALLED_LIBRARIES ", " ULLNIC_LIBRARY_NAMES)
  configure_file(${ULLNIC_CMAKE}/ullnic-config.cmake.in ${CMAKE_BINARY_DIR}/ullnic-config.cmake @ONLY)
  # As the libraries' SONAME has it.
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/ullnic-config-version.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/ullnic-config.cmake ${CMAKE_BINARY_DIR}/ullnic-config-version.cmake
    DESTINATION ${ULLNIC_PACKAGE} COMPONENT libullnic)
endfunction()

# ullnic_man_page(NAME SECTION FILE) makes and installs the manual page of a program, of what its --help says. FILE may
# be a generator expression.
function(ullnic_man_page name section file)
  set_property(GLOBAL APPEND PROPERTY ULLNIC_MAN_PAGES ${name}.${section})
  set_property(GLOBAL PROPERTY ULLNIC_PROGRAM_${name} ${file})
endfunction()

# The manual pages of the programs above. They are made by running the programs, so not where that cannot be done.
function(ullnic_install_man_pages)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(CMAKE_CROSSCOMPILING OR NOT Python3_FOUND)
    message(STATUS "no manual pages: they take Python 3, and a build for this machine")
    return()
  endif()
  get_property(pages GLOBAL PROPERTY ULLNIC_MAN_PAGES)
  foreach(page ${pages})
    cmake_path(GET page STEM name)
    cmake_path(GET page EXTENSION LAST_ONLY section)
    get_property(file GLOBAL PROPERTY ULLNIC_PROGRAM_${name})
    set(output ${CMAKE_BINARY_DIR}/man/${page}.gz)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
        ${Python3_EXECUTABLE} -I ${ULLNIC_CMAKE}/man_page.py ${file} ${output} ${pages}
      DEPENDS ${file} ${ULLNIC_CMAKE}/man_page.py
      VERBATIM)
    list(APPEND outputs ${output})
    string(SUBSTRING ${section} 1 -1 section)
    install(FILES ${output} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
  add_custom_target(ullnic-man ALL DEPENDS ${outputs})
endfunction()
