# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The clock crossings of macpcs, for Quartus Prime.  A file of the project, or bound to the entity (Pro):
#
#   set_global_assignment -name SDC_FILE cores/macpcs/constraints/macpcs.sdc
#
# after the file that defines the clocks.  It has the constraints of macpcs.xdc, which gives the reason for each.
# No vendor's tool has read this file.  tests/integration holds its names against a netlist of the core.
#
# Quartus counts clock skew in set_max_delay, so the bounds are set_max_skew and set_net_delay, with wide delays in place
# of false paths, which would come first: Intel's scheme for its own dual-clock FIFO (FIFO Intel FPGA IP User Guide,
# chapter "SDC Commands").  Put no set_clock_groups between these clocks.
#
# Patterns begin with * and leave entity names out, for Standard ("cdc_bits:to_reader|") and Pro ("to_reader|").
# `?` stands for a bracket.  A crossing that the configuration does not have gives a warning about an empty collection.
# set_net_delay does not hold where a cell stands between the registers (Timing Analyzer user guide): look for that in
# its report.

# async_fifo, Gray codes
set_max_delay -from [get_registers -nowarn {*wr_gray_source|source_q*}] -to [get_registers -nowarn {*to_reader|stage_q?0?*}] 100
set_min_delay -from [get_registers -nowarn {*wr_gray_source|source_q*}] -to [get_registers -nowarn {*to_reader|stage_q?0?*}] -100
set_max_skew -from [get_registers -nowarn {*wr_gray_source|source_q*}] -to [get_registers -nowarn {*to_reader|stage_q?0?*}] -get_skew_value_from_clock_period min_clock_period -skew_value_multiplier 0.8
set_net_delay -max -from [get_registers -nowarn {*wr_gray_source|source_q*}] -to [get_registers -nowarn {*to_reader|stage_q?0?*}] -get_value_from_clock_period dst_clock_period -value_multiplier 0.8
set_max_delay -from [get_registers -nowarn {*rd_gray_source|source_q*}] -to [get_registers -nowarn {*to_writer|stage_q?0?*}] 100
set_min_delay -from [get_registers -nowarn {*rd_gray_source|source_q*}] -to [get_registers -nowarn {*to_writer|stage_q?0?*}] -100
set_max_skew -from [get_registers -nowarn {*rd_gray_source|source_q*}] -to [get_registers -nowarn {*to_writer|stage_q?0?*}] -get_skew_value_from_clock_period min_clock_period -skew_value_multiplier 0.8
set_net_delay -max -from [get_registers -nowarn {*rd_gray_source|source_q*}] -to [get_registers -nowarn {*to_writer|stage_q?0?*}] -get_value_from_clock_period dst_clock_period -value_multiplier 0.8

# async_fifo, words.  What an MLAB's registers are called is not known here: look at the names with report_timing.
set_max_delay -from [get_keepers -nowarn {*u_fifo|*ram*}] 100
set_min_delay -from [get_keepers -nowarn {*u_fifo|*ram*}] -100

# macpcs_rx_fifo_sof, the bit: it has two periods of the reader less one of rx_clk, 0.76 of the reader's at 400 MHz, which
# is the most; an MLAB's clock-to-output is part of it.
set_max_delay -from [get_keepers -nowarn {*u_sof|*ram*}] 100
set_min_delay -from [get_keepers -nowarn {*u_sof|*ram*}] -100
set_net_delay -max -from [get_keepers -nowarn {*u_sof|*ram*}] -get_value_from_clock_period dst_clock_period -value_multiplier 0.5

# cdc_handshake, the word
set_max_delay -from [get_registers -nowarn {*word_source|source_q*}] -to [get_registers -nowarn {*|m_data*}] 100
set_min_delay -from [get_registers -nowarn {*word_source|source_q*}] -to [get_registers -nowarn {*|m_data*}] -100
set_net_delay -max -from [get_registers -nowarn {*word_source|source_q*}] -to [get_registers -nowarn {*|m_data*}] -get_value_from_clock_period dst_clock_period -value_multiplier 0.8

# cdc_bits, everything but the Gray codes
set_false_path -to [remove_from_collection [get_registers -nowarn {*stage_q?0?*}] [get_registers -nowarn {*to_reader|stage_q?0?* *to_writer|stage_q?0?*}]]

# macpcs_stats (macpcs_managed only)
set_false_path -from [get_keepers -nowarn {*|snap*}]

# own_address stands still while frames pass.  In macpcs_managed it is a register that the core itself does not clock; what
# software reads back (in u_axil) stays timed.  Alone, macpcs does not know where own_address comes from: give the
# register that drives it a false path of your own.
set_false_path -from [get_registers -nowarn {*field_storage*MAC_ADDRESS*}] -to [get_registers -nowarn {*u_macpcs|*}]
