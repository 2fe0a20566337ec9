/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/option_table.h"

#include <errno.h>
#include <limits.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "preload/real.h"

/* Newer than the C library's headers. */
#ifndef SO_RESERVE_MEM
#define SO_RESERVE_MEM 73
#endif
#ifndef SO_TXREHASH
#define SO_TXREHASH 74
#endif
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef TCP_AO_ADD_KEY
#define TCP_AO_ADD_KEY 38
#endif
#ifndef IP_LOCAL_PORT_RANGE
#define IP_LOCAL_PORT_RANGE 51
#endif

enum { LONGEST_KEEP_S = 32767, MOST_PROBES = 127 };

#define OPTION(l, n, t, s, w) .level = l, .name = n, .text = t, .sockets = s, .way = w
#define FIELD(f) \
  .offset = offsetof(struct control_options, f), .size = sizeof(((struct control_options*)0)->f)
#define KEPT(l, n, s, f, low, high) \
  {OPTION(l, n, #n, s, OPTION_KEPT), FIELD(f), .least = low, .most = high, .error = EINVAL}
#define SWITCH(l, n, s, f) {OPTION(l, n, #n, s, OPTION_KEPT), FIELD(f), .is_switch = true}
#define HINT(l, n, s, f) {OPTION(l, n, #n, s, OPTION_HINT), FIELD(f), .is_switch = true}
#define FIXED(l, n, s, v, e) {OPTION(l, n, #n, s, OPTION_FIXED), .value = v, .error = e}
#define OFF(l, n, s) {OPTION(l, n, #n, s, OPTION_FIXED), .is_switch = true, .error = ENOPROTOOPT}
#define EMPTY(l, n, s) {OPTION(l, n, #n, s, OPTION_EMPTY), .error = ENOPROTOOPT}
#define PAIR(l, n) {OPTION(l, n, #n, OPTION_BOTH, OPTION_PAIR)}
#define READ(l, n, s) {OPTION(l, n, #n, s, OPTION_READ), .error = ENOPROTOOPT}
#define REFUSED(l, n, s, e) {OPTION(l, n, #n, s, OPTION_REFUSED), .error = e}
#define HIDDEN(l, n, s) \
  {OPTION(l, n, #n, s, OPTION_REFUSED), .error = ENOPROTOOPT, .is_hidden = true}

/* README.md describes each. */
static const struct option_row rows[] = {
    SWITCH(SOL_SOCKET, SO_KEEPALIVE, OPTION_BOTH, keep_alive),
    SWITCH(SOL_SOCKET, SO_REUSEADDR, OPTION_BOTH, reuse_address),
    SWITCH(SOL_SOCKET, SO_BROADCAST, OPTION_BOTH, broadcast),
    PAIR(SOL_SOCKET, SO_RCVTIMEO),
    PAIR(SOL_SOCKET, SO_SNDTIMEO),
    PAIR(SOL_SOCKET, SO_RCVTIMEO_NEW),
    PAIR(SOL_SOCKET, SO_SNDTIMEO_NEW),
    PAIR(SOL_SOCKET, SO_COOKIE),
    READ(SOL_SOCKET, SO_TYPE, OPTION_BOTH),
    READ(SOL_SOCKET, SO_PROTOCOL, OPTION_BOTH),
    READ(SOL_SOCKET, SO_DOMAIN, OPTION_BOTH),
    READ(SOL_SOCKET, SO_ERROR, OPTION_BOTH),
    READ(SOL_SOCKET, SO_ACCEPTCONN, OPTION_BOTH),
    READ(SOL_SOCKET, SO_PEERCRED, OPTION_BOTH),
    FIXED(SOL_SOCKET, SO_RCVLOWAT, OPTION_BOTH, 1, ENOPROTOOPT),
    {OPTION(SOL_SOCKET, SO_SNDLOWAT, "SO_SNDLOWAT", OPTION_BOTH, OPTION_READ), .value = 1,
     .error = ENOPROTOOPT},
    /* Urgent data stays in the stream. */
    {OPTION(SOL_SOCKET, SO_OOBINLINE, "SO_OOBINLINE", OPTION_TCP, OPTION_FIXED), .is_switch = true,
     .value = 1, .error = ENOPROTOOPT},
    OFF(SOL_SOCKET, SO_OOBINLINE, OPTION_UDP),
    OFF(SOL_SOCKET, SO_DEBUG, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_DONTROUTE, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_NO_CHECK, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_RXQ_OVFL, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_WIFI_STATUS, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_NOFCS, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_SELECT_ERR_QUEUE, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_LOCK_FILTER, OPTION_BOTH),
    OFF(SOL_SOCKET, SO_PREFER_BUSY_POLL, OPTION_BOTH),
    {OPTION(SOL_SOCKET, SO_ZEROCOPY, "SO_ZEROCOPY", OPTION_BOTH, OPTION_FIXED), .is_switch = true,
     .error = EOPNOTSUPP},
    FIXED(SOL_SOCKET, SO_MARK, OPTION_BOTH, 0, ENOPROTOOPT),
    FIXED(SOL_SOCKET, SO_BUSY_POLL, OPTION_BOTH, 0, ENOPROTOOPT),
    EMPTY(SOL_SOCKET, SO_BINDTODEVICE, OPTION_BOTH),
    FIXED(SOL_SOCKET, SO_BINDTOIFINDEX, OPTION_BOTH, 0, ENOPROTOOPT),
    FIXED(SOL_SOCKET, SO_RESERVE_MEM, OPTION_BOTH, 0, ENOPROTOOPT),
    FIXED(SOL_SOCKET, SO_PEEK_OFF, OPTION_BOTH, -1, EOPNOTSUPP),
    FIXED(SOL_SOCKET, SO_INCOMING_CPU, OPTION_BOTH, -1, ENOPROTOOPT),
    FIXED(SOL_SOCKET, SO_MAX_PACING_RATE, OPTION_BOTH, -1, ENOPROTOOPT),
    REFUSED(SOL_SOCKET, SO_TXREHASH, OPTION_TCP, ENOPROTOOPT),
    {OPTION(SOL_SOCKET, SO_PRIORITY, "SO_PRIORITY", OPTION_BOTH, OPTION_FIXED),
     .error = ENOPROTOOPT, .is_hidden = true}, /* IP_TOS changes it, too */
    HIDDEN(SOL_SOCKET, SO_TXTIME, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_TIMESTAMP_NEW, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_TIMESTAMPNS_NEW, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_TIMESTAMPING_NEW, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_ATTACH_FILTER, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_ATTACH_BPF, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, OPTION_BOTH),
    HIDDEN(SOL_SOCKET, SO_ATTACH_REUSEPORT_EBPF, OPTION_BOTH),
    REFUSED(SOL_SOCKET, SO_DETACH_FILTER, OPTION_BOTH, ENOENT), /* there is none */
    /* Only unix sockets have credentials. The option must not reach the pair. */
    REFUSED(SOL_SOCKET, SO_PASSCRED, OPTION_BOTH, EOPNOTSUPP),
    REFUSED(SOL_SOCKET, SO_PASSSEC, OPTION_BOTH, EOPNOTSUPP),
    REFUSED(SOL_SOCKET, SO_PASSPIDFD, OPTION_BOTH, EOPNOTSUPP),
    REFUSED(SOL_SOCKET, SO_SNDBUFFORCE, OPTION_BOTH, EPERM),

    SWITCH(IPPROTO_TCP, TCP_NODELAY, OPTION_TCP, no_delay),
    SWITCH(IPPROTO_TCP, TCP_CORK, OPTION_TCP, cork),
    KEPT(IPPROTO_TCP, TCP_KEEPIDLE, OPTION_TCP, keep_idle_s, 1, LONGEST_KEEP_S),
    KEPT(IPPROTO_TCP, TCP_KEEPINTVL, OPTION_TCP, keep_interval_s, 1, LONGEST_KEEP_S),
    KEPT(IPPROTO_TCP, TCP_KEEPCNT, OPTION_TCP, keep_count, 1, MOST_PROBES),
    KEPT(IPPROTO_TCP, TCP_USER_TIMEOUT, OPTION_TCP, user_timeout_ms, 0, INT_MAX),
    HINT(IPPROTO_TCP, TCP_QUICKACK, OPTION_TCP, quick_ack),
    READ(IPPROTO_TCP, TCP_INFO, OPTION_TCP),
    READ(IPPROTO_TCP, TCP_MAXSEG, OPTION_TCP),
    {OPTION(IPPROTO_TCP, TCP_CONGESTION, "TCP_CONGESTION", OPTION_TCP, OPTION_NAME), .only = "reno",
     .error = ENOENT, .is_hidden = true}, /* the kernel's default may have been chosen */
    {OPTION(IPPROTO_TCP, TCP_ULP, "TCP_ULP", OPTION_TCP, OPTION_NAME), .error = ENOENT},
    {OPTION(IPPROTO_TCP, TCP_FASTOPEN, "TCP_FASTOPEN", OPTION_TCP, OPTION_FIXED),
     .error = EOPNOTSUPP},
    {OPTION(IPPROTO_TCP, TCP_FASTOPEN_CONNECT, "TCP_FASTOPEN_CONNECT", OPTION_TCP, OPTION_FIXED),
     .is_switch = true, .error = EOPNOTSUPP},
    OFF(IPPROTO_TCP, TCP_FASTOPEN_NO_COOKIE, OPTION_TCP),
    FIXED(IPPROTO_TCP, TCP_DEFER_ACCEPT, OPTION_TCP, 0, ENOPROTOOPT),
    FIXED(IPPROTO_TCP, TCP_NOTSENT_LOWAT, OPTION_TCP, 0, ENOPROTOOPT),
    FIXED(IPPROTO_TCP, TCP_SYNCNT, OPTION_TCP, 6, ENOPROTOOPT), /* TCP_SYNMAXRTX of lwipopts.h */
    FIXED(IPPROTO_TCP, TCP_SAVE_SYN, OPTION_TCP, 0, ENOPROTOOPT),
    FIXED(IPPROTO_TCP, TCP_TX_DELAY, OPTION_TCP, 0, ENOPROTOOPT),
    OFF(IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, OPTION_TCP),
    OFF(IPPROTO_TCP, TCP_REPAIR, OPTION_TCP),
    OFF(IPPROTO_TCP, TCP_INQ, OPTION_TCP),
    REFUSED(IPPROTO_TCP, TCP_LINGER2, OPTION_TCP, ENOPROTOOPT),
    REFUSED(IPPROTO_TCP, TCP_WINDOW_CLAMP, OPTION_TCP, ENOPROTOOPT),
    HIDDEN(IPPROTO_TCP, TCP_MD5SIG, OPTION_TCP),
    HIDDEN(IPPROTO_TCP, TCP_MD5SIG_EXT, OPTION_TCP),
    HIDDEN(IPPROTO_TCP, TCP_AO_ADD_KEY, OPTION_TCP),

    OFF(IPPROTO_UDP, UDP_CORK, OPTION_UDP),
    OFF(IPPROTO_UDP, UDP_NO_CHECK6_TX, OPTION_UDP),
    OFF(IPPROTO_UDP, UDP_NO_CHECK6_RX, OPTION_UDP),
    OFF(IPPROTO_UDP, UDP_GRO, OPTION_UDP),
    FIXED(IPPROTO_UDP, UDP_ENCAP, OPTION_UDP, 0, ENOPROTOOPT),
    FIXED(IPPROTO_UDP, UDP_SEGMENT, OPTION_UDP, 0, ENOPROTOOPT),

    HINT(IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, OPTION_BOTH, bind_no_port),
    HINT(IPPROTO_IP, IP_FREEBIND, OPTION_BOTH, free_bind),
    EMPTY(IPPROTO_IP, IP_OPTIONS, OPTION_BOTH),
    /* Packets of the card may be fragmented: no DF. */
    FIXED(IPPROTO_IP, IP_MTU_DISCOVER, OPTION_BOTH, IP_PMTUDISC_DONT, EINVAL),
    OFF(IPPROTO_IP, IP_RECVERR, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_PKTINFO, OPTION_TCP),
    OFF(IPPROTO_IP, IP_RECVTTL, OPTION_TCP),
    OFF(IPPROTO_IP, IP_RECVTOS, OPTION_TCP),
    OFF(IPPROTO_IP, IP_RECVOPTS, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_RETOPTS, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_RECVORIGDSTADDR, OPTION_TCP),
    OFF(IPPROTO_IP, IP_RECVFRAGSIZE, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_CHECKSUM, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_PASSSEC, OPTION_BOTH),
    OFF(IPPROTO_IP, IP_TRANSPARENT, OPTION_BOTH),
    FIXED(IPPROTO_IP, IP_MINTTL, OPTION_BOTH, 0, ENOPROTOOPT),
    FIXED(IPPROTO_IP, IP_UNICAST_IF, OPTION_BOTH, 0, ENOPROTOOPT),
    FIXED(IPPROTO_IP, IP_LOCAL_PORT_RANGE, OPTION_BOTH, 0, ENOPROTOOPT),
    HIDDEN(IPPROTO_IP, IP_XFRM_POLICY, OPTION_BOTH),
    HIDDEN(IPPROTO_IP, IP_IPSEC_POLICY, OPTION_BOTH),
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static bool is_for(const struct option_row* row, bool datagram) {
  return (row->sockets & (datagram ? OPTION_UDP : OPTION_TCP)) != 0;
}

const struct option_row* option_find(int level, int name, bool datagram) {
  for (size_t i = 0; i < ROWS; i++) {
    if (rows[i].level == level && rows[i].name == name && is_for(&rows[i], datagram)) {
      return &rows[i];
    }
  }
  return NULL;
}

/* As on Linux: for IPPROTO_IP one byte is enough, and an empty value is zero. */
static int read_int(const struct option_row* row, const void* value, size_t length, int* number) {
  *number = 0;
  if (length >= sizeof(int)) {
    memcpy(number, value, sizeof(int));
  } else if (row->level != IPPROTO_IP) {
    return EINVAL;
  } else if (length >= 1) {
    *number = *(const unsigned char*)value;
  }
  if (row->is_switch) *number = *number != 0;
  return 0;
}

static int change_field(const struct option_row* row, int number, struct control_options* options) {
  if (!row->is_switch && (number < row->least || number > row->most)) return row->error;
  char* field = (char*)options + row->offset;
  if (row->size == 1) {
    *(uint8_t*)field = (uint8_t)number;
  } else {
    const uint32_t wide = (uint32_t)number;
    memcpy(field, &wide, sizeof(wide));
  }
  return 0;
}

int option_change(const struct option_row* row, const void* value, size_t length,
                  struct control_options* options) {
  int number = 0, error = 0;
  switch (row->way) {
    case OPTION_KEPT:
    case OPTION_HINT:
      error = read_int(row, value, length, &number);
      return error != 0 ? error : change_field(row, number, options);
    case OPTION_FIXED:
      error = read_int(row, value, length, &number);
      return error != 0 || number == row->value ? error : row->error;
    case OPTION_EMPTY:
      return length == 0 || *(const char*)value == '\0' ? 0 : row->error;
    case OPTION_NAME:
      if (length == 0) return EINVAL;
      return row->only != NULL && strnlen(value, length) == strlen(row->only) &&
                     memcmp(value, row->only, strlen(row->only)) == 0
                 ? 0
                 : row->error;
    default:
      return row->error;
  }
}

int option_value(const struct option_row* row, const struct control_options* options) {
  if (row->way == OPTION_FIXED || row->way == OPTION_READ) return row->value;
  const char* field = (const char*)options + row->offset;
  if (row->size == 1) return *(const uint8_t*)field;
  uint32_t wide;
  memcpy(&wide, field, sizeof(wide));
  return (int)wide;
}

/* The option's bit in the marks, 0 if it has none. */
static uint32_t mark_of(const struct option_row* row) {
  uint32_t mark = 1;
  for (const struct option_row* r = rows; r < rows + ROWS; r++) {
    if (!r->is_hidden) continue;
    if (r == row) return mark;
    mark <<= 1;
  }
  return 0;
}

void option_mark(const struct option_row* row, const void* value, size_t length, uint32_t* marks) {
  struct control_options ignored = {0};
  if (option_change(row, value, length, &ignored) == 0) {
    *marks &= ~mark_of(row);
  } else {
    *marks |= mark_of(row);
  }
}

static bool ask_kernel(int fd, const struct option_row* row, int* number) {
  char name[OPTION_NAME_ROOM] = {0};
  socklen_t length = sizeof(name);
  bool text = row->way == OPTION_EMPTY || row->way == OPTION_NAME;
  *number = 0;
  if (!text) length = sizeof(*number);
  void* place = text ? (void*)name : (void*)number;
  if (REAL(getsockopt)(fd, row->level, row->name, place, &length) != 0) return false;
  if (text) *number = length > 0 && (name[0] != '\0' || row->way == OPTION_EMPTY);
  return true;
}

void options_of_kernel(int fd, struct control_options* options) {
  for (const struct option_row* row = rows; row < rows + ROWS; row++) {
    int number;
    if ((row->way == OPTION_KEPT || row->way == OPTION_HINT) && ask_kernel(fd, row, &number)) {
      if (row->is_switch) number = number != 0;
      change_field(row, number, options);
    }
  }
}

/* Options whose value on the kernel's socket must be checked. */
static bool is_visible(const struct option_row* row) {
  return !row->is_hidden &&
         (row->way == OPTION_FIXED || row->way == OPTION_EMPTY || row->way == OPTION_NAME ||
          row->way == OPTION_REFUSED || (row->level == IPPROTO_TCP && row->name == TCP_MAXSEG));
}

const char* option_in_the_way(int fd, bool datagram, uint32_t marks) {
  int error = errno, fresh = -1;
  const char* text = NULL;
  for (const struct option_row* row = rows; row < rows + ROWS && text == NULL; row++) {
    int number, usual;
    if (!is_for(row, datagram)) continue;
    if ((marks & mark_of(row)) != 0) text = row->text;
    if (!is_visible(row) || !ask_kernel(fd, row, &number)) continue;
    bool is_text = row->way == OPTION_EMPTY || row->way == OPTION_NAME;
    if (is_text ? number == 0 : row->way == OPTION_FIXED && number == row->value) continue;
    /* Values that any new socket has were not set by the program. */
    if (fresh < 0) fresh = REAL(socket)(AF_INET, datagram ? SOCK_DGRAM : SOCK_STREAM, 0);
    if (fresh >= 0 && ask_kernel(fresh, row, &usual) && usual == number) continue;
    text = row->text;
  }
  if (fresh >= 0) REAL(close)(fresh);
  errno = error;
  return text;
}
