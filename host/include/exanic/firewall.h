/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file firewall.h Our cards have no firewall; only the query is supported. */
#ifndef EXANIC_FIREWALL_H
#define EXANIC_FIREWALL_H

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns 0: no firewall. */
int exanic_get_firewall_capability(exanic_t* exanic);

#define EXANIC_NO_FIREWALL                                                                  \
  "ullnic: no card is a firewall; exanic_filter_add_ip() of filter.h sorts what a program " \
  "receives"

exanic_firewall_state_t exanic_get_firewall_state(exanic_t* exanic)
    EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_set_firewall_state(exanic_t* exanic, exanic_firewall_state_t state)
    EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_get_num_firewall_filters(exanic_t* exanic) EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_set_firewall_filter(exanic_t* exanic, int slot, const char* filter)
    EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_get_firewall_filter(exanic_t* exanic, int slot, char* filter, size_t filter_len)
    EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_clear_firewall_filter(exanic_t* exanic, int slot) EXANIC_ABSENT(EXANIC_NO_FIREWALL);
int exanic_clear_all_firewall_filters(exanic_t* exanic) EXANIC_ABSENT(EXANIC_NO_FIREWALL);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIREWALL_H */
