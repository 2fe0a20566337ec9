// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card with its clocks apart, in order, relative to the project's root (-f).
-f cards/stac_t0/rtl/stac_t0_card.f
cards/stac_t0/synth/stac_t0_card_clocks.sv
