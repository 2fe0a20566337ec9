/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One deadline for a library call, however many requests it makes: a card that answers each of them
 * at the last moment must not block the caller for minutes.
 */
#ifndef ULLNIC_LIB_CALL_H
#define ULLNIC_LIB_CALL_H

#include "common/deadline.h"

/** The requests of this scope and its callees share the deadline of the first one. */
#define UL_ONE_DEADLINE() \
  __attribute__((cleanup(ul_call_end), unused)) int ul_call = ul_call_begin()

int ul_call_begin(void);
void ul_call_end(int* call);

/** Deadline of a request that begins now; `patience_ms` applies if it is the first of its scope. */
deadline_t ul_call_deadline(int patience_ms);

#endif /* ULLNIC_LIB_CALL_H */
