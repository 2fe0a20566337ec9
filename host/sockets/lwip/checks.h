/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What lwIP must not meet: it asserts, and an assertion ends the process (README.md).
 */
#ifndef ULLNIC_LWIP_CHECKS_H
#define ULLNIC_LWIP_CHECKS_H

#include "lwip/tcp.h"

/* Reasons for which a packet is dropped before lwIP sees it, or loses its options. */
enum refusal {
  REFUSED_FLAGS,     /* flags that no TCP sends together, or no ACK */
  REFUSED_SEQUENCE,  /* outside of the receive window */
  REFUSED_OVERRUN,   /* out of order, and ends beyond the receive window */
  REFUSED_AFTER_FIN, /* bytes after the peer's FIN */
  REFUSED_ACK,       /* acknowledges what was not sent, or is older than any window */
  REFUSED_OPTIONS, /* options that are malformed, or an MSS below LEAST_MSS: the rest is accepted */
  REFUSED_FRAGMENT, /* a fragment that cannot be part of a datagram */
  REFUSALS
};

/* Of segments that are sent: as Linux (tcp_min_snd_mss), lest each byte makes a frame. */
enum { LEAST_MSS = 48 };

/* Called for each refusal, with the sender's address in network order; the owner of the stack
 * counts. */
void ullnic_refused(enum refusal reason, uint32_t source);

/* Once, when a connection is established and before anything is sent on it. */
void ullnic_check_send_window(struct tcp_pcb* pcb);
/* Before lwIP sees an ACK of a connection, and after each frame that lwIP was given. */
void ullnic_note_ack(struct tcp_pcb* pcb);
void ullnic_check_after_input(void);
/* Before lwIP's timers run. */
void ullnic_check_before_timers(void);
/* At the end: takes the interfaces down and frees what waits for fragments or for ARP. */
void ullnic_lwip_end(void);

#endif /* ULLNIC_LWIP_CHECKS_H */
