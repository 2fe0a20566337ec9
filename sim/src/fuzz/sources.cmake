# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzers of cores, built only if they are asked for. To be included where ullnic_program and ullnic_sim are known.
add_library(ullnic_fuzz STATIC EXCLUDE_FROM_ALL src/fuzz/main.cc)
target_compile_definitions(ullnic_fuzz PRIVATE ULLNIC_VERSION="${ULLNIC_VERSION}")
target_link_libraries(ullnic_fuzz PUBLIC ullnic_program ullnic_sim)

# `width`: of the transceiver.
ullnic_configuration(ullnic_ate_small ate small)
list(FILTER ullnic_ate_small EXCLUDE REGEX "^MIRROR_DEPTH=")  # the same at either width, which needs more with 16 bits
function(ullnic_fuzz_ate name width amend)
  list(APPEND ULLNIC_VERILATOR_CONFIG ${CMAKE_CURRENT_SOURCE_DIR}/src/fuzz/ate/ate_fuzz.vlt)
  ullnic_verilate(model_fuzz_${name} ate_core ${CMAKE_CURRENT_SOURCE_DIR}/src/fuzz/ate/ate_core.f
    PMA_DATA_WIDTH=${width} AMEND=${amend} MIRROR_DEPTH=128 ${ullnic_ate_small})
  set_target_properties(model_fuzz_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  add_executable(ullnic-fuzz-${name} EXCLUDE_FROM_ALL
    src/fuzz/ate/ate_fuzz.cc
    src/fuzz/ate/connections.cc
    src/fuzz/ate/software.cc
    src/fuzz/ate/user.cc
    src/fuzz/chunk.cc)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE
    ULLNIC_ATE_MODEL=Vmodel_fuzz_${name}
    ULLNIC_ATE_HEADER="Vmodel_fuzz_${name}.h"
    ULLNIC_ATE_ROOT_HEADER="Vmodel_fuzz_${name}___024root.h"
    ULLNIC_ATE_WIDTH=${width}
    ULLNIC_ATE_AMEND=${amend})
  list(TRANSFORM ullnic_ate_small PREPEND ULLNIC_ATE_ OUTPUT_VARIABLE definitions)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE ${definitions})
  target_compile_options(ullnic-fuzz-${name} PRIVATE -O1)  # there are three of it
  target_link_libraries(ullnic-fuzz-${name} PRIVATE ullnic_fuzz model_fuzz_${name})
endfunction()
ullnic_fuzz_ate(ate 32 1)
ullnic_fuzz_ate(ate_plain 32 0)
ullnic_fuzz_ate(ate_16 16 0)

add_library(ullnic_fuzz_macpcs OBJECT EXCLUDE_FROM_ALL
  src/fuzz/line_damage.cc
  src/fuzz/macpcs/macpcs_fuzz.cc)
target_link_libraries(ullnic_fuzz_macpcs PUBLIC ullnic_fuzz ullnic_soak)
# `config`: of cores/macpcs/configs.toml, which the program loads.
function(ullnic_fuzz_macpcs name config)
  add_executable(ullnic-fuzz-${name} EXCLUDE_FROM_ALL src/fuzz/macpcs/config.cc)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE ULLNIC_MACPCS_CONFIG="${config}")
  target_link_libraries(ullnic-fuzz-${name} PRIVATE ullnic_fuzz_macpcs)
  add_dependencies(ullnic-fuzz-${name} ${config})
endfunction()
ullnic_fuzz_macpcs(macpcs nofifo_pma32_mac32)
ullnic_fuzz_macpcs(macpcs_16 nofifo_pma16_mac16)
ullnic_fuzz_macpcs(macpcs_rxfifo_16 rxfifo_pma16_mac32)
ullnic_fuzz_macpcs(macpcs_fifos txrxfifo_pma32_mac32)

# The model is that of ullnic-stack.
add_executable(ullnic-fuzz-toe_card EXCLUDE_FROM_ALL
  src/fuzz/line_damage.cc
  src/fuzz/toe/echo_peer.cc
  src/fuzz/toe/hostile_frames.cc
  src/fuzz/toe/toe_card_fuzz.cc)
target_compile_definitions(ullnic-fuzz-toe_card PRIVATE
  ULLNIC_STACK_MODEL=Vmodel_toe_card ULLNIC_STACK_HEADER="Vmodel_toe_card.h")
target_link_libraries(ullnic-fuzz-toe_card PRIVATE ullnic_fuzz ullnic_stack_parts model_toe_card)

add_library(ullnic_fuzz_nic OBJECT EXCLUDE_FROM_ALL
  src/fuzz/chunk.cc
  src/fuzz/line_damage.cc
  src/fuzz/nic/nic_fuzz.cc
  src/fuzz/nic/port_host.cc)
target_link_libraries(ullnic_fuzz_nic PUBLIC ullnic_fuzz ullnic_ate_stimulus)
# `card`: the configuration of a cards/*/card.toml that the program loads.
function(ullnic_fuzz_nic name card)
  add_executable(ullnic-fuzz-${name} EXCLUDE_FROM_ALL src/fuzz/nic/config.cc)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE ULLNIC_NIC_CONFIG="${card}")
  target_link_libraries(ullnic-fuzz-${name} PRIVATE ullnic_fuzz_nic)
  add_dependencies(ullnic-fuzz-${name} ${card})
endfunction()
foreach(line ${ullnic_nic_fuzzers})
  string(REPLACE "|" ";" fields "${line}")
  list(POP_FRONT fields mark name card)
  ullnic_fuzz_nic(${name} ${card})
endforeach()

# `config`: of cores/qdma/configs.toml.
function(ullnic_fuzz_qdma name config)
  set(model model_fuzz_${name})
  ullnic_configuration(parameters qdma ${config})
  ullnic_verilate(${model} qdma ${CMAKE_CURRENT_SOURCE_DIR}/src/fuzz/qdma/qdma_core.f
    ${parameters} MM=1)
  set_target_properties(${model} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  target_compile_options(${model} PRIVATE -O1)  # compiled in a third of the time of -O3, for some 7 % of speed
  add_executable(ullnic-fuzz-${name} EXCLUDE_FROM_ALL
    src/fuzz/chunk.cc
    src/fuzz/qdma/accesses.cc
    src/fuzz/qdma/card_side.cc
    src/fuzz/qdma/good_driver.cc
    src/fuzz/qdma/host_link.cc
    src/fuzz/qdma/hostile_guests.cc
    src/fuzz/qdma/qdma_fuzz.cc
    src/fuzz/qdma/stream_user.cc)
  set_target_properties(ullnic-fuzz-${name} PROPERTIES UNITY_BUILD OFF)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE
    ULLNIC_DMA_MODEL=V${model}
    ULLNIC_DMA_HEADER="V${model}.h")
  list(TRANSFORM parameters PREPEND ULLNIC_DMA_)
  target_compile_definitions(ullnic-fuzz-${name} PRIVATE ${parameters})
  target_link_libraries(ullnic-fuzz-${name} PRIVATE ullnic_fuzz ${model})
endfunction()
# Few functions, so that each has its turn often; enough queues that some have no deep store.
ullnic_fuzz_qdma(qdma bench_128)
ullnic_fuzz_qdma(qdma_256 whole)  # all functions that there can be
