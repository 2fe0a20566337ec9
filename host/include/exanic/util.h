/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file util.h What a card is. */
#ifndef EXANIC_UTIL_H
#define EXANIC_UTIL_H

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Products that programs ask for by name. */
typedef enum {
  EXANIC_HW_X4 = 2,
  EXANIC_HW_X2 = 3,
  EXANIC_HW_X10 = 4,
  EXANIC_HW_X10_GM = 5,
  EXANIC_HW_X40 = 6,
  EXANIC_HW_X10_HPT = 7,
  EXANIC_HW_V5P = 8,
  EXANIC_HW_X25 = 9,
  EXANIC_HW_X100 = 10,
  EXANIC_HW_V9P = 11,
  EXANIC_HW_V9P_3 = 12,
} exanic_hardware_id_t;

/**
 * The product that behaves most like the card: EXANIC_HW_X10_HPT for a tester, as its timestamps
 * have 0.25 ns; EXANIC_HW_X10 for a card.
 */
exanic_hardware_id_t exanic_get_hw_type(exanic_t* exanic);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_UTIL_H */
