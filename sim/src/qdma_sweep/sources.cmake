# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Rates of the DMA behind the model of a PCIe link, built only if they are asked for. To be included where ullnic_sim is
# known.
ullnic_configuration(ullnic_qdma_whole qdma whole)
ullnic_verilate(model_qdma_usp qdma_usp ${CMAKE_CURRENT_LIST_DIR}/qdma_usp.f ${ullnic_qdma_whole} MM=1 INLINE=1 WATCHDOG=1)
set_target_properties(model_qdma_usp PROPERTIES EXCLUDE_FROM_ALL TRUE)
add_executable(ullnic-qdma-sweep EXCLUDE_FROM_ALL
  src/qdma_sweep/card_memory.cc
  src/qdma_sweep/completer_ports.cc
  src/qdma_sweep/contexts.cc
  src/qdma_sweep/dram_timing.cc
  src/qdma_sweep/driver.cc
  src/qdma_sweep/memory.cc
  src/qdma_sweep/memory_timing.cc
  src/qdma_sweep/mm_driver.cc
  src/qdma_sweep/latency.cc
  src/qdma_sweep/main.cc
  src/qdma_sweep/measurement.cc
  src/qdma_sweep/rc_port.cc
  src/qdma_sweep/registers_port.cc
  src/qdma_sweep/rig.cc
  src/qdma_sweep/rq_port.cc
  src/qdma_sweep/user_side.cc)
# The fields of RQ have the names of those of RC.
set_source_files_properties(src/qdma_sweep/rq_port.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
list(TRANSFORM ullnic_qdma_whole PREPEND ULLNIC_DMA_)
target_compile_definitions(ullnic-qdma-sweep PRIVATE ${ullnic_qdma_whole})
target_include_directories(ullnic-qdma-sweep SYSTEM PRIVATE ${ULLNIC_ROOT}/cores/qdma/regs/generated)
target_link_libraries(ullnic-qdma-sweep PRIVATE ullnic_pcie ullnic_measuring model_qdma_usp)
