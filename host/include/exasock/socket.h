/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file socket.h
 * Options of accelerated sockets. Names and numbers are those of exasock, so that programs written
 * for it compile and run.
 *
 * A socket is accelerated when it is connected, or bound, through a port that ullnicd serves. To
 * the program it remains an ordinary descriptor.
 */
#ifndef ULLNIC_EXASOCK_SOCKET_H
#define ULLNIC_EXASOCK_SOCKET_H

#include <errno.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Level of the options below, for setsockopt() and getsockopt(). */
#define SOL_EXASOCK 0x200

/**
 * int: 1 leaves the socket to the kernel permanently; 0 requests acceleration where it is off by
 * default (exasock --no-auto). EPERM: 1 on an accelerated socket, 0 after 1.
 */
#define SO_EXA_NO_ACCEL 1

/**
 * struct ip_mreq or ip_mreqn: receive a multicast group on the port with the address imr_address,
 * without IGMP reports. 0.0.0.0: any port, if ullnicd serves only one. EPERM: not a UDP socket, or
 * not to be accelerated; EINVAL: not a group, not an address of the card, or an interface index
 * (ports have none); EOPNOTSUPP: any port, but there are several; EADDRINUSE: already a member.
 */
#define SO_EXA_MCAST_LISTEN 2

/**
 * int: number of the transmit engine's connection that connect() is to use, 0 to 511, or -1 for
 * none. User logic in the card can then also send on the socket's connection.
 *
 * setsockopt() fails with EPERM (not a TCP socket over IPv4, connected already, or not to be
 * accelerated), EOPNOTSUPP (it is listening), EINVAL (below -1), ENOPROTOOPT (no port has an
 * engine, or ullnicd is not running). listen() then fails with EOPNOTSUPP.
 *
 * connect() fails with EINVAL (the engine has no such connection), EBUSY (another socket uses it),
 * EOPNOTSUPP (this port has no engine), ENETUNREACH (the peer is not reachable through the card),
 * ECANCELED (the peer answered, but the engine could not be set up).
 */
#define SO_EXA_ATE 3

/**
 * For send(), sendto(), sendmsg(): runs the send path without sending, so that the next send is
 * fast. Returns the length of the message.
 */
#define MSG_EXA_WARM 0x100000

/** Leaves a socket to the kernel, see SO_EXA_NO_ACCEL. Returns 0, or -1 with errno. */
static inline int exasock_disable_acceleration(int fd) {
  int yes = 1;
  return setsockopt(fd, SOL_EXASOCK, SO_EXA_NO_ACCEL, &yes, sizeof(yes));
}

/** Connects with the transmit engine's connection `ate_id`, see SO_EXA_ATE. Returns 0, or -1 with
 * errno. */
static inline int exasock_ate_connect(int fd, int ate_id, const struct sockaddr* address,
                                      socklen_t length) {
  if (ate_id < 0) {
    errno = EINVAL;
    return -1;
  }
  if (setsockopt(fd, SOL_EXASOCK, SO_EXA_ATE, &ate_id, sizeof(ate_id)) != 0) return -1;
  return connect(fd, address, length);
}

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_EXASOCK_SOCKET_H */
