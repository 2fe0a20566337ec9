/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bind(), connect(), and what became of a connection.
 */
#ifndef ULLNIC_PRELOAD_CONNECTING_H
#define ULLNIC_PRELOAD_CONNECTING_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "preload/table.h"

/* A socket that can never be the card's is to talk to `address`. 0: the kernel shall do it; errno.
 */
int other_socket(int fd, const struct sockaddr* address, socklen_t length);
/* A TCP socket that is bound or listens: nothing is to be sent or received on it. */
bool was_never_connected(const struct entry* entry);
/* It listens, by a call on this or on another descriptor of it. */
bool is_listener(const struct entry* entry);
/* What became of a socket: errno of its end, 0 if there is none. Says which bytes were lost. */
int verdict_of(const struct entry* entry);

/* The error of a socket that the program has not asked for yet (SO_ERROR), with the reason that
 * ullnicd knows; 0: none. It is taken away. -1 with errno if there is no such socket. */
int take_error(int fd, const struct entry* entry, int* error);

/* The same of a datagram socket: why the last ones did not reach the peer. What was received before
 * stands before it; the kernel's comes first. None while a thread of this process receives: it is
 * that one's, and what comes after the error must not be taken for it. */
int take_datagram_error(int fd, const struct entry* entry);
/* Held for reading while a thread receives datagrams. */
pthread_rwlock_t* receiving_lock(const struct entry* entry);

#endif /* ULLNIC_PRELOAD_CONNECTING_H */
