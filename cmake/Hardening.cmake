# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# What every program and library of the project is compiled and linked with, beside its own options: protections that
# cost nothing that can be measured (docs/hardening.md), or, instead, sanitizers. To be included after project().

option(ULLNIC_HARDENING "compile and link with the protections of compiler and linker" ON)
set(ULLNIC_UNOPTIMIZED -O0 -U_FORTIFY_SOURCE)  # for what runs once; fortified functions need optimization
set(ULLNIC_SANITIZE "" CACHE STRING
  "sanitizers instead, as for -fsanitize: address,undefined or thread (./ullnic test --sanitizers)")

if(ULLNIC_SANITIZE)
  # No fortified functions: they hide the plain ones from the sanitizers.
  add_compile_options("SHELL:-O1 -UNDEBUG -U_FORTIFY_SOURCE -fsanitize=${ULLNIC_SANITIZE}"
    -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ULLNIC_SANITIZE})
  # The compiler says of its own instrumentation that it may be uninitialised.
  add_compile_options(-Wno-maybe-uninitialized)
  return()
endif()
if(NOT ULLNIC_HARDENING)
  return()
endif()

include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
get_property(ullnic_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(CXX IN_LIST ullnic_languages)
  include(CheckCXXCompilerFlag)
else()
  include(CheckCCompilerFlag)
endif()

# Those that this compiler knows; it depends on the processor, too. clang only warns of those of other processors.
set(CMAKE_REQUIRED_FLAGS -Werror)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
    -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "ULLNIC_HAS${flag}" known)
  if(CXX IN_LIST ullnic_languages)
    check_cxx_compiler_flag(${flag} ${known})
  else()
    check_c_compiler_flag(${flag} ${known})
  endif()
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
add_compile_options(-Wformat -Werror=format-security)
# Needs optimisation. One option in two words: a target may undefine it again.
add_compile_options("$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>")
add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
