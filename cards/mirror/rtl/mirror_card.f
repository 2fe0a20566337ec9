// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card, in order, relative to the project's root: a tool that is run there reads them with -f.
-F cards/common/card.f
cards/mirror/regs/generated/mirror_kind_pkg.sv
cards/mirror/regs/generated/mirror_regs_pkg.sv
cards/mirror/regs/generated/mirror_regs.sv
cards/mirror/rtl/mirror_send.sv
cards/mirror/rtl/mirror_way.sv
cards/mirror/rtl/mirror_logic.sv
cards/mirror/rtl/mirror_card.sv
