# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The model of a PCIe link and its host. To be included where ullnic_sim is known.
add_library(ullnic_pcie STATIC EXCLUDE_FROM_ALL
  src/pcie/calibration.cc
  src/pcie/completer.cc
  src/pcie/link.cc
  src/pcie/link_settings.cc
  src/pcie/transmitter.cc)
target_link_libraries(ullnic_pcie PUBLIC ullnic_sim)
