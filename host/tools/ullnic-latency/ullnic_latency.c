/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-latency: how long a card takes to answer a frame.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "latency.h"

volatile sig_atomic_t stop;

static void on_signal(int number) {
  (void)number;
  stop = 1;
}

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("ullnic-latency: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(FAILED);
}

int main(int argc, char** argv) {
  const struct options options = parse_options(argc, argv);
  struct result result = {0};
  open_reports(&options);
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  measure(&options, &result);
  write_reports(&options, &result);
  free(result.samples);
  return result.lost == 0 && result.wrong == 0 ? MEASURED : SOME_LOST;
}
