/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file extensions.h
 * Delegated send: Onload's calls for programs that themselves send frames on an accelerated TCP
 * connection. Names and numbers are Onload's. Link with -lonload_ext; libullnic-sockets.so replaces
 * it at run time.
 *
 *     struct onload_delegated_send ds = {.headers = frame, .headers_len = sizeof(frame)};
 *     if (onload_delegated_send_prepare(fd, bytes, 0, &ds) == ONLOAD_DELEGATED_SEND_RC_OK) {
 *       onload_delegated_send_tcp_update(&ds, bytes, 1);
 *       memcpy(frame + ds.headers_len, data, bytes);
 *       exasock_tcp_calc_checksum(frame, ds.headers_len, data, bytes);
 *       ... send frame: exanic_transmit_frame(), ullnic_send_raw() with "ullnicd:" ...
 *       onload_delegated_send_complete(fd, &(struct iovec){data, bytes}, 1, 0);
 *     }
 *
 * **Checksums.** An ullnic card sends raw frames unmodified. tcp_update() sets the IPv4 checksum.
 * The program must set the TCP checksum, which Onload leaves to the adapter: see
 * exasock/extensions.h.
 *
 * **Between** prepare and complete (or cancel) the program must not write to the socket otherwise.
 * If it does, the headers become invalid, and complete fails with EINVAL. Acknowledgements may
 * arrive before complete; acknowledged bytes are not copied. If the peer has received bytes that
 * are never reported, the connection is reset when anything else is to be sent (EBADMSG).
 *
 * **The transmit engine's connections** (SO_EXA_ATE) return BAD_SOCKET: hardware owns their
 * sequence number. send() goes through the engine there; one line on stderr states it.
 */
#ifndef ULLNIC_ONLOAD_EXTENSIONS_H
#define ULLNIC_ONLOAD_EXTENSIONS_H

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of onload_delegated_send_prepare(). */
struct onload_delegated_send {
  void* headers;   /**< the caller's buffer for the headers */
  int headers_len; /**< in: bytes of the buffer (58 suffice); out: bytes of the headers */

  int mss;       /**< longest payload of a frame, bytes */
  int send_wnd;  /**< bytes: the peer's window and room for retransmission */
  int cong_wnd;  /**< bytes of the congestion window; not enforced */
  int user_size; /**< `size` of prepare, less what was advanced */

  int tcp_seq_offset; /**< bytes from `headers` to the sequence number */
  int ip_len_offset;  /**< bytes from `headers` to the packet's length */
  int ip_tcp_hdr_len; /**< bytes of both headers */
  int reserved[5];
};

enum onload_delegated_send_rc {
  ONLOAD_DELEGATED_SEND_RC_OK = 0,
  /** Not an accelerated TCP connection, shut for writing, or one of the transmit engine. */
  ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET,
  /** headers_len was too small; it now has the length needed. */
  ONLOAD_DELEGATED_SEND_RC_SMALL_HEADER,
  /** Data written earlier has not all been sent. */
  ONLOAD_DELEGATED_SEND_RC_SENDQ_BUSY,
  /** The peer's window is closed. */
  ONLOAD_DELEGATED_SEND_RC_NOWIN,
  /** The next hop's MAC address is not known; an ARP request is sent. */
  ONLOAD_DELEGATED_SEND_RC_NOARP,
  /** The congestion window has no room for a segment; the headers are valid and may be used. */
  ONLOAD_DELEGATED_SEND_RC_NOCWIN,
};

/** The destination address may be missing (zero): the caller fills it in. */
#define ONLOAD_DELEGATED_SEND_FLAG_IGNORE_ARP 0x1
/** Waits up to 1 ms for the next hop's address. */
#define ONLOAD_DELEGATED_SEND_FLAG_RESOLVE_ARP 0x2

/**
 * Prepares headers for the next byte of the stream, for a segment of `mss` bytes without PSH. Up to
 * `size` bytes may be sent with them. Replaces an earlier call.
 */
enum onload_delegated_send_rc onload_delegated_send_prepare(int fd, int size, unsigned flags,
                                                            struct onload_delegated_send* out);

/** Writes the length of a frame's payload and the PSH flag into the headers. */
static inline void onload_delegated_send_tcp_update(struct onload_delegated_send* ds, int bytes,
                                                    int push) {
  uint8_t* length = (uint8_t*)ds->headers + ds->ip_len_offset;
  uint8_t* sum = length + 8;
  uint8_t* flags = (uint8_t*)ds->headers + ds->tcp_seq_offset + 9;
  uint16_t was, now = htons((uint16_t)(bytes + ds->ip_tcp_hdr_len)), check;
  uint32_t total;
  memcpy(&was, length, sizeof(was));
  memcpy(&check, sum, sizeof(check));
  total = (uint32_t)(uint16_t)~check + (uint16_t)~was + now;
  total = (total & 0xffff) + (total >> 16);
  check = (uint16_t)~(total + (total >> 16));
  memcpy(length, &now, sizeof(now));
  memcpy(sum, &check, sizeof(check));
  *flags = (uint8_t)(push ? *flags | 0x08 : *flags & ~0x08);
}

/** Advances the headers to the next frame, after one with `bytes` bytes of payload. */
static inline void onload_delegated_send_tcp_advance(struct onload_delegated_send* ds, int bytes) {
  uint8_t* place = (uint8_t*)ds->headers + ds->tcp_seq_offset;
  uint32_t seq;
  memcpy(&seq, place, sizeof(seq));
  seq = htonl(ntohl(seq) + (uint32_t)bytes);
  memcpy(place, &seq, sizeof(seq));
  ds->send_wnd -= bytes;
  ds->cong_wnd -= bytes;
  ds->user_size -= bytes;
}

/**
 * Reports bytes that were sent: the stack retransmits them if they are lost. May be called more
 * than once after one prepare. `flags`: only MSG_NOSIGNAL has an effect; the call never blocks.
 *
 * @return bytes accepted, or -1: EINVAL there are no headers (any more); EMSGSIZE more than was
 *   prepared; EPIPE; ENOTTY not an accelerated socket; ENOMEM, ECONNRESET and so on: the connection
 *   has ended
 */
int onload_delegated_send_complete(int fd, const struct iovec* iov, int iovlen, int flags);

/**
 * Nothing more is sent with the headers. Returns 0, or -1: ENOTTY not an accelerated socket;
 * EBADMSG the peer has received bytes that were not reported, and the connection was reset.
 */
int onload_delegated_send_cancel(int fd);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_ONLOAD_EXTENSIONS_H */
