# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a Tcl script with the commands of Vivado or Quartus replaced by ones that record their arguments."""

import subprocess
from pathlib import Path

END, FIELD = "\x1e", "\x1f"  # separators: of a call, of a word in it

WRITE_DOWN = """
proc write_down {args} {puts -nonewline [join $args \\x1f]\\x1e}
"""
VIVADO = """
set added {}
set defines {%s}
proc add_files {args} {
  write_down add_files {*}$args
  lappend ::added {*}[lindex $args end]
}
foreach reader {read_verilog read_xdc} {
  proc $reader {args} [string map [list READER $reader] {
    write_down READER {*}$args
    lappend ::added {*}[lindex $args end]
  }]
}
# As in Vivado, a file of the project is found by its path or its name, and setting a property of nothing is an error.
proc get_files {name} {
  lsearch -all -inline -glob $::added [expr {[string match /* $name] ? $name : "*/$name"}]
}
proc current_fileset {} {return sources_1}
proc get_filesets {name} {return $name}
proc current_project {} {return project}
proc create_project {args} {}
proc get_property {name object} {
  if {$name ne {verilog_define}} {error "not known here: $name"}
  return $::defines
}
proc set_property {name value objects} {
  if {![llength $objects]} {error "set_property $name: no object"}
  foreach object $objects {write_down set_property $name $value $object}
}
"""
QUARTUS = """
foreach command {set_global_assignment set_instance_assignment} {
  proc $command {args} [string map [list COMMAND $command] {write_down COMMAND {*}$args}]
}
"""


def run(script: str, vendor: str, directory: Path) -> list[list[str]]:
    """The vendor's commands that a script calls, each with its words; raises AssertionError with Tcl's message if it
    fails.
    """
    file = directory / "harness.tcl"
    file.write_text(WRITE_DOWN + vendor + script)
    done = subprocess.run(["tclsh", file], capture_output=True, text=True, cwd=directory)
    assert done.returncode == 0, done.stderr
    return [call.split(FIELD) for call in done.stdout.split(END)[:-1]]


def vivado(defines: str = "") -> str:
    """A Vivado project that already has these definitions."""
    return VIVADO % defines


def added_to_vivado(calls: list[list[str]]) -> list[str]:
    """Sources, in order."""
    files = [call[-1] for call in calls if call[0] in ("add_files", "read_verilog") and "constrs_1" not in call]
    return [file for words in files for file in words.split()]


def properties(calls: list[list[str]], name: str) -> dict[str, str]:
    """The final properties of the object whose path ends with `name`."""
    return {call[1]: call[2] for call in calls if call[0] == "set_property" and call[3].endswith(name)}
