/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/log.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GAP_MS = 10000 };

bool log_verbose;

/* False: the reader of stderr is too slow. ullnicd does not wait, as it would serve nobody
 * meanwhile. */
static bool put(const char* line, size_t length) {
  struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&out, 1, 0) != 1 || (out.revents & POLLOUT) == 0) return false;
  return write(STDERR_FILENO, line, length) >= 0 || errno != EAGAIN; /* < PIPE_BUF: atomic */
}

static void write_line(const char* format, va_list arguments) {
  static unsigned lost;
  static const char head[] = "ullnicd: ";
  char line[520], tale[80];
  memcpy(line, head, sizeof(head) - 1);
  size_t length = sizeof(head) - 1;
  int more = vsnprintf(line + length, sizeof(line) - length - 1, format, arguments);
  length += more < 0 ? 0 : strlen(line + length);
  line[length++] = '\n';
  if (lost > 0) {
    int count = snprintf(tale, sizeof(tale), "%s%u lines are lost: stderr was full\n", head, lost);
    if (put(tale, (size_t)count)) lost = 0;
  }
  if (lost > 0 || !put(line, length)) lost++;
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

void log_limited(struct log_limit* limit, const char* format, ...) {
  uint64_t now = now_ms();
  if (now < limit->next_ms) {
    limit->held_back++;
    return;
  }
  if (limit->held_back > 0) log_message("%u lines like the next were held back", limit->held_back);
  *limit = (struct log_limit){.next_ms = now + GAP_MS};
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
