/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file extensions.h
 * Calls of exasock beyond sockets. Link with -lexasock_ext; libullnic-sockets.so replaces it at run
 * time.
 *
 * A program may itself send frames on an accelerated TCP connection:
 *
 *     length = exasock_tcp_build_header(fd, frame, sizeof(frame), 0, 0);
 *     memcpy(frame + length, data, bytes);
 *     exasock_tcp_set_length(frame, length, bytes);
 *     exasock_tcp_calc_checksum(frame, length, data, bytes);
 *     ... send frame: exanic_transmit_frame(), ullnic_send_raw() with "ullnicd:" ...
 *     exasock_tcp_send_advance(fd, data, bytes);
 *
 * From then on the stack retransmits the bytes if they are lost. Between the first call and the
 * last the program must not write to the socket. onload/extensions.h is another interface to the
 * same.
 *
 * The latency counters are not supported; they are declared so that the compiler states why.
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

/** Returns 1 if the program runs with accelerated sockets, else 0. */
int exasock_loaded(void);
/** Returns EXASOCK_VERSION of the implemented interface; 0 if not loaded. */
uint32_t exasock_version_code(void);
/** The same as text; NULL if not loaded. */
const char* exasock_version_text(void);
/**
 * Gives the card's name, as exanic_acquire_handle() takes it, and the port number of an accelerated
 * TCP socket. Returns 0, or -1: EOPNOTSUPP.
 */
int exasock_tcp_get_device(int fd, char* dev, size_t dev_len, int* port_num);
/**
 * Writes the Ethernet (with the port's VLAN tag), IPv4 and TCP headers of the next segment, without
 * options; the program sets length and checksums. With them the program may send as much as the
 * peer's window has room for, in one or several segments (each with its own sequence number).
 *
 * @param len bytes that `buf` has room for: 58 are always enough
 * @param offset, flags 0
 * @return bytes of the header, or -1: EOPNOTSUPP not an accelerated TCP socket, or one of the
 *   transmit engine, whose hardware owns the sequence number; ENOTCONN; EPIPE the program has shut
 *   down writing or the connection has ended; EAGAIN earlier data has not all been sent, the window
 *   has no room for a segment (nor is it as large as the peer ever advertised), or the next hop is
 *   not known: try again; EINVAL `len`, `offset` or `flags`
 */
ssize_t exasock_tcp_build_header(int fd, void* buf, size_t len, size_t offset, int flags);
/** Sets the packet's length and the checksum of the IPv4 header. Returns 0, or -1: EINVAL. */
int exasock_tcp_set_length(void* hdr, size_t hdr_len, size_t data_len);
/** Sets the TCP checksum. Returns 0, or -1: EINVAL. */
int exasock_tcp_calc_checksum(void* hdr, size_t hdr_len, const void* data, size_t data_len);
/**
 * Reports bytes that the program has sent: the stack keeps them for retransmission.
 *
 * @return 0, or -1: EINVAL no header was built, or the program has written since; EMSGSIZE beyond
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
