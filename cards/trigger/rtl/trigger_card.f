// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card, in order, relative to the project's root: a tool that is run there reads them with -f.
-F cards/common/card.f
cards/trigger/regs/generated/trigger_kind_pkg.sv
cards/trigger/regs/generated/trigger_regs_pkg.sv
cards/trigger/regs/generated/trigger_regs.sv
cards/trigger/rtl/order_start.sv
cards/trigger/rtl/order_wait.sv
cards/trigger/rtl/order_send.sv
cards/trigger/rtl/trigger_match.sv
cards/trigger/rtl/trigger_template.sv
cards/trigger/rtl/trigger_axil.sv
cards/trigger/rtl/trigger_logic.sv
cards/trigger/rtl/trigger_card.sv
