/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/time_wait.h"

#include "daemon/ending.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip_hooks.h"

/* Beyond the old connection's last window, which may have segments in flight (as on Linux). */
enum { SEQUENCE_GAP = 65535 + 2 };

/* The connection that the SYN will open when lwIP processes it again. */
static struct {
  bool look_again, valid;
  ip_addr_t local_ip, remote_ip;
  uint16_t local_port, remote_port;
  uint32_t sequence;
} next;

bool time_wait_look_again(void) {
  bool again = next.look_again;
  next.look_again = false;
  return again;
}

bool time_wait_sequence(const ip_addr_t* local_ip, uint16_t local_port, const ip_addr_t* remote_ip,
                        uint16_t remote_port, uint32_t* sequence) {
  bool ours = next.valid && next.local_port == local_port && next.remote_port == remote_port &&
              ip_addr_cmp(&next.local_ip, local_ip) && ip_addr_cmp(&next.remote_ip, remote_ip);
  next.valid = false;
  if (ours) *sequence = next.sequence;
  return ours;
}

static bool is_listened_to(const struct tcp_pcb* pcb) {
  const struct tcp_pcb_listen* l = tcp_listen_pcbs.listen_pcbs;
  for (; l != NULL; l = l->next) {
    if (l->local_port == pcb->local_port &&
        (ip_addr_isany(&l->local_ip) || ip_addr_cmp(&l->local_ip, &pcb->local_ip))) {
      return true;
    }
  }
  return false;
}

static void end(struct tcp_pcb* pcb) {
  if (pcb->callback_arg != NULL) ending_left_time_wait(pcb->callback_arg);
  tcp_abort(pcb); /* sends no RST in this state */
}

void time_wait_end_all(const struct user* user) {
  struct tcp_pcb* next_pcb;
  for (struct tcp_pcb* pcb = tcp_tw_pcbs; pcb != NULL; pcb = next_pcb) {
    const struct socket* s = tcp_ext_arg_get(pcb, 0);
    next_pcb = pcb->next;
    if (s != NULL && s->user == user) tcp_abort(pcb);
  }
}

err_t ullnic_time_wait_input(struct tcp_pcb* pcb, const struct tcp_hdr* header) {
  if (pcb->state != TIME_WAIT) return ERR_OK;
  unsigned flags = TCPH_FLAGS(header);
  if ((flags & TCP_RST) != 0) {
    if (header->seqno != pcb->rcv_nxt) return ERR_OK;
    end(pcb); /* the peer no longer has it */
    return ERR_CLSD;
  }
  bool opens = (flags & (TCP_SYN | TCP_ACK)) == TCP_SYN && TCP_SEQ_GT(header->seqno, pcb->rcv_nxt);
  if (!opens || !is_listened_to(pcb)) return ERR_OK;
  next.look_again = next.valid = true;
  next.local_ip = pcb->local_ip;
  next.remote_ip = pcb->remote_ip;
  next.local_port = pcb->local_port;
  next.remote_port = pcb->remote_port;
  next.sequence = pcb->snd_nxt + SEQUENCE_GAP;
  end(pcb);
  return ERR_CLSD;
}
