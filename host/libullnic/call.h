/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One deadline for a call of the library, however many requests it makes: a card that answers each
 * of them at the last moment must not hold up the caller for minutes.
 */
#ifndef ULLNIC_LIB_CALL_H
#define ULLNIC_LIB_CALL_H

#include "common/deadline.h"

/** The requests of this scope, and of what it calls, share the deadline of the first one. */
#define UL_ONE_DEADLINE() \
  __attribute__((cleanup(ul_call_end), unused)) int ul_call = ul_call_begin()

int ul_call_begin(void);
void ul_call_end(int* call);

/** Of a request that begins now, with so much time if it is the first one of its scope. */
deadline_t ul_call_deadline(int patience_ms);

#endif /* ULLNIC_LIB_CALL_H */
