/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Error messages.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "internal.h"

enum { GONE_PATIENCE_S = 5 };

static _Thread_local char last[512];

void exanic_err_printf(const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  vsnprintf(last, sizeof last, fmt, arguments);
  va_end(arguments);
}

void ex_card_error(exanic_t* exanic, int result) {
  ex_error("%s: %s", exanic->name, ullnic_last_error());
  if (result != -ENODEV && result != -ETIMEDOUT) {
    return;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long gone_s = 0;
  if (atomic_compare_exchange_strong(&exanic->own->gone_s, &gone_s, (long long)now.tv_sec + 1)) {
    fprintf(stderr, "libexanic: %s\n", last);
  } else if (now.tv_sec + 1 - gone_s > GONE_PATIENCE_S) {
    fprintf(stderr, "libexanic: %s: the program goes on without its card; it is ended\n",
            exanic->name);
    raise(SIGTERM);
  }
}

const char* exanic_get_last_error(void) { return last; }
