/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * States of a connection's sending side that a peer can cause and that lwIP asserts against.
 */
#include <stdbool.h>

#include "checks.h"
#include "lwip/priv/tcp_priv.h"

void ullnic_check_send_window(struct tcp_pcb* pcb) {
  /* lwIP limits segments to half of the largest window, but to the MSS while that is 0. If the
   * window opened from 0 by a few bytes, queued segments would exceed the limit. */
  if (pcb->snd_wnd_max < 2 * LEAST_MSS) pcb->snd_wnd_max = 2 * LEAST_MSS;
}

/* lwIP leaves the FIN flag in both parts of a segment that it splits for a small window. */
static void separate_end(struct tcp_pcb* pcb) {
  struct tcp_seg* head = pcb->unsent;
  bool splits = pcb->snd_wnd > 0 && head->len > pcb->snd_wnd;
  if (!splits || (TCPH_FLAGS(head->tcphdr) & TCP_FIN) == 0) return;
  if (tcp_enqueue_flags(pcb, TCP_FIN) == ERR_OK) TCPH_UNSET_FLAG(head->tcphdr, TCP_FIN);
}

/* For a small window lwIP splits from the segment's start. If the peer has acknowledged more than
 * the length of the window, the first part ends before the window, and lwIP waits forever. */
static void drop_acknowledged(struct tcp_pcb* pcb) {
  struct tcp_seg* head = pcb->unsent;
  uint32_t acknowledged = pcb->lastack - lwip_ntohl(head->tcphdr->seqno);
  if (acknowledged == 0 || acknowledged >= head->len) return; /* nothing, or it starts later */
  if (tcp_split_unsent_seg(pcb, (u16_t)acknowledged) != ERR_OK) return;
  pcb->unsent = head->next;
  pcb->snd_queuelen -= pbuf_clen(head->p);
  tcp_seg_free(head);
}

/* The connection whose segment is passed to lwIP, if it can cause a fast retransmit (third
 * duplicate ACK). */
static struct tcp_pcb* may_repeat;

void ullnic_note_ack(struct tcp_pcb* pcb) {
  if (pcb->dupacks >= 2 && (pcb->flags & TF_INFR) == 0) may_repeat = pcb;
}

/* lwIP moves the segment that it retransmits to the unsent queue, and assumes that it has been sent
 * when the next byte is written. If it has not, because a shrunken window ends before it, lwIP
 * appends new bytes or the FIN to it instead of to the last segment: the stream is corrupted. So
 * all segments in flight are queued in order, as after a timeout. */
void ullnic_check_after_input(void) {
  if (may_repeat == NULL) return;
  struct tcp_pcb* pcb = tcp_active_pcbs;
  while (pcb != NULL && pcb != may_repeat) pcb = pcb->next; /* it may have been freed */
  may_repeat = NULL;
  if (pcb == NULL || pcb->unsent == NULL || pcb->unacked == NULL) return;
  struct tcp_seg* repeated = pcb->unsent;
  uint32_t in_flight = lwip_ntohl(pcb->unacked->tcphdr->seqno);
  if (!TCP_SEQ_LT(lwip_ntohl(repeated->tcphdr->seqno), in_flight)) return;
  pcb->unsent = repeated->next;
  repeated->next = pcb->unacked;
  pcb->unacked = repeated;
  if (tcp_rexmit_rto_prepare(pcb) == ERR_OK) tcp_output(pcb);
}

void ullnic_check_before_timers(void) {
  for (struct tcp_pcb* pcb = tcp_active_pcbs; pcb != NULL; pcb = pcb->next) {
    if (pcb->persist_backoff == 0) continue;
    if (pcb->unsent == NULL || pcb->unacked != NULL) {
      pcb->persist_backoff = 0; /* the peer has acknowledged the probe: nothing is pending */
    } else {
      drop_acknowledged(pcb);
      separate_end(pcb);
    }
  }
}
