# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds macpcs.xdc to a project of Vivado as that file asks for: to each macpcs, for implementation only, and after the
# clocks are defined.  Sourced by ../macpcs.tcl, and by FuseSoC.
#
# Scope: UG903, "XDC File Scoping Properties"; PROCESSING_ORDER: UG912.  No vendor's tool has read this file.

apply {{xdc} {
  add_files -fileset constrs_1 -norecurse $xdc
  set_property SCOPED_TO_REF macpcs [get_files $xdc]
  set_property USED_IN_SYNTHESIS false [get_files $xdc]  ;# the registers that it names exist after synthesis only
  set_property PROCESSING_ORDER LATE [get_files $xdc]
}} [file join [file dirname [file normalize [info script]]] macpcs.xdc]
