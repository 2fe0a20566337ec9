/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/notes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/protocol.h"
#include "preload/real.h"

enum { REMEMBERED = 64, LINE = 512 };

static struct {
  bool disables, requires, traces, silent;
  char path[sizeof(((struct sockaddr_un*)0)->sun_path) + 1];
} environment;

static bool is_set(const char* variable) {
  const char* value = getenv(variable);
  return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

/* Runs before the program, which may clear its environment (nginx does). */
__attribute__((constructor(101))) static void read_environment(void) {
  environment.disables = is_set("EXASOCK_DEFAULT_DISABLE");
  environment.requires = is_set("EXASOCK_REQUIRE");
  environment.traces = is_set("EXASOCK_TRACE");
  environment.silent = is_set("EXASOCK_NOWARN");
  snprintf(environment.path, sizeof(environment.path), "%s", control_path());
}

bool disabled_by_default(void) { return environment.disables; }

bool acceleration_required(void) { return environment.requires; }

const char* daemon_path(void) { return environment.path; }

/* In one write(), bypassing the program's buffers. */
static void write_line(const char* format, va_list arguments, uint32_t* seen) {
  char line[LINE];
  int length = snprintf(line, sizeof(line), "ullnic-sockets: ");
  length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1, format, arguments);
  if (length > LINE - 2) length = LINE - 2;
  line[length++] = '\n';
  if (seen != NULL) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++) hash = (hash ^ (uint8_t)line[i]) * 16777619u;
    if (hash == 0) hash = 1;
    pthread_mutex_lock(&lock);
    uint32_t* place = &seen[hash % REMEMBERED];
    bool known = *place == hash;
    *place = hash;
    pthread_mutex_unlock(&lock);
    if (known) return;
  }
  ssize_t ignored = REAL(write)(STDERR_FILENO, line, (size_t)length);
  (void)ignored;
}

void note(const char* format, ...) {
  static uint32_t seen[REMEMBERED];
  int error = errno;
  if (!environment.silent) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, seen);
    va_end(arguments);
  }
  errno = error;
}

void trace(const char* format, ...) {
  int error = errno;
  if (environment.traces) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, NULL);
    va_end(arguments);
  }
  errno = error;
}

const char* endpoint_text(char* text, uint32_t ip, uint16_t port) {
  char address[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &ip, address, sizeof(address));
  snprintf(text, ENDPOINT_TEXT, "%s:%u", address, ntohs(port));
  return text;
}
