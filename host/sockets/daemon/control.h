/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The daemon's side of common/protocol.h.
 */
#ifndef ULLNICD_CONTROL_H
#define ULLNICD_CONTROL_H

/* Begins to listen for programs. 0 or -errno; says why on stderr. */
int control_open(const char* path);
/* Questions are still answered, but there are no new sockets. */
void control_end(void);
void control_close(void);
/* About every 100 ms: who could not be heard for want of descriptors has another chance. */
void control_tick(void);

#endif /* ULLNICD_CONTROL_H */
