// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Made from cards/*/card.toml by ./ullnic regs; do not edit.
//
#ifndef ULLNIC_CARD_KINDS_H
#define ULLNIC_CARD_KINDS_H

/** Kinds of cards: the field KIND of the register CARD. */
enum ullnic_kind {
  ULLNIC_KIND_BARE = 0, /**< No user logic */
  ULLNIC_KIND_TRIGGER = 1, /**< trigger: a frame on one port sends one on another */
  ULLNIC_KIND_STAC_T0 = 2, /**< stac_t0: market data in, orders out */
  ULLNIC_KIND_TESTER = 3, /**< The far ends of a simulated card */
  ULLNIC_KIND_MIRROR = 4, /**< mirror: frames of one port leave on the other, too */
};

/** Their names, to initialise an array. */
#define ULLNIC_KIND_NAMES \
  [0] = "bare", \
  [1] = "trigger", \
  [2] = "stac_t0", \
  [3] = "tester", \
  [4] = "mirror",

#endif /* ULLNIC_CARD_KINDS_H */
