# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# For each configuration in a cards/*/card.toml a target NAME, which is built only if it is asked
# for: its model, and the library nics/NAME.so with it, which the programs load by name.
# python/ullnic/cards.py reads the files.
file(GLOB ullnic_card_files CONFIGURE_DEPENDS ${ULLNIC_ROOT}/cards/*/card.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ullnic_card_files}
  ${ULLNIC_ROOT}/python/ullnic/card_file.py ${ULLNIC_ROOT}/python/ullnic/cards.py)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -I -B ${ULLNIC_ROOT}/python/ullnic/isolated.py ullnic.cards
  OUTPUT_VARIABLE ullnic_nic_lines OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" ullnic_nic_lines "${ullnic_nic_lines}")

# `line`: what cards.py prints of a card.
function(ullnic_nic line)
  string(REPLACE "|" ";" fields "${line}")
  list(POP_FRONT fields name kind top file_list pma_bits ports tcp_enables timing_port
    crossing transceiver_ui rule switches parameters)
  string(REPLACE " " ";" parameters "${parameters}")
  string(REGEX REPLACE "^-$" "" rule "${rule}")
  string(REGEX REPLACE "^-$" "" switches "${switches}")
  list(APPEND ULLNIC_VERILATOR_CONFIG ${CMAKE_CURRENT_SOURCE_DIR}/src/nic/card_time.vlt)
  ullnic_verilate(model_${name} ${top} ${ULLNIC_ROOT}/${file_list} ${parameters})
  add_library(${name} MODULE EXCLUDE_FROM_ALL src/nic/nic_entry.cc)
  target_compile_definitions(${name} PRIVATE
    ULLNIC_NIC_NAME="${name}"
    ULLNIC_NIC_KIND="${kind}"
    ULLNIC_NIC_PMA_BITS=${pma_bits}
    ULLNIC_NIC_PORTS=${ports}
    ULLNIC_NIC_TCP_ENABLES=${tcp_enables}
    ULLNIC_NIC_TIMING_PORT=${timing_port}
    ULLNIC_NIC_CROSSING=${crossing}
    ULLNIC_NIC_TRANSCEIVER_UI=${transceiver_ui}
    ULLNIC_NIC_TRADE_RULE="${rule}"
    ULLNIC_NIC_SWITCHES=${switches}
    ULLNIC_NIC_MODEL=Vmodel_${name}
    ULLNIC_NIC_HEADER="Vmodel_${name}.h"
    ULLNIC_NIC_ROOT_HEADER="Vmodel_${name}___024root.h"
    ULLNIC_NIC_TIME=${top}__DOT__u_chassis__DOT__now_q)
  target_link_libraries(${name} PRIVATE ullnic_nic_ports model_${name})
  set_target_properties(${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/nics)
  set_target_properties(model_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
endfunction()

# Those of fuzzers are for src/fuzz/sources.cmake.
set(ullnic_nic_fuzzers ${ullnic_nic_lines})
list(FILTER ullnic_nic_fuzzers INCLUDE REGEX "^fuzz[|]")
list(FILTER ullnic_nic_lines EXCLUDE REGEX "^fuzz[|]")
# ullnic_mapped_NAME: parameters of a [mapped.NAME], for src/stack/sources.cmake.
set(ullnic_mapped_lines ${ullnic_nic_lines})
list(FILTER ullnic_mapped_lines INCLUDE REGEX "^mapped[|]")
list(FILTER ullnic_nic_lines EXCLUDE REGEX "^mapped[|]")
foreach(line ${ullnic_mapped_lines})
  string(REPLACE "|" ";" fields "${line}")
  list(POP_FRONT fields mark name parameters)
  string(REPLACE " " ";" ullnic_mapped_${name} "${parameters}")
endforeach()
foreach(line ${ullnic_nic_lines})
  ullnic_nic("${line}")
endforeach()
