// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a card has besides its user logic, in order, relative to this list: a tool reads them with -F.
-F ../../cores/common/common.f
-F ../../cores/macpcs/macpcs.f
-F ../../cores/macpcs/macpcs_managed.f
-F ../../cores/ate/ate.f
regs/generated/card_regs_pkg.sv
regs/generated/card_regs.sv
rtl/card_rx.sv
rtl/card_mirror.sv
rtl/card_tx.sv
rtl/card_raw_tx.sv
rtl/card_store.sv
rtl/card_merge.sv
rtl/card_to_host.sv
rtl/card_counters.sv
rtl/card_axil.sv
rtl/card_port.sv
rtl/card_chassis.sv
