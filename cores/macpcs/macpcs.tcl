# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds macpcs to the project that is open in Vivado or Quartus: sources, in the order of the lists (*.f), constraints,
# and what else the tool must know.
#
#   source cores/macpcs/macpcs.tcl
#
# For macpcs_managed, the core with AXI4-Lite registers, say before it:  set macpcs_top macpcs_managed
# Needs this folder and cores/common, side by side.  tests/integration runs this file with the vendors' commands
# replaced by ones that write down what they are given; no vendor's tool has read it.

namespace eval ullnic {
  # The files that a list names, relative to the folder that it is in.
  proc listed_files {list_file} {
    set channel [open $list_file]
    set lines [split [read $channel] \n]
    close $channel
    set files {}
    foreach line $lines {
      set line [string trim [regsub {//.*} $line {}]]
      if {$line ne {}} {
        lappend files [file normalize [file join [file dirname $list_file] $line]]
      }
    }
    return $files
  }

  proc sources {folder top} {
    set files [listed_files [file join $folder .. common common.f]]
    lappend files {*}[listed_files [file join $folder macpcs.f]]
    if {$top eq "macpcs_managed"} {
      lappend files {*}[listed_files [file join $folder macpcs_managed.f]]
    }
    return $files
  }

  proc add_to_vivado {folder top} {
    add_files -norecurse [sources $folder $top]
    # The cell that mux4 and xor_mux2 then name: Xilinx' parts have it.
    set defines [get_property verilog_define [current_fileset]]
    if {[lsearch -glob $defines ULLNIC_LUT6*] < 0} {
      set_property verilog_define [concat $defines ULLNIC_LUT6] [current_fileset]
    }
    source [file join $folder constraints macpcs_xdc.tcl]
    if {$top eq "macpcs_managed"} {
      source [file join $folder constraints macpcs_managed_xdc.tcl]
    }
  }

  proc add_to_quartus {folder top} {
    foreach file [sources $folder $top] {
      set_global_assignment -name SYSTEMVERILOG_FILE $file
    }
    set_global_assignment -name SDC_FILE [file join $folder constraints macpcs.sdc]
    source [file join $folder constraints macpcs_qsf.tcl]
  }

  proc add_macpcs {folder top} {
    if {$top ni {macpcs macpcs_managed}} {
      error "macpcs_top is \"$top\": set it to macpcs or macpcs_managed"
    }
    if {[llength [info commands ::set_global_assignment]]} {
      add_to_quartus $folder $top
    } elseif {[llength [info commands ::add_files]]} {
      add_to_vivado $folder $top
    } else {
      error "neither Vivado nor Quartus: source this file in the tool's Tcl console, or in a script that it runs"
    }
  }
}

ullnic::add_macpcs [file dirname [file normalize [info script]]] \
    [expr {[info exists macpcs_top] ? $macpcs_top : "macpcs"}]
