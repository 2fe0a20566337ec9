/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file extensions.h
 * Calls of exasock beyond sockets. Link with -lexasock_ext; libullnic-sockets.so takes its place at
 * run time.
 *
 * A program may send frames of its own on an accelerated TCP connection:
 *
 *     length = exasock_tcp_build_header(fd, frame, sizeof(frame), 0, 0);
 *     memcpy(frame + length, data, bytes);
 *     exasock_tcp_set_length(frame, length, bytes);
 *     exasock_tcp_calc_checksum(frame, length, data, bytes);
 *     ... send frame: exanic_transmit_frame(), ullnic_send_raw() with "ullnicd:" ...
 *     exasock_tcp_send_advance(fd, data, bytes);
 *
 * From then on the stack repeats the bytes if they are lost. Between the first call and the last
 * the program must not write to the socket. onload/extensions.h is another face of the same.
 *
 * Not there, and declared so that the compiler says why: the latency counters.
 */
#ifndef ULLNIC_EXASOCK_EXTENSIONS_H
#define ULLNIC_EXASOCK_EXTENSIONS_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include "exanic/absent.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EXASOCK_VERSION(major, minor, revision) (((major) << 16) + ((minor) << 8) + (revision))

/** 1 if the program runs with accelerated sockets, else 0. */
int exasock_loaded(void);
/** EXASOCK_VERSION of the interface that is offered; 0 if not loaded. */
uint32_t exasock_version_code(void);
/** The same in words; NULL if not loaded. */
const char* exasock_version_text(void);
/**
 * Name of the card, as exanic_acquire_handle() takes it, and number of the port of an accelerated
 * TCP socket. 0, or -1: EOPNOTSUPP.
 */
int exasock_tcp_get_device(int fd, char* dev, size_t dev_len, int* port_num);
/**
 * Ethernet (with the port's VLAN tag), IPv4 and TCP headers of the next segment, without options;
 * length and checksums are the program's. What may be sent with them, in one segment or several
 * (each with its own sequence number), is what the peer's window has room for.
 *
 * @param len bytes that `buf` has room for: 58 are always enough
 * @param offset, flags 0
 * @return bytes of the header, or -1: EOPNOTSUPP not an accelerated TCP socket, or one of the
 *   transmit engine, whose hardware owns the sequence number; ENOTCONN; EPIPE the program or the
 *   connection is through; EAGAIN what was written before has not all been sent, the window has no
 *   room for a segment (nor for as much as the peer has ever offered), or the next hop is not
 * known: try again; EINVAL `len`, `offset` or `flags`
 */
ssize_t exasock_tcp_build_header(int fd, void* buf, size_t len, size_t offset, int flags);
/** Length of the packet, and the checksum of the IPv4 header. 0, or -1: EINVAL. */
int exasock_tcp_set_length(void* hdr, size_t hdr_len, size_t data_len);
/** The checksum of TCP. 0, or -1: EINVAL. */
int exasock_tcp_calc_checksum(void* hdr, size_t hdr_len, const void* data, size_t data_len);
/**
 * The program has sent these bytes: the stack keeps them for repetition.
 *
 * @return 0, or -1: EINVAL there was no header, or the program has written since; EMSGSIZE beyond
 *   the window; EOPNOTSUPP; ENOMEM, ECONNRESET and so on: the connection has ended
 */
int exasock_tcp_send_advance(int fd, const void* buf, size_t len);

void print_exasock_latencies(void) EXANIC_ABSENT(
    "ullnic: the sockets count no latencies of their own calls; measure on the wire with "
    "ullnic-latency or ullnic-card --pcapng-dir");
void clear_latencies(void)
    EXANIC_ABSENT("ullnic: the sockets count no latencies of their own calls; leave the call out");

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_EXASOCK_EXTENSIONS_H */
