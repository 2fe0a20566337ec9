# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The card with a TCP/IP stack; built only if it is asked for. To be included where ullnic_nic,
# ullnic_program, ullnic_port_spec and ullnic_mapped_toe_card_sack are known.
add_library(ullnic_stack_parts STATIC EXCLUDE_FROM_ALL
  src/stack/at_rest.cc
  src/stack/hostile_port.cc
  src/stack/tcp_frame.cc)
target_link_libraries(ullnic_stack_parts PUBLIC ullnic_nic verilated)
add_library(ullnic_stack_main OBJECT EXCLUDE_FROM_ALL src/stack/main.cc)
target_link_libraries(ullnic_stack_main PRIVATE ullnic_program)

function(ullnic_stack program model)
  list(APPEND ULLNIC_VERILATOR_CONFIG ${CMAKE_CURRENT_SOURCE_DIR}/src/stack/at_rest.vlt)
  # Timers run in wall time while the line runs some hundred times slower than a real one: 16 windows wait a tenth of a
  # second for it, and on a busy machine twice that. The kernel has the same least timeout (python/ullnic/run/toe/live.py).
  ullnic_verilate(${model} toe_card ${ULLNIC_ROOT}/cards/toe/rtl/toe_card.f
    TICK_MS=10 RTO_MIN_MS=500 ${ullnic_mapped_toe_card_sack} ${ARGN})
  set_target_properties(${model} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  target_compile_options(${model} PRIVATE -O1)  # compiled in 6 s; -O3 takes 14, for some 5 % of speed
  add_executable(${program} EXCLUDE_FROM_ALL src/stack/stack_session.cc)
  target_compile_definitions(${program} PRIVATE ULLNIC_STACK_MODEL=V${model} ULLNIC_STACK_HEADER="V${model}.h")
  target_link_libraries(${program} PRIVATE ullnic_stack_main ullnic_stack_parts ullnic_program ullnic_port_spec
    ${model})
endfunction()
ullnic_stack(ullnic-stack model_toe_card)
ullnic_stack(ullnic-stack-timestamps model_toe_card_timestamps TIMESTAMPS_EN=1)
