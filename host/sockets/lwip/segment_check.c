/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drops segments that lwIP would assert on, as RFC 9293 (3.10.7) and RFC 5961 specify.
 */
#include <stdbool.h>

#include "checks.h"
#include "lwip/ip.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip_hooks.h"

enum { MSS_LENGTH = 4 };

static void count(enum refusal reason) {
  ullnic_refused(reason, ip_2_ip4(ip_current_src_addr())->addr);
}

/* lwIP stores them in one or two parts. */
struct options {
  uint8_t* first;
  uint8_t* second;
  unsigned first_length, length;
};

static uint8_t* option_at(const struct options* o, unsigned index) {
  return index < o->first_length ? o->first + index : o->second + (index - o->first_length);
}

/* lwIP accepts an MSS from any segment, and reads a byte beyond the last option. */
static void end_options(const struct options* o, unsigned index) {
  if (index < o->length) *option_at(o, index) = LWIP_TCP_OPT_EOL;
}

static void limit_mss(const struct options* o, unsigned index) {
  uint8_t *high = option_at(o, index), *low = option_at(o, index + 1);
  if ((*high << 8 | *low) >= LEAST_MSS) return;
  *high = 0;
  *low = LEAST_MSS;
  count(REFUSED_OPTIONS);
}

static void check_options(const struct options* o) {
  unsigned index = 0;
  while (index < o->length) {
    uint8_t kind = *option_at(o, index);
    if (kind == LWIP_TCP_OPT_EOL) return;
    if (kind == LWIP_TCP_OPT_NOP) {
      index++;
      continue;
    }
    unsigned length = index + 1 < o->length ? *option_at(o, index + 1) : 0;
    if (length < 2 || index + length > o->length) {
      end_options(o, index);
      count(REFUSED_OPTIONS);
      return;
    }
    if (kind == LWIP_TCP_OPT_MSS && length == MSS_LENGTH) limit_mss(o, index + 2);
    index += length;
  }
}

static err_t refuse(enum refusal reason, struct tcp_pcb* answered) {
  count(reason);
  if (answered != NULL) tcp_send_empty_ack(answered);
  return ERR_VAL;
}

/* The sequence number of the peer's FIN, if it arrived out of order. lwIP keeps it in the last
 * segment. */
static bool knows_end(const struct tcp_pcb* pcb, uint32_t* end) {
  const struct tcp_seg* last = pcb->ooseq;
  while (last != NULL && last->next != NULL) last = last->next;
  if (last == NULL || (TCPH_FLAGS(last->tcphdr) & TCP_FIN) == 0) return false;
  *end = last->tcphdr->seqno + last->len;
  return true;
}

/* For synchronized states. The window's right edge is acceptable: a peer that has filled the window
 * sends its ACKs from there. */
static err_t check_sequence(struct tcp_pcb* pcb, const struct tcp_hdr* header, uint32_t bytes) {
  bool fin = (TCPH_FLAGS(header) & TCP_FIN) != 0;
  uint32_t length = bytes + fin, ahead = header->seqno - pcb->rcv_nxt, end;
  bool begins_inside = ahead <= pcb->rcv_wnd;
  uint32_t behind = pcb->rcv_nxt - header->seqno;
  bool is_duplicate = behind <= TCP_WND; /* or a probe: lwIP acknowledges it */
  if (!begins_inside && behind >= length && !is_duplicate) return refuse(REFUSED_SEQUENCE, pcb);
  /* lwIP trims in-order segments at the window's end, but queues out-of-order ones untrimmed. */
  if (begins_inside && ahead > 0 && length > 0 && ahead + length > pcb->rcv_wnd) {
    return refuse(REFUSED_OVERRUN, pcb);
  }
  if (length > 0 && knows_end(pcb, &end)) {
    int32_t beyond = (int32_t)(header->seqno + bytes - end);
    if (beyond > 0 || (fin && beyond != 0)) return refuse(REFUSED_AFTER_FIN, pcb);
  }
  return ERR_OK;
}

err_t ullnic_check_segment(struct tcp_pcb* pcb, struct tcp_hdr* header, u16_t option_length,
                           u16_t option_1_length, u8_t* option_2, const struct pbuf* data) {
  unsigned flags = TCPH_FLAGS(header) & (TCP_SYN | TCP_ACK | TCP_RST | TCP_FIN);
  const struct options options = {(uint8_t*)(header + 1), option_2, option_1_length, option_length};
  bool opens = pcb->state == LISTEN && flags == TCP_SYN;
  bool answers =
      pcb->state == SYN_SENT && flags == (TCP_SYN | TCP_ACK) && header->ackno == pcb->lastack + 1;
  if (opens || answers) {
    check_options(&options);
    return ERR_OK;
  }
  end_options(&options, 0);
  if ((flags & TCP_RST) != 0) return ERR_OK;
  if ((flags & (TCP_SYN | TCP_FIN)) == (TCP_SYN | TCP_FIN)) return refuse(REFUSED_FLAGS, NULL);
  if (pcb->state == LISTEN || pcb->state == SYN_SENT || pcb->state == TIME_WAIT) return ERR_OK;
  if ((flags & TCP_SYN) != 0) { /* in later states lwIP only answers with an ACK */
    bool again = flags == TCP_SYN && header->seqno + 1 == pcb->rcv_nxt;
    return again || pcb->state != SYN_RCVD ? ERR_OK : refuse(REFUSED_SEQUENCE, pcb);
  }
  if ((flags & TCP_ACK) == 0) return refuse(REFUSED_FLAGS, NULL);
  return check_sequence(pcb, header, data->tot_len);
}

err_t ullnic_check_ack(struct tcp_pcb* pcb, const struct tcp_hdr* header) {
  unsigned flags = TCPH_FLAGS(header);
  bool counts = (flags & TCP_ACK) != 0 && (flags & TCP_RST) == 0;
  if (!counts || pcb->state < ESTABLISHED || pcb->state == TIME_WAIT) return ERR_OK;
  uint32_t oldest = pcb->lastack - pcb->snd_wnd_max;
  if (header->ackno - oldest > pcb->snd_nxt - oldest) return refuse(REFUSED_ACK, pcb);
  ullnic_note_ack(pcb);
  return ERR_OK;
}
