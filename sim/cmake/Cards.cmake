# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# For each configuration in python/ullnic/configs.py a target NAME: its model, and the library
# cards/NAME.so with it, which the programs load by name.
set(ullnic_configs ${ULLNIC_ROOT}/python/ullnic/configs.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${ullnic_configs} ${ULLNIC_ROOT}/reference/transceiver.csv)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -B ${ullnic_configs}
  OUTPUT_VARIABLE ullnic_config_lines OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" ullnic_config_lines "${ullnic_config_lines}")

set(ULLNIC_CARDS)
foreach(line ${ullnic_config_lines})
  string(REPLACE "|" ";" fields "${line}")
  list(GET fields 0 name)
  list(GET fields 1 tx_user_clock)
  list(GET fields 2 rx_user_clock)
  list(GET fields 3 transceiver_ui)
  list(GET fields 4 parameters)
  string(REPLACE " " ";" parameter_list "${parameters}")
  ullnic_verilate(model_${name} link_card ${ULLNIC_RTL_F} ${parameter_list} ${ULLNIC_RTL_PARAMETERS})
  add_library(${name} MODULE src/card/card_entry.cc)
  target_compile_definitions(${name} PRIVATE
    ULLNIC_CARD_NAME="${name}"
    ULLNIC_CARD_PARAMETERS="${parameters}"
    ULLNIC_CARD_TX_USER_CLOCK="${tx_user_clock}"
    ULLNIC_CARD_RX_USER_CLOCK="${rx_user_clock}"
    ULLNIC_CARD_TRANSCEIVER_UI=${transceiver_ui}
    ULLNIC_CARD_MODEL=Vmodel_${name}
    ULLNIC_CARD_HEADER="Vmodel_${name}.h")
  target_link_libraries(${name} PRIVATE ullnic_sim model_${name})
  set_target_properties(${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cards)
  list(APPEND ULLNIC_CARDS ${name})
endforeach()
