/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lwIP's view of the compiler; lwip/arch.h has the rest.
 */
#ifndef ULLNIC_LWIP_ARCH_CC_H
#define ULLNIC_LWIP_ARCH_CC_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t ullnic_random(void);
#define LWIP_RAND() ullnic_random()

#define LWIP_PLATFORM_DIAG(x) \
  do {                        \
    printf x;                 \
  } while (0)
#define LWIP_PLATFORM_ASSERT(x)                                                            \
  do {                                                                                     \
    fprintf(stderr, "ullnicd: lwIP: %s at %s:%d: please report\n", x, __FILE__, __LINE__); \
    abort();                                                                               \
  } while (0)

#endif /* ULLNIC_LWIP_ARCH_CC_H */
