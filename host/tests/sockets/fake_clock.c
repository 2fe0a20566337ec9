/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked in place of sys_now(), lwIP's milliseconds: with the card's option lwip_slower=N they pass
 * N times slower. The rest of the daemon has its own clock.
 */
#include <stdint.h>
#include <stdlib.h>

uint32_t __real_sys_now(void);
uint32_t __wrap_sys_now(void);
uint32_t __wrap_sys_now(void) {
  static uint32_t first;
  const char* slower = getenv("ULLNIC_FAKE_LWIP_SLOWER");
  uint32_t now = __real_sys_now();
  if (first == 0) first = now;
  return slower == NULL ? now : first + (now - first) / (uint32_t)strtoul(slower, NULL, 0);
}
