/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs code repeatedly in one process although it keeps its state in variables and was written to
 * end with its process: the same input gives the same run. Time is virtual, random numbers are a
 * fixed sequence, and everything a run leaves (memory, descriptors, values of variables) is reset
 * after it.
 */
#ifndef ULLNIC_FUZZ_SANDBOX_H
#define ULLNIC_FUZZ_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

void sandbox_begin(void);
void sandbox_end(void);
/* Advances the clocks. */
void sandbox_advance(uint64_t ms);
/* Sets the user of control connections from now on. */
void sandbox_set_user(uint32_t user);
/* Memory that the run has allocated so far is permanent. */
void sandbox_mark(void);
/* Aborts, and prints the origin, if more memory is allocated than at that time: more blocks of any
 * size except these two. */
void sandbox_check_memory(size_t allowed_bytes, size_t allowed_too);

#endif /* ULLNIC_FUZZ_SANDBOX_H */
