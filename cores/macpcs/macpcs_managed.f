// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What macpcs_managed has beyond macpcs, in order, relative to this list (-F), behind ../common/common.f and macpcs.f.
regs/generated/macpcs_regs_pkg.sv
regs/generated/macpcs_regs.sv
rtl/macpcs_stats.sv
rtl/macpcs_axil.sv
rtl/macpcs_managed.sv
