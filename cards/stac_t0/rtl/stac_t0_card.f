// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card, in order, relative to the project's root: a tool that is run there reads them with -f.  Orders go
// out as those of the trigger card do.
-F cards/common/card.f
cards/stac_t0/regs/generated/stac_t0_kind_pkg.sv
cards/stac_t0/regs/generated/stac_t0_regs_pkg.sv
cards/stac_t0/regs/generated/stac_t0_regs.sv
cards/trigger/rtl/order_start.sv
cards/trigger/rtl/order_send.sv
cards/stac_t0/rtl/stac_t0_match.sv
cards/stac_t0/rtl/stac_t0_pair.sv
cards/stac_t0/rtl/stac_t0_logic.sv
cards/stac_t0/rtl/stac_t0_card.sv
