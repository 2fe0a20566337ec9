/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/sent.h"

#include "lwip/priv/tcp_priv.h"

/* While lwIP is made to "send" bytes that are already sent: from which sequence number on. */
static bool feeding;
static uint32_t feeding_from;

bool sent_takes_output(const struct tcp_fields* tcp) {
  return feeding && tcp->payload_length > 0 && !TCP_SEQ_LT(tcp->seq, feeding_from);
}

bool sent_elsewhere(struct tcp_pcb* pcb, uint32_t seq, const uint8_t* data, size_t length) {
  if (tcp_write(pcb, data, (u16_t)length, TCP_WRITE_FLAG_COPY) != ERR_OK) return false;
  if (pcb->unsent != NULL && lwip_ntohl(pcb->unsent->tcphdr->seqno) != seq) {
    /* lwIP retransmits its own segments first; these follow them. They are in flight nevertheless,
     * and an ACK for them must be accepted. */
    uint32_t end = seq + (uint32_t)length;
    if (TCP_SEQ_LT(pcb->snd_nxt, end)) pcb->snd_nxt = end;
    return true;
  }
  /* Neither window nor Nagle may hold back what has been sent, and no sent frame has piggybacked
   * lwIP's ACK. */
  tcpwnd_size_t window = pcb->snd_wnd, congestion = pcb->cwnd;
  tcpflags_t pending = pcb->flags & (TF_ACK_DELAY | TF_ACK_NOW);
  tcpflags_t no_delay = pcb->flags & TF_NODELAY;
  uint32_t announced = pcb->rcv_ann_right_edge;
  pcb->snd_wnd = pcb->cwnd = TCP_SND_BUF * 2;
  tcp_set_flags(pcb, TF_NODELAY);
  feeding = true;
  feeding_from = seq;
  tcp_output(pcb);
  feeding = false;
  pcb->snd_wnd = window;
  pcb->cwnd = congestion;
  pcb->rcv_ann_right_edge = announced;
  tcp_clear_flags(pcb, TF_NODELAY);
  tcp_set_flags(pcb, pending | no_delay);
  return true;
}
