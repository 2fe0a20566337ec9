# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# For each measured configuration of cores/macpcs/configs.toml a target NAME: its model, and the library
# cards/NAME.so with it, which the programs load by name. Those without `run` are built only if they are asked for. For each one in random_cards/list.txt, which ./ullnic soak writes, a target NAME too, which is built
# only if it is asked for, and random_cards/NAME.so.
set(ullnic_random_folder ${CMAKE_BINARY_DIR}/random_cards)
set(ullnic_random_list ${ullnic_random_folder}/list.txt)
if(NOT EXISTS ${ullnic_random_list})
  file(WRITE ${ullnic_random_list} "")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${ULLNIC_ROOT}/python/ullnic/configs.py ${ullnic_random_list} ${ULLNIC_ROOT}/reference/transceiver.csv)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -I -B ${ULLNIC_ROOT}/python/ullnic/isolated.py ullnic.configs
  OUTPUT_VARIABLE ullnic_config_lines OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" ullnic_config_lines "${ullnic_config_lines}")
file(STRINGS ${ullnic_random_list} ullnic_random_lines)

# `line`: what configs.py prints of a configuration.
function(ullnic_card line folder)
  string(REPLACE "|" ";" fields "${line}")
  list(GET fields 0 name)
  list(GET fields 1 tx_user_clock)
  list(GET fields 2 rx_user_clock)
  list(GET fields 3 transceiver_ui)
  list(GET fields 4 parameters)
  list(GET fields 5 in_all)
  string(REPLACE " " ";" parameter_list "${parameters}")
  list(APPEND parameter_list ${ULLNIC_RTL_PARAMETERS})
  list(JOIN parameter_list " " parameters)
  ullnic_verilate(model_${name} link_card ${ULLNIC_RTL_F} ${parameter_list})
  add_library(${name} MODULE src/card/card_entry.cc)
  target_compile_definitions(${name} PRIVATE
    ULLNIC_CARD_NAME="${name}"
    ULLNIC_CARD_PARAMETERS="${parameters}"
    ULLNIC_CARD_TX_USER_CLOCK="${tx_user_clock}"
    ULLNIC_CARD_RX_USER_CLOCK="${rx_user_clock}"
    ULLNIC_CARD_TRANSCEIVER_UI=${transceiver_ui}
    ULLNIC_CARD_MODEL=Vmodel_${name}
    ULLNIC_CARD_HEADER="Vmodel_${name}.h")
  target_link_libraries(${name} PRIVATE ullnic_link_end model_${name})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${folder})
  if(in_all)
    set(ULLNIC_CARDS ${ULLNIC_CARDS} ${name} PARENT_SCOPE)
  else()
    set_target_properties(${name} model_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

set(ULLNIC_CARDS)  # of `all`
foreach(line ${ullnic_config_lines})
  ullnic_card("${line}" ${CMAKE_BINARY_DIR}/cards)
endforeach()
foreach(line ${ullnic_random_lines})
  ullnic_card("${line}" ${ullnic_random_folder})
endforeach()
