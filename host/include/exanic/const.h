/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file const.h Limits of the interface. */
#ifndef EXANIC_CONST_H
#define EXANIC_CONST_H

enum {
  EXANIC_MAX_PORTS = 16, /**< a card of ours has at most ULLNIC_MAX_PORTS */
};

#endif /* EXANIC_CONST_H */
