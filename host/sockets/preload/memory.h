/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The program's memory, which a call may name wrongly: EFAULT, as the kernel says, and no crash.
 */
#ifndef ULLNIC_PRELOAD_MEMORY_H
#define ULLNIC_PRELOAD_MEMORY_H

#include <stddef.h>

/* 0 or EFAULT. Leaves errno alone. */
int memory_read(void* to, const void* from, size_t length);
int memory_write(void* to, const void* from, size_t length);

#endif /* ULLNIC_PRELOAD_MEMORY_H */
