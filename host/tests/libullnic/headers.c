/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each public header is self-contained, and is strict C11.
 */
#include "ullnic/ate.h"
#include "ullnic/card.h"
#include "ullnic/dma.h"
#include "ullnic/ullnic.h"

int ullnic_headers_compile(void);
int ullnic_headers_compile(void) { return (int)ULLNIC_CONNECTION_BASE(1u, 2u); }
