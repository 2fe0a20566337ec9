/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Input that lwIP must not see: it would assert, and an assertion ends the process (README.md).
 */
#ifndef ULLNIC_LWIP_CHECKS_H
#define ULLNIC_LWIP_CHECKS_H

#include "lwip/tcp.h"

/* Reasons for which a packet is dropped before lwIP sees it, or loses its options. */
enum refusal {
  REFUSED_FLAGS,     /* invalid combination of flags, or no ACK */
  REFUSED_SEQUENCE,  /* outside of the receive window */
  REFUSED_OVERRUN,   /* out of order, and ends beyond the receive window */
  REFUSED_AFTER_FIN, /* bytes after the peer's FIN */
  REFUSED_ACK,       /* acknowledges data not sent, or is older than any window */
  REFUSED_OPTIONS, /* options that are malformed, or an MSS below LEAST_MSS: the rest is accepted */
  REFUSED_FRAGMENT, /* a fragment that cannot be part of a datagram */
  REFUSALS
};

/* Minimum MSS of sent segments, as Linux (tcp_min_snd_mss): a smaller one could make a frame of
 * each byte. */
enum { LEAST_MSS = 48 };

/* Called for each refusal, with the sender's address in network order; the stack's owner counts
 * it. */
void ullnic_refused(enum refusal reason, uint32_t source);

/* Call once, when a connection is established and before anything is sent on it. */
void ullnic_check_send_window(struct tcp_pcb* pcb);
/* Call before lwIP processes an ACK of a connection, and after each frame passed to lwIP. */
void ullnic_note_ack(struct tcp_pcb* pcb);
void ullnic_check_after_input(void);
/* Call before lwIP's timers run. */
void ullnic_check_before_timers(void);
/* Call at the end: takes the interfaces down and frees packets that wait for fragments or for
 * ARP. */
void ullnic_lwip_end(void);

#endif /* ULLNIC_LWIP_CHECKS_H */
