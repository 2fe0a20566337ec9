/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages on stderr, and time. Messages for which stderr has no room are lost and counted: ullnicd
 * does not wait for its reader.
 */
#ifndef ULLNICD_LOG_H
#define ULLNICD_LOG_H

#include <stdbool.h>
#include <stdint.h>

extern bool log_verbose;

void log_message(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* Only with --verbose. */
void log_detail(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* For events that others can cause repeatedly: one line per 10 s, with the number of suppressed
 * ones. One `limit` (initially zeros) for each kind of line. */
struct log_limit {
  uint64_t next_ms;
  unsigned held_back;
};
void log_limited(struct log_limit* limit, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/* Monotonic. */
uint64_t now_ms(void);

/* "10.9.1.2:5000" in a buffer provided by the caller. */
#define ENDPOINT_TEXT 24
const char* endpoint_text(char* text, uint32_t ip, uint16_t port);

#endif /* ULLNICD_LOG_H */
