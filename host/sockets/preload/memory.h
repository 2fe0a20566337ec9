/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Access to the program's memory at addresses that may be invalid: EFAULT, as from the kernel, and
 * no crash.
 */
#ifndef ULLNIC_PRELOAD_MEMORY_H
#define ULLNIC_PRELOAD_MEMORY_H

#include <stddef.h>

/* 0 or EFAULT. Leaves errno unchanged. */
int memory_read(void* to, const void* from, size_t length);
int memory_write(void* to, const void* from, size_t length);

#endif /* ULLNIC_PRELOAD_MEMORY_H */
