/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For a program of one file that tests libexanic: prints each check that fails, and counts it.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int faults;

#define CHECK(what)                                     \
  do {                                                  \
    if (!(what)) {                                      \
      printf("%s:%d: %s\n", __func__, __LINE__, #what); \
      ++faults;                                         \
    }                                                   \
  } while (0)

#endif
