// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card with its clocks apart, in order, relative to the project's root (-f).
-f cards/trigger/rtl/trigger_card.f
cards/trigger/synth/trigger_card_clocks.sv
