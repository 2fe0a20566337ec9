/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked in place of calloc(): fails while the file named by the card's option full=FILE exists.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

void* __real_calloc(size_t count, size_t bytes);
void* __wrap_calloc(size_t count, size_t bytes);
void* __wrap_calloc(size_t count, size_t bytes) {
  struct stat there;
  const char* full = getenv("ULLNIC_FAKE_FULL");
  if (full == NULL || stat(full, &there) != 0) return __real_calloc(count, bytes);
  errno = ENOMEM;
  return NULL;
}
