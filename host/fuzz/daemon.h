/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnicd in this process, over the card of the sockets' tests: port 0 has 10.9.1.2/24 and an
 * engine, port 1 has 10.9.2.2/24 and the VLAN 7. To be used within a sandbox.
 */
#ifndef ULLNIC_FUZZ_DAEMON_H
#define ULLNIC_FUZZ_DAEMON_H

#include <stddef.h>
#include <stdint.h>

enum { DAEMON_PORTS = 2, DAEMON_VLAN = 7 };

/* The line of each port is a SOCK_SEQPACKET socket, a message a frame; the control socket listens
 * on `path`. */
void daemon_start(const char* path, const int lines[DAEMON_PORTS]);
/* So many rounds of its loop. */
void daemon_rounds(unsigned count);
/* Lets time pass in steps of 20 ms: its stack's timers run, and a round every 100 ms, at most so
 * many. */
void daemon_sleep(uint64_t ms, unsigned most_rounds);
/* Its own end, as after SIGTERM; then all that takes time. */
void daemon_leave(void);

#endif /* ULLNIC_FUZZ_DAEMON_H */
