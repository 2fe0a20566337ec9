/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ULLNIC_PRELOAD_RECEIVING_H
#define ULLNIC_PRELOAD_RECEIVING_H

#include <stdbool.h>

#include "preload/table.h"

/* Whether a receive with these flags would return an error that is pending. Waits as it would. */
bool next_is_error(int fd, const struct entry* entry, int flags);

#endif /* ULLNIC_PRELOAD_RECEIVING_H */
