# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Of the sources that Verilator made for MODEL writes DIR/MODEL__all.cc, which includes those that run each cycle, and
# DIR/MODEL__once.cc with those that run once, when the model is made: Verilator calls them Slow.
#
# Takes operator< of structs out of the headers. Nothing compares structs by it, and its std::tie of all members made up
# three quarters of what a header takes to parse, in each source of the model and in each of ours that includes it.
file(GLOB headers ${DIR}/${MODEL}*.h)
foreach(header ${headers})
  file(READ ${header} before)
  string(REGEX REPLACE "\n *bool operator<\\([^\n]*{\n[^\n]*\n[^\n]*\n *}\n" "\n" after "${before}")
  if(NOT after STREQUAL before)
    file(WRITE ${header} "${after}")
  endif()
endforeach()
file(GLOB sources RELATIVE ${DIR} ${DIR}/${MODEL}*.cpp)
set(all "// Made by OneSource.cmake.\n")
set(once ${all})
foreach(source ${sources})
  if(source MATCHES "__Slow\\.cpp$")
    string(APPEND once "#include \"${source}\"\n")
  else()
    string(APPEND all "#include \"${source}\"\n")
  endif()
endforeach()
file(WRITE ${DIR}/${MODEL}__all.cc "${all}")
file(WRITE ${DIR}/${MODEL}__once.cc "${once}")
