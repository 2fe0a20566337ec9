/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The library's messages on stderr, and the environment variables that control it, as of the
 * start.
 */
#ifndef ULLNIC_PRELOAD_NOTES_H
#define ULLNIC_PRELOAD_NOTES_H

#include <stdbool.h>
#include <stdint.h>

/* Prints one line, once for each distinct text; EXASOCK_NOWARN silences it. Leaves errno
 * unchanged. */
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* Prints with EXASOCK_TRACE only. Leaves errno unchanged. */
void trace(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* EXASOCK_DEFAULT_DISABLE: sockets are the kernel's unless SO_EXA_NO_ACCEL is set to 0. */
bool disabled_by_default(void);
/* EXASOCK_REQUIRE: a socket that would stay the kernel's is an error (exasock --require). */
bool acceleration_required(void);
/* Path of ullnicd's socket. */
const char* daemon_path(void);

#define ENDPOINT_TEXT 24
const char* endpoint_text(char* text, uint32_t ip, uint16_t port);

#endif /* ULLNIC_PRELOAD_NOTES_H */
