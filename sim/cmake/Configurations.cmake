# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Configurations of cores, which are defined in cores/*/configs.toml alone. python/ullnic/core_configs.py reads them.
file(GLOB ULLNIC_CONFIGURATION_FILES CONFIGURE_DEPENDS ${ULLNIC_ROOT}/cores/*/configs.toml)
list(APPEND ULLNIC_CONFIGURATION_FILES
  ${ULLNIC_ROOT}/python/ullnic/checked_toml.py ${ULLNIC_ROOT}/python/ullnic/core_configs.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ULLNIC_CONFIGURATION_FILES})

# The parameters of a configuration, a list of NAME=VALUE.
function(ullnic_configuration out core name)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -I -B ${ULLNIC_ROOT}/python/ullnic/isolated.py ullnic.core_configs ${core} ${name}
    OUTPUT_VARIABLE parameters OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE " " ";" parameters "${parameters}")
  set(${out} ${parameters} PARENT_SCOPE)
endfunction()
