/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file card.h
 * Map of a card's registers (BAR2), in bytes. Each block's own registers are in the header that is
 * generated from its SystemRDL; their addresses are relative to the block.
 */
#ifndef ULLNIC_CARD_H
#define ULLNIC_CARD_H

#include <stddef.h>

#include "card_kinds.h"
#include "card_port_regs.h"
#include "card_regs.h"

/** Size of BAR2. */
#define ULLNIC_BAR_SIZE 0x80000u

/** The card's own block: identity, version, kind, ports, status, time. */
#define ULLNIC_CARD_BASE 0x00000u
/** The card's user logic. */
#define ULLNIC_USER_BASE 0x08000u
/** MAC and PCS of a port. */
#define ULLNIC_MACPCS_BASE(port) (0x10000u + (port) * 0x1000u)
/** TCP transmit engine of a port: identity, control, counters. */
#define ULLNIC_ATE_BASE(port) (0x20000u + (port) * 0x1000u)
/** Host path of a port: counters. */
#define ULLNIC_HOST_PATH_BASE(port) (0x28000u + (port) * 0x1000u)
/** Connections of a port's TCP transmit engine: the public window. */
#define ULLNIC_CONNECTIONS_BASE(port) (0x40000u + ((port) << 15))
/** One connection's registers. */
#define ULLNIC_CONNECTION_BASE(port, conn) (ULLNIC_CONNECTIONS_BASE(port) + ((conn) << 6))

/** Address of a register of the card's own block, by its name in card_regs.h. */
#define ULLNIC_CARD_REGISTER(name) (ULLNIC_CARD_BASE + (uint32_t)offsetof(card_regs_t, name))
/** Address of a counter of a port's host path, by its name in card_port_regs.h. */
#define ULLNIC_HOST_PATH_REGISTER(port, name) \
  (ULLNIC_HOST_PATH_BASE(port) + (uint32_t)offsetof(card_port_regs_t, name))

#endif /* ULLNIC_CARD_H */
