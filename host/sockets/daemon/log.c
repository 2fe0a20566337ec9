/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/log.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

bool log_verbose;

static void write_line(const char* format, va_list arguments) {
  char line[512];
  vsnprintf(line, sizeof(line), format, arguments);
  fprintf(stderr, "ullnicd: %s\n", line);
}

void log_message(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void log_detail(const char* format, ...) {
  if (!log_verbose) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

const char* endpoint_text(char* text, uint32_t ip, uint16_t port) {
  char address[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &ip, address, sizeof(address));
  snprintf(text, ENDPOINT_TEXT, "%s:%u", address, ntohs(port));
  return text;
}
