# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Marks synchronisers for Quartus; Vivado has ASYNC_REG in the RTL for it.  Sourced by ../macpcs.tcl,
# and by FuseSoC.  From the Quartus Prime Settings File Reference Manual; no vendor's tool has read this file.

set_instance_assignment -name SYNCHRONIZER_IDENTIFICATION FORCED_IF_ASYNCHRONOUS -to *|stage_q*
