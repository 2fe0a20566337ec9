/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's random numbers, linked in the place of getrandom(): none while the file exists that
 * the card's option dry=FILE names.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

ssize_t __real_getrandom(void* data, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags) {
  struct stat there;
  const char* dry = getenv("ULLNIC_FAKE_DRY");
  if (dry == NULL || stat(dry, &there) != 0) return __real_getrandom(data, bytes, flags);
  errno = EAGAIN;
  return -1;
}
