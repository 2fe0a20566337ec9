# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# For each measured configuration of cores/toe/configs.toml the program that measures it, which is built only if it is
# asked for. To be included where ullnic_sim is known.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${ULLNIC_ROOT}/python/ullnic/engines.py)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -I -B ${ULLNIC_ROOT}/python/ullnic/isolated.py ullnic.engines
  OUTPUT_VARIABLE ullnic_engine_lines OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" ullnic_engine_lines "${ullnic_engine_lines}")

add_library(ullnic_toe_sweep STATIC EXCLUDE_FROM_ALL
  src/toe_sweep/bandwidth.cc
  src/toe_sweep/bench.cc
  src/toe_sweep/latency.cc
  src/toe_sweep/line.cc
  src/toe_sweep/main.cc
  src/toe_sweep/peer.cc
  src/toe_sweep/round_trip.cc)
target_link_libraries(ullnic_toe_sweep PUBLIC ullnic_ate_stimulus ullnic_measuring)

foreach(line ${ullnic_engine_lines})
  string(REPLACE "|" ";" fields "${line}")
  list(POP_FRONT fields name program transmit_bits receive_bits store_forward parameters)
  string(REPLACE " " ";" parameters "${parameters}")
  ullnic_verilate(model_toe_${name} toe_flat ${ULLNIC_ROOT}/cores/toe/tb/toe_flat.f ${parameters})
  set_target_properties(model_toe_${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  target_compile_options(model_toe_${name} PRIVATE -O1)  # its runs are short
  add_executable(${program} EXCLUDE_FROM_ALL src/toe_sweep/engine_entry.cc)
  target_compile_definitions(${program} PRIVATE
    ULLNIC_ENGINE_NAME="${name}"
    ULLNIC_ENGINE_TRANSMIT_BITS=${transmit_bits}
    ULLNIC_ENGINE_RECEIVE_BITS=${receive_bits}
    ULLNIC_ENGINE_STORE_FORWARD=${store_forward}
    ULLNIC_ENGINE_MODEL=Vmodel_toe_${name}
    ULLNIC_ENGINE_HEADER="Vmodel_toe_${name}.h")
  target_link_libraries(${program} PRIVATE ullnic_toe_sweep model_toe_${name})
endforeach()
