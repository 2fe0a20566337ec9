/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the library says on stderr, and the environment that rules it, as it was at the start.
 */
#ifndef ULLNIC_PRELOAD_NOTES_H
#define ULLNIC_PRELOAD_NOTES_H

#include <stdbool.h>
#include <stdint.h>

/* One line, once for each different text; EXASOCK_NOWARN silences it. Leaves errno alone. */
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* With EXASOCK_TRACE. Leaves errno alone. */
void trace(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* EXASOCK_DEFAULT_DISABLE: sockets are the kernel's unless SO_EXA_NO_ACCEL is set to 0. */
bool disabled_by_default(void);
/* EXASOCK_REQUIRE: what would stay the kernel's is an error (exasock --require). */
bool acceleration_required(void);
/* Where ullnicd's socket is. */
const char* daemon_path(void);

#define ENDPOINT_TEXT 24
const char* endpoint_text(char* text, uint32_t ip, uint16_t port);

#endif /* ULLNIC_PRELOAD_NOTES_H */
