/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnicd in this process, with the card of the sockets' tests: port 0 has 10.9.1.2/24 and an
 * engine, port 1 has 10.9.2.2/24 and VLAN 7. For use within a sandbox.
 */
#ifndef ULLNIC_FUZZ_DAEMON_H
#define ULLNIC_FUZZ_DAEMON_H

#include <stddef.h>
#include <stdint.h>

enum { DAEMON_PORTS = 2, DAEMON_VLAN = 7 };

/* The line of each port is a SOCK_SEQPACKET socket, one frame per message; the control socket
 * listens on `path`. */
void daemon_start(const char* path, const int lines[DAEMON_PORTS]);
/* Runs `count` rounds of its loop. */
void daemon_rounds(unsigned count);
/* Advances time in steps of 20 ms: the stack's timers run, and a round every 100 ms, at most
 * `most_rounds`. */
void daemon_sleep(uint64_t ms, unsigned most_rounds);
/* Shuts it down as after SIGTERM; then runs until all timers have expired. */
void daemon_leave(void);

#endif /* ULLNIC_FUZZ_DAEMON_H */
