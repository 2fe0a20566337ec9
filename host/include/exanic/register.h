/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file register.h
 * Registers by the numbers of pcie_if.h. The library emulates them; the card's own are in
 * ullnic/card.h.
 */
#ifndef EXANIC_REGISTER_H
#define EXANIC_REGISTER_H

#include "exanic/exanic.h"
#include "exanic/pcie_if.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads a register of pcie_if.h.
 *
 * @param reg REG_EXANIC_INDEX(), REG_PORT_INDEX(), REG_PORT_STAT_INDEX(), REG_ATE_OFFSET() / 4
 * @return its value; 0xffffffff if there is no such register, with the reason in
 *   exanic_get_last_error()
 */
uint32_t exanic_register_read(exanic_t* exanic, int reg);

/**
 * Writes a register: REG_PORT_TX_COMMAND, one of the transmit engine, or REG_EXANIC_PCIE_IF_VER,
 * which has no effect. Errors are reported on standard error and by exanic_get_last_error().
 */
void exanic_register_write(exanic_t* exanic, int reg, uint32_t val);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_REGISTER_H */
