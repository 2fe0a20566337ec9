// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of cores/common, in order, relative to this list: a tool reads them with -F.
rtl/crc32_pkg.sv
rtl/ones_pkg.sv
rtl/mux4.sv
rtl/radix4_select.sv
rtl/xor_mux2.sv
rtl/axis_register.sv
rtl/axis_narrow.sv
rtl/sync_phase.sv
rtl/cdc_bits.sv
rtl/cdc_source.sv
rtl/cdc_reset.sv
rtl/cdc_handshake.sv
rtl/async_fifo.sv
rtl/axil_cdc.sv
rtl/axil_demux.sv
rtl/ram_sdp.sv
rtl/frame_fifo.sv
