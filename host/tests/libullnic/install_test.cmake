# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
set(prefix ${BUILD}/libullnic-installed)
file(REMOVE_RECURSE ${prefix})
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component libullnic
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${COMPILER} -std=c11 -Wall -Wextra -Wpedantic -Werror -I${prefix}/include ${PROGRAM}
    -L${prefix}/${LIBDIR} -lullnic -Wl,-rpath,${prefix}/${LIBDIR} -o ${prefix}/program
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${prefix}/program COMMAND_ERROR_IS_FATAL ANY)
