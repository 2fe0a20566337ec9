// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers, which stand beside toe, in order, relative to this list (-F), behind ../common/common.f and toe.f.
regs/generated/toe_regs_pkg.sv
regs/generated/toe_regs.sv
rtl/toe_counters.sv
rtl/toe_interfaces.sv
rtl/toe_axil.sv
