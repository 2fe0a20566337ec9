# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The clock crossings of macpcs, for Vivado.  Read it scoped, for implementation only, and after the clocks exist:
#
#   read_xdc -ref macpcs cores/macpcs/constraints/macpcs.xdc             (or macpcs_managed, which contains macpcs)
#
# docs/integrating.md shows the same for a project.  One file holds what the modules of cores/common need too, each
# once, by the names of their registers: so nothing else has to be read.  Clocks are not defined here.
# No vendor's tool has read this file.  tests/integration holds its names against a netlist of the core.
#
# Put no set_clock_groups or set_false_path between these clocks: either overrides the delays below (UG949, "Timing
# Exceptions Precedence and Priority Rules"), and the Gray codes need theirs.
#
# -quiet: which of these crossings exist depends on the configuration.  `?` stands for a bracket, which would begin a
# set of characters in a pattern.  ASYNC_REG is in the RTL (cdc_bits.sv).

# One bound for every crossing that has one: the period of the fastest clock that any synchroniser of the instance has.
# Each crossing with a bound has a synchroniser in both of its clocks, so that is never more than a period of either.  An
# error here means that there is no clock yet: read this file later.
set ullnic_period [expr {1.0 * [get_property -min PERIOD [get_clocks -of_objects [get_pins -hierarchical -filter {NAME =~ *stage_q_reg?0?*/C}]]]}]

# async_fifo, Gray codes: the bits must arrive within a period of their source clock of each other.
set_max_delay -quiet -datapath_only -from [get_cells -quiet -hierarchical -filter {NAME =~ */wr_gray_source/source_q_reg*}] -to [get_pins -quiet -hierarchical -filter {NAME =~ */to_reader/stage_q_reg?0?*/D}] $ullnic_period
set_max_delay -quiet -datapath_only -from [get_cells -quiet -hierarchical -filter {NAME =~ */rd_gray_source/source_q_reg*}] -to [get_pins -quiet -hierarchical -filter {NAME =~ */to_writer/stage_q_reg?0?*/D}] $ullnic_period

# async_fifo, words: what is read was written SYNC_STAGES (2) cycles of the reader ago.  The clock-to-output of the RAM
# is part of the path.  Only paths that begin at the RAM's clock: from the read address on, all is timed as usual.
set_max_delay -quiet -datapath_only -from [get_pins -quiet -hierarchical -filter {NAME =~ */u_fifo/ram_reg*/CLK}] [expr {2 * $ullnic_period}]

# macpcs_rx_fifo_sof (32-bit words, receive FIFO), the bit: written a cycle of rx_clk after its entry, and taken two cycles
# of the reader after that entry, so it has two periods of the reader less one of rx_clk.  tx_clk, which is always there,
# has the period of rx_clk; the reader's is the lesser of that and m_axis_clk's.
set ullnic_line [expr {1.0 * [get_property -min PERIOD [get_clocks -of_objects [get_pins -hierarchical -filter {NAME =~ *u_faults/stage_q_reg?0?*/C}]]]}]
set ullnic_reader [expr {1.0 * [get_property -min PERIOD [get_clocks -of_objects [get_pins -hierarchical -filter {NAME =~ *u_faults/stage_q_reg?0?*/C || NAME =~ *u_sof/rd_at_q_reg?0?/C}]]]}]
set_max_delay -quiet -datapath_only -from [get_pins -quiet -hierarchical -filter {NAME =~ *u_sof/ram_reg*/CLK}] [expr {2 * $ullnic_reader - $ullnic_line}]

# cdc_handshake, the word: it is taken STAGES (2) cycles of the receiver after it was put there; a period is enough.
set_max_delay -quiet -datapath_only -from [get_cells -quiet -hierarchical -filter {NAME =~ */word_source/source_q_reg*}] -to [get_cells -quiet -hierarchical -filter {NAME =~ */m_data_reg*}] $ullnic_period

# cdc_bits, everything but the Gray codes (handshakes, cdc_reset, faults, switches): single bits that may take any time.
# Only D: what resets a synchroniser is of its own clock.
set_false_path -quiet -to [get_pins -quiet -hierarchical -filter {NAME =~ *stage_q_reg?0?*/D && NAME !~ */to_reader/* && NAME !~ */to_writer/*}]

# macpcs_stats (macpcs_managed only): the bank that is read is not the one that is written.
set_false_path -quiet -from [get_pins -quiet -hierarchical -filter {NAME =~ */snap_reg*/CLK}]

# own_address stands still while frames pass.  Through the pins of the modules that use it, so that software's reading
# of the same register stays timed.  rx_max_length is not here: it belongs to rx_clk, and is timed.
set_false_path -quiet -through [get_pins -quiet -hierarchical -filter {NAME =~ */own_address*}]
