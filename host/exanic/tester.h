/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Registers that only a tester has (sim/src/nic/tester_registers.h), next to a port's counters.
 */
#ifndef EXANIC_TESTER_H
#define EXANIC_TESTER_H

#include "ullnic/card.h"
#include "ullnic/ullnic.h"

#define TESTER_SENT(port) (ULLNIC_HOST_PATH_BASE(port) + 0x80u)
#define TESTER_SENT_TIME_LOW(port) (ULLNIC_HOST_PATH_BASE(port) + 0x84u)
#define TESTER_SENT_TIME_HIGH(port) (ULLNIC_HOST_PATH_BASE(port) + 0x88u)
#define TESTER_HEARD(port) (ULLNIC_HOST_PATH_BASE(port) + 0x8cu)
#define TESTER_DROPPED(port) (ULLNIC_HOST_PATH_BASE(port) + 0x90u)

/**
 * Reads the number of frames sent, and the start time of the last one. Reading the number latches
 * its time; if the number still is *sent, nothing else is read.
 */
static inline int tester_read_sent(ullnic_t* card, unsigned port, uint32_t* sent, uint64_t* time) {
  uint32_t number, low, high;
  int result = ullnic_read32(card, TESTER_SENT(port), &number);
  if (result != 0 || number == *sent) {
    return result;
  }
  if ((result = ullnic_read32(card, TESTER_SENT_TIME_LOW(port), &low)) != 0 ||
      (result = ullnic_read32(card, TESTER_SENT_TIME_HIGH(port), &high)) != 0) {
    return result;
  }
  *sent = number;
  *time = (uint64_t)high << 32 | low;
  return 0;
}

/** Reads a card's clock; reading the lower half latches the upper one. */
static inline int tester_read_time(ullnic_t* card, uint64_t* time) {
  uint32_t low, high;
  int result = ullnic_read32(card, ULLNIC_CARD_REGISTER(TIME_LO), &low);
  if (result == 0 && (result = ullnic_read32(card, ULLNIC_CARD_REGISTER(TIME_HI), &high)) == 0) {
    *time = (uint64_t)high << 32 | low;
  }
  return result;
}

#endif /* EXANIC_TESTER_H */
