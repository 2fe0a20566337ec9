# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes DIR/MODEL__all.cc, which includes every source that Verilator made for MODEL.
file(GLOB sources RELATIVE ${DIR} ${DIR}/${MODEL}*.cpp)
set(text "// Made by OneSource.cmake.\n")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${DIR}/${MODEL}__all.cc "${text}")
