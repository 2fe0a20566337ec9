// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of ate, in order, relative to this list (-F), behind those of ../common/common.f.
rtl/ate_pkg.sv
rtl/ate_window.sv
rtl/ate_csum.sv
rtl/ate_header.sv
rtl/ate_engine.sv
rtl/ate_early.sv
rtl/ate_shadow.sv
rtl/ate_table.sv
rtl/ate_counters.sv
rtl/ate_mirror.sv
rtl/ate_inject.sv
rtl/ate_hold.sv
rtl/ate_axil.sv
rtl/ate_user_check.sv
rtl/ate_core.sv
rtl/ate_tx.sv
rtl/ate.sv
