/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs code that keeps its state in variables and ends with its process, again and again in one
 * process: the same input makes the same run. Time is virtual, random numbers are a sequence, what
 * a run leaves behind (memory, descriptors, values of variables) is gone after it.
 */
#ifndef ULLNIC_FUZZ_SANDBOX_H
#define ULLNIC_FUZZ_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

void sandbox_begin(void);
void sandbox_end(void);
/* Moves the clocks on. */
void sandbox_advance(uint64_t ms);
/* Who asks on a control connection, from now on: its user. */
void sandbox_set_user(uint32_t user);
/* What the run has allocated by now is there for good. */
void sandbox_mark(void);
/* Aborts, and says where it comes from, if there is more memory than then: more pieces of any size
 * but these two. */
void sandbox_check_memory(size_t allowed_bytes, size_t allowed_too);

#endif /* ULLNIC_FUZZ_SANDBOX_H */
